package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A tool that runs in a separate process each time. */
interface Program extends Tool {
    /** {@return the command that does a job} */
    List<String> command(Job job);

    /** {@return environment variables in addition to those of this process} */
    default Map<String, String> environment() {
        return Map.of();
    }

    @Override
    default ToolRun run(Job job, Path logs) throws IOException, InterruptedException {
        return ToolRun.ofProcess(command(job), environment(), logs, job.mostSeconds());
    }
}
