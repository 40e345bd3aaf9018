package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A tool that is a process of its own in each run. */
interface Program extends Tool {
    /** {@return the command that does it} */
    List<String> command(Job job);

    /** {@return what its environment has besides that of this process} */
    default Map<String, String> environment() {
        return Map.of();
    }

    @Override
    default ToolRun run(Job job, Path logs) throws IOException, InterruptedException {
        return ToolRun.ofProcess(command(job), environment(), logs);
    }
}
