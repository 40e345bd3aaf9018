package dev.rechunker.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A Python library that copies to Zarr 2, run by a script of this project. */
final class PythonTool implements Program {
    private static final String SCRIPT = "peers.py";
    /** The most chunks of a workload, as their schedulers keep at least one task per chunk in memory. */
    private static final long MOST_CHUNKS = 200_000;

    private final String library;
    private final String python = Objects.requireNonNullElse(System.getenv("RECHUNKER_PYTHON"), "/usr/bin/python3");
    private final Path script;
    private String version = "";

    /** Creates the tool, and writes its script to {@code directory}. */
    PythonTool(String library, Path directory) throws IOException {
        this.library = library;
        this.script = Files.createDirectories(directory).resolve(SCRIPT);
        try (InputStream text = Objects.requireNonNull(PythonTool.class.getResourceAsStream(SCRIPT))) {
            Files.write(script, text.readAllBytes());
        }
    }

    /** {@return the reason why the tool cannot run here, or an empty text if it can} */
    String absence(Path logs) throws InterruptedException {
        try {
            ToolRun run = ToolRun.ofProcess(List.of(python, script.toString(), library), environment(), logs);
            version = run.lastLine();
            return run.failure().lines().reduce("", (before, line) -> line);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
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
    public boolean fits(Workload workload) {
        return workload.target() == Container.ZARR2
                && workload.input().grid().count() + workload.grid().count() <= MOST_CHUNKS;
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
        return List.of(
                python,
                script.toString(),
                library,
                job.sourceArgument(),
                job.target().toString(),
                job.temporary().toString(),
                Tool.extents(workload.chunks().toArray(), ","),
                Long.toString(workload.maxMem().bytes()),
                Integer.toString(job.threads()));
    }
}
