package dev.rechunker.bench;

import com.google.gson.Gson;
import dev.rechunker.geometry.Shape;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A Python library that copies to Zarr, run by a script of this project. */
final class PythonTool implements Program {
    /** All libraries that the script knows. */
    static final List<String> LIBRARIES = List.of(
            "dask", "rechunker", "tensorstore", "zarr-python", "zarrs-python", "cubed", "xarray-beam", "rechunkit");

    private static final String SCRIPT = "peers.py";
    private static final Set<String> ALSO_HDF5 = Set.of("dask", "rechunker", "rechunkit");
    private static final Set<String> ALSO_WEB = Set.of("dask", "tensorstore", "zarr-python", "rechunkit");
    private static final Set<String> ALSO_VIEWS = Set.of("dask", "tensorstore");
    private static final String ONLY_ZARR2 = "rechunker";
    /** The most chunks of a workload, as most of these libraries keep at least one object per chunk in memory. */
    private static final long MOST_CHUNKS = 200_000;

    private final String library;
    private final Path script;
    private String python = "";
    private String version = "";

    /** Creates the tool, and writes its script to {@code directory}. */
    PythonTool(String library, Path directory) throws IOException {
        this.library = library;
        this.script = Files.createDirectories(directory).resolve(SCRIPT);
        try (InputStream text = Objects.requireNonNull(PythonTool.class.getResourceAsStream(SCRIPT))) {
            Files.write(script, text.readAllBytes());
        }
    }

    /**
     * Looks for the library in each Python that the variable RECHUNKER_BENCH_PYTHON names, with the separator of paths
     * between them.
     *
     * @return the reason why the tool cannot run here, or an empty text if it can
     */
    String absence(Path logs) throws InterruptedException {
        String named = Objects.requireNonNullElse(System.getenv("RECHUNKER_BENCH_PYTHON"), "/usr/bin/python3");
        List<String> reasons = new ArrayList<>();
        for (String each : named.split(File.pathSeparator, -1)) {
            try {
                ToolRun run = ToolRun.ofProcess(List.of(each, script.toString(), library), environment(), logs);
                if (run.status() == 0) {
                    python = each;
                    version = run.lastLine();
                    return "";
                }
                reasons.add(run.failure().lines().reduce("", (before, line) -> line));
            } catch (IOException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        return String.join("; ", reasons);
    }

    @Override
    public String name() {
        return library;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean readsWeb() {
        return ALSO_WEB.contains(library);
    }

    @Override
    public boolean fits(Workload workload) {
        return !workload.target().isHdf5()
                && (workload.shards().isEmpty() || library.startsWith("zarr"))
                && (workload.isPlain() || ALSO_VIEWS.contains(library))
                && (workload.target() == Container.ZARR2 || !library.equals(ONLY_ZARR2))
                && (!workload.input().container().isHdf5() || ALSO_HDF5.contains(library))
                && workload.input().grid().count() + workload.grid().count() <= MOST_CHUNKS;
    }

    @Override
    public String result(Job job) {
        return library.equals("xarray-beam") ? job.target().resolve("data").toString() : job.targetArray();
    }

    /**
     * {@return the variables, with a checkout of Python Rechunker on the Python path if the variable RECHUNKER names
     * one}
     */
    @Override
    public Map<String, String> environment() {
        String checkout = System.getenv("RECHUNKER");
        return checkout == null ? Map.of() : Map.of("PYTHONPATH", checkout);
    }

    @Override
    public List<String> command(Job job) {
        Workload workload = job.workload();
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("source", job.sourceArgument());
        described.put("target", job.target().toString());
        described.put("temporary", job.temporary().toString());
        described.put("format", workload.target() == Container.ZARR2 ? 2 : 3);
        described.put("chunks", workload.chunks().toArray());
        described.put("shards", workload.shards().map(Shape::toArray).orElse(new long[0]));
        described.put("axes", workload.axes());
        described.put("levels", workload.levels());
        described.put("maxMem", workload.maxMem().bytes());
        described.put("threads", job.threads());
        return List.of(python, script.toString(), library, new Gson().toJson(described));
    }
}
