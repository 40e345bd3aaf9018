package dev.rechunker.examples.cli;

import dev.rechunker.exec.Report;
import dev.rechunker.io.jobs.JobFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Ends a run whose tasks are all done. */
@Command(
        name = "finish",
        description = {
            "Make the arrays exist that run-tasks has written, and remove what that needed.",
            "It is refused until all tasks of all stages are done."
        },
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        versionProvider = Rechunk.Version.class,
        sortOptions = false)
final class FinishCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "Where the plan was saved to.")
    @SuppressWarnings("NullAway.Init")
    private String file;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try (PlanPlace place = PlanPlace.of(file);
                JobFile job = place.open()) {
            Report report = job.finish();
            out.println("done: " + report.tasksDoneBefore() + " tasks" + CopyCommand.found(report));
            return Rechunk.DONE;
        } finally {
            out.flush();
        }
    }
}
