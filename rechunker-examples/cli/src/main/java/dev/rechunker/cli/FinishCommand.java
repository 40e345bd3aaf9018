package dev.rechunker.cli;

import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.io.PrintWriter;

/** The command {@code finish}, which completes a shared run whose tasks are all done. */
final class FinishCommand extends Command {
    private final Arg<String> file = argument(String.class, "0", "1", "PLAN", "The plan that copy --save has written.");
    private final Arg<Boolean> verbose =
            flag("--verbose", "Also print what is stored in another way than in the source.");

    FinishCommand() {
        super(
                "finish",
                "Complete the arrays that run-tasks has written, and remove temporary files.",
                "All tasks of all stages must be done.");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        try (PlanPlace place = PlanPlace.of(file.given());
                JobFile job = place.open()) {
            Report report = job.finish();
            out.println("done: " + report.tasksDoneBefore() + " tasks" + CopyCommand.found(report));
            return LossOutput.print(err(), report, verbose.isGiven());
        } finally {
            out.flush();
        }
    }
}
