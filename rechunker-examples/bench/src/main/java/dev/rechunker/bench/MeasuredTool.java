package dev.rechunker.bench;

import dev.rechunker.bench.Result.OwnReport;
import dev.rechunker.bench.Result.Sample;
import dev.rechunker.bench.Result.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A tool and its measurements so far. */
final class MeasuredTool {
    private final Tool tool;
    private final List<Sample> samples = new ArrayList<>();
    private boolean verified;
    private String failure = "";

    MeasuredTool(Tool tool) {
        this.tool = tool;
    }

    Tool tool() {
        return tool;
    }

    /** {@return the reason why the tool is not run any more, or an empty text} */
    String failure() {
        return failure;
    }

    /** {@return whether the tool's target has been compared with the source} */
    boolean isVerified() {
        return verified;
    }

    void recordRun(ToolRun run, Limit limit) {
        if (failure.isEmpty()) {
            samples.add(new Sample(run.seconds(), run.peakBytes(), run.reads(), run.seconds() / limit.seconds()));
        }
    }

    void recordComparison(ToolRun comparison) {
        verified = true;
        if (comparison.status() != 0) {
            failure = "its target differs from the source: " + comparison.lastLine() + comparison.failure();
        }
    }

    void recordFailure(String why) {
        failure = why;
    }

    ToolResult result(Optional<OwnReport> report) {
        return new ToolResult(tool.name(), tool.version(), samples, verified && failure.isEmpty(), failure, report);
    }
}
