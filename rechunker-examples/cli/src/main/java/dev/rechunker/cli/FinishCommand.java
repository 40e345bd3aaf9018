package dev.rechunker.cli;

import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.io.PrintWriter;

/** Ends a run whose tasks are all done. */
final class FinishCommand extends Command {
    private final Arg<String> file = argument(String.class, "0", "1", "PLAN", "Where the plan was saved to.");

    FinishCommand() {
        super(
                "finish",
                "Make the arrays exist that run-tasks has written, and remove what that needed.",
                "It is refused until all tasks of all stages are done.");
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        try (PlanPlace place = PlanPlace.of(file.given());
                JobFile job = place.open()) {
            Report report = job.finish();
            out.println("done: " + report.tasksDoneBefore() + " tasks" + CopyCommand.found(report));
            return Rechunk.DONE;
        } finally {
            out.flush();
        }
    }
}
