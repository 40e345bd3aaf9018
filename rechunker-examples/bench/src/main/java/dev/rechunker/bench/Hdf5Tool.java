package dev.rechunker.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A program that copies HDF5 files into other chunks.
 *
 * @param name the name of the program
 */
record Hdf5Tool(String name) implements Program {
    private static final String H5REPACK = "h5repack";

    /** {@return the programs of the HDF5 and netCDF libraries} */
    static List<Hdf5Tool> all() {
        return List.of(new Hdf5Tool(H5REPACK), new Hdf5Tool("nccopy"));
    }

    /** {@return whether the program is on the {@code PATH}} */
    boolean isInstalled() {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(File.pathSeparator, -1))
                        .anyMatch(directory -> Path.of(directory, name).toFile().canExecute());
    }

    @Override
    public boolean fits(Workload workload) {
        return workload.input().container().isHdf5() && workload.target().isHdf5();
    }

    @Override
    public List<String> command(Job job) {
        String dataset = job.workload().target().node();
        long[] chunk = job.workload().chunks().toArray();
        String bound = Long.toString(job.workload().maxMem().bytes());
        String from = job.source().toString();
        String to = job.target().toString();
        return name.equals(H5REPACK)
                ? List.of(
                        name, "-l", dataset + ":CHUNK=" + Tool.extents(chunk, "x"), "-f", dataset + ":GZIP=1", from, to)
                : List.of(
                        name,
                        "-d1",
                        "-c",
                        dataset + ":" + Tool.extents(chunk, ","),
                        "-m",
                        bound,
                        "-h",
                        bound,
                        from,
                        to);
    }
}
