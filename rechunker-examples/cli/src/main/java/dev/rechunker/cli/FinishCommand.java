package dev.rechunker.cli;

import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** The command {@code finish}, which completes a shared run whose tasks are all done. */
final class FinishCommand extends Command {
    private final Arg<String> saved =
            argument(String.class, "0", "1", "PLAN", "The plan that copy --save has written.");
    private final Arg<Path> checksums = value(
            Path.class,
            "--checksums",
            "FILE",
            "Write the checksum of each chunk or shard to FILE, whatever file the plan names.");
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
        try (SavedPlan place = SavedPlan.at(saved.given());
                JobFile job = place.open()) {
            Path file = checksums.value();
            Report report = file == null ? job.finish() : job.finish(file);
            out.println("done: " + report.tasksDoneBefore() + " tasks" + CopyCommand.found(report));
            return LossOutput.print(err(), report, verbose.isGiven());
        } finally {
            out.flush();
        }
    }
}
