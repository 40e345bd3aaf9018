package dev.rechunker.bench;

import dev.rechunker.bench.Result.OwnReport;
import dev.rechunker.bench.Result.Sample;
import dev.rechunker.bench.Result.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A tool and how it has done so far. */
final class Entrant {
    private final Tool tool;
    private final List<Sample> samples = new ArrayList<>();
    private boolean verified;
    private String failure = "";

    Entrant(Tool tool) {
        this.tool = tool;
    }

    Tool tool() {
        return tool;
    }

    /** {@return why it does not go on, or nothing} */
    String failure() {
        return failure;
    }

    /** {@return whether its target has been compared with the source} */
    boolean isVerified() {
        return verified;
    }

    void ran(ToolRun run, Limit limit) {
        if (failure.isEmpty()) {
            samples.add(new Sample(run.seconds(), run.peakBytes(), run.seconds() / limit.seconds()));
        }
    }

    void verified(ToolRun comparison) {
        verified = true;
        if (comparison.status() != 0) {
            failure = "its target is not the source: " + comparison.lastLine() + comparison.failure();
        }
    }

    void fails(String why) {
        failure = why;
    }

    ToolResult result(Optional<OwnReport> report) {
        return new ToolResult(tool.name(), tool.version(), samples, verified && failure.isEmpty(), failure, report);
    }
}
