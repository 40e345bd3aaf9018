package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program on the {@code PATH}. */
final class InstalledProgram implements Program {
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+");

    private final String name;
    private final String versionOption;
    private final Predicate<Workload> can;
    private final Function<Job, List<String>> arguments;
    private String version = "";

    /**
     * Creates a tool.
     *
     * @param name the name of its file
     * @param versionOption an option with which it prints its version
     * @param can whether it supports a workload
     * @param arguments the arguments for a job
     */
    private InstalledProgram(
            String name, String versionOption, Predicate<Workload> can, Function<Job, List<String>> arguments) {
        this.name = name;
        this.versionOption = versionOption;
        this.can = can;
        this.arguments = arguments;
    }

    /** {@return all programs that are known} */
    static List<InstalledProgram> all() {
        return List.of(
                new InstalledProgram("h5repack", "-V", InstalledProgram::isHdf5, InstalledProgram::h5repack),
                new InstalledProgram("nccopy", "-h", InstalledProgram::isHdf5, InstalledProgram::nccopy),
                new InstalledProgram("ncks", "-r", InstalledProgram::isHdf5, InstalledProgram::ncks),
                new InstalledProgram("zarrs_reencode", "-V", InstalledProgram::isZarr, InstalledProgram::reencode));
    }

    private static boolean isHdf5(Workload workload) {
        return workload.input().container().isHdf5() && workload.target().isHdf5() && workload.isPlain();
    }

    /**
     * {@return whether chunks go into shards as they are; zarrs_reencode 0.8.1 does not change chunks without shards}
     */
    private static boolean isZarr(Workload workload) {
        return workload.keepsChunks()
                && workload.shards().isPresent()
                && !workload.input().container().isHdf5()
                && !workload.target().isHdf5();
    }

    private static List<String> h5repack(Job job) {
        String dataset = job.workload().target().node();
        return List.of(
                "-l",
                dataset + ":CHUNK=" + chunks(job, "x"),
                "-f",
                dataset + ":GZIP=1",
                job.source(),
                job.target().toString());
    }

    /** {@return arguments with the memory limit as the size of its buffers} */
    private static List<String> nccopy(Job job) {
        String bound = Long.toString(job.workload().maxMem().bytes());
        return List.of(
                "-d1",
                "-c",
                job.workload().target().node() + ":" + chunks(job, ","),
                "-m",
                bound,
                "-h",
                bound,
                job.source(),
                job.target().toString());
    }

    /** {@return arguments with the names that it gives to dimensions without names} */
    private static List<String> ncks(Job job) {
        List<String> arguments = new ArrayList<>(List.of("-4", "-L", "1", "--cnk_plc=all"));
        long[] chunks = job.workload().chunks().toArray();
        for (int axis = 0; axis < chunks.length; axis++) {
            arguments.add("--cnk_dmn");
            arguments.add("phony_dim_" + axis + "," + chunks[axis]);
        }
        arguments.add(job.source());
        arguments.add(job.target().toString());
        return arguments;
    }

    private static List<String> reencode(Job job) {
        return List.of(
                "--chunk-shape",
                chunks(job, ","),
                "--shard-shape",
                Input.shardText(job.workload().shards()),
                "--concurrent-chunks",
                Integer.toString(job.threads()),
                job.source(),
                job.target().toString());
    }

    private static String chunks(Job job, String between) {
        return Tool.extents(job.workload().chunks().toArray(), between);
    }

    /** {@return the reason why the program cannot run here, or an empty text if it can} */
    String absence(Path logs) throws InterruptedException {
        try {
            ToolRun run = ToolRun.ofProcess(List.of(name, versionOption), Map.of(), logs);
            Matcher number = VERSION.matcher(run.output() + ToolRun.standardError(logs));
            version = number.find() ? number.group() : "";
            return "";
        } catch (IOException e) {
            return "not on the PATH";
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean fits(Workload workload) {
        return can.test(workload);
    }

    @Override
    public List<String> command(Job job) {
        List<String> command = new ArrayList<>(List.of(name));
        command.addAll(arguments.apply(job));
        return command;
    }
}
