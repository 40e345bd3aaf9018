package dev.rechunker.cli;

import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code run-tasks}, which runs some tasks of a saved plan, while other processes run others. */
final class RunTasksCommand extends Command {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?");
    private static final Pattern PART = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

    private final Arg<String> saved =
            argument(String.class, "0", "1", "PLAN", "The plan that copy --save has written.");
    private final Arg<Integer> number = required(int.class, "--stage", "S", "The number of the stage, from 0.");
    private final Arg<String> tasks =
            text("--tasks", "I-J", "Run the tasks I to J, both inclusive, or the single task I.");
    private final Arg<String> part =
            text("--part", "K/N", "Divide the tasks into N parts, and run part K, counted from 0.");

    RunTasksCommand() {
        super(
                "run-tasks",
                "Run tasks of a plan that copy --save has written, while other processes run others.",
                "Tasks that are recorded as done are skipped. All tasks of the previous stage must be done.");
    }

    /** A range of tasks of a stage; {@code to} is exclusive. */
    private record Range(long from, long to) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        String file = saved.given();
        int stage = number.given();
        try (SavedPlan place = SavedPlan.at(file);
                JobFile job = place.open()) {
            if (stage < 0 || stage >= job.tasks().size()) {
                throw new UsageException("--stage is " + stage + "; " + file + " has "
                        + job.tasks().size() + (job.tasks().size() == 1 ? " stage" : " stages") + ", the first is 0");
            }
            Range range = range(stage, job.tasks().get(stage));
            Report report = job.run(stage, range.from, range.to);
            out.println("stage " + stage + ": " + report.tasks() + " tasks done; read "
                    + ByteSize.of(report.bytesRead()) + ", wrote " + ByteSize.of(report.bytesWritten())
                    + "; memory: measured " + ByteSize.of(report.measuredMemory()) + ", allowed "
                    + job.plan().maxMem());
            report.corrupt().forEach(chunk -> out.println("corrupt, filled: " + Printable.of(chunk)));
            return Rechunk.DONE;
        } finally {
            out.flush();
        }
    }

    private Range range(int stage, long all) {
        String wanted = tasks.value();
        if ((wanted == null) == (part.value() == null)) {
            throw new UsageException("give either --tasks I-J or --part K/N");
        }
        Range range = wanted != null ? tasks(wanted) : part(part.given(), all);
        if (range.from > range.to || range.to > all) {
            throw new UsageException(
                    "--tasks is \"" + wanted + "\"; stage " + stage + " has the tasks 0 to " + (all - 1));
        }
        return range;
    }

    private static Range tasks(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw new UsageException("--tasks is \"" + text + "\"; write I-J, such as 0-99, or I");
        }
        long from = Long.parseLong(range.group(1));
        return new Range(from, (range.group(2) == null ? from : Long.parseLong(range.group(2))) + 1);
    }

    private static Range part(String text, long all) {
        Matcher part = PART.matcher(text);
        if (!part.matches() || Long.parseLong(part.group(1)) >= Long.parseLong(part.group(2))) {
            throw new UsageException("--part is \"" + text + "\"; write K/N with K from 0 to N-1, such as 0/100");
        }
        long number = Long.parseLong(part.group(1));
        long parts = Long.parseLong(part.group(2));
        // If the tasks cannot be divided evenly, the first parts have one task more.
        long each = all / parts;
        long rest = all % parts;
        long from = number * each + Math.min(number, rest);
        return new Range(from, from + each + (number < rest ? 1 : 0));
    }
}
