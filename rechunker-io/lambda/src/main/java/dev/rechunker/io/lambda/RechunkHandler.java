package dev.rechunker.io.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskRange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A function of AWS Lambda that runs tasks of a plan, which {@code rechunk copy --save} or {@link JobFile} has saved in
 * a bucket. Events and answers are JSON:
 *
 * <ul>
 *   <li>{@code {"action": "describe", "plan": "s3://bucket/plan.json", "slices": 100}} answers with {@code run}, the
 *       name of the run, and {@code stages}: those with tasks that are not done, which are divided into at most the
 *       given number of {@code slices}, {@code from} a task {@code to} another, which is not part of it.
 *   <li>{@code {"action": "run", "plan": ..., "stage": 0, "from": 0, "to": 12}} runs those tasks that are not recorded
 *       as done, until 10 seconds before the time of the invocation is over. {@code done} says whether all are, and
 *       {@code left} how many are not: invoke it again. {@code "part": 3, "of": 100} stands for a part of the stage.
 *       {@code run} makes sure that it is still the same run.
 *   <li>{@code {"action": "finish", "plan": ...}} makes the arrays visible, when all tasks of all stages are done.
 * </ul>
 *
 * <p>An invocation that is killed, or invoked twice, is harmless: tasks are recorded in groups of about half a minute,
 * and those that are not are run again, with the same bytes. A stage is refused until the one before is done.
 *
 * <p>Exceptions are those of the library; Step Functions sees their class, such as
 * {@code dev.rechunker.run.RefusedException}, as the name of the error.
 */
public final class RechunkHandler implements RequestStreamHandler {
    /** The maximum number of slices of a stage; Step Functions allows 256 KiB for all. */
    private static final int MOST_SLICES = 2000;

    private static final int DEFAULT_SLICES = 100;

    private @Nullable OpenPlan open;

    /** Creates a handler, as Lambda does for each environment. */
    public RechunkHandler() {}

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        Map<String, @Nullable Object> members = JsonParser.object("the event", in.readAllBytes());
        out.write(Json.compact(handle(new Event(members), context)).getBytes(StandardCharsets.UTF_8));
    }

    private synchronized Map<String, Object> handle(Event event, Context context) throws IOException {
        try {
            String action = event.text("action");
            OpenPlan plan = open(event);
            Map<String, Object> answer = switch (action) {
                case "describe" -> describe(plan, event);
                case "run" -> run(plan, event, context);
                case "finish" -> finish(plan);
                default ->
                    throw new RefusedException("\"action\" of the event is \"" + action
                            + "\"; possible are \"describe\", \"run\" and \"finish\"");
            };
            context.getLogger().log(action + " " + event.text("plan") + ": " + answer + "\n");
            return answer;
        } catch (InterruptedException e) {
            close();
            throw new IOException("the invocation was interrupted; invoke it again", e);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** {@return the plan of an event; one that is open is used again if the event says of which run it is} */
    private OpenPlan open(Event event) throws IOException {
        String name = event.text("plan");
        OpenPlan known = open;
        if (known == null
                || !known.name().equals(name)
                || !event.has("run")
                || !known.job().id().equals(event.text("run"))) {
            close();
            known = OpenPlan.open(name);
            open = known;
        }
        if (event.has("run")) {
            known.require(event.text("run"));
        }
        return known;
    }

    private static Map<String, Object> describe(OpenPlan plan, Event event) throws IOException {
        JobFile job = plan.job();
        int slices = event.has("slices") ? (int) event.number("slices", 1, MOST_SLICES) : DEFAULT_SLICES;
        List<Object> stages = new ArrayList<>();
        for (int stage = 0; stage < job.tasks().size() && !job.isFinished(); stage++) {
            List<Map<String, Object>> ranges = job.missing(stage, slices).stream()
                    .map(RechunkHandler::member)
                    .toList();
            if (!ranges.isEmpty()) {
                Map<String, Object> described = new LinkedHashMap<>();
                described.put("stage", stage);
                described.put("tasks", job.tasks().get(stage));
                described.put("slices", ranges);
                stages.add(described);
            }
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("plan", plan.name());
        answer.put("run", job.id());
        answer.put("finished", job.isFinished());
        answer.put("stages", stages);
        return answer;
    }

    private static Map<String, Object> member(TaskRange slice) {
        Map<String, Object> member = new LinkedHashMap<>();
        member.put("from", slice.from());
        member.put("to", slice.to());
        return member;
    }

    private static Map<String, Object> run(OpenPlan plan, Event event, Context context)
            throws IOException, InterruptedException {
        JobFile job = plan.job();
        int stage = (int) event.number("stage", 0, job.tasks().size() - 1);
        TaskRange wanted = tasks(event, job.tasks().get(stage));
        plan.requireMemory((long) context.getMemoryLimitInMB() << 20);
        TimedTasks tasks = new TimedTasks(context::getRemainingTimeInMillis, (from, to) -> job.run(stage, from, to));
        long left = tasks.run(job.missing(stage).stream()
                .flatMap(range -> common(range, wanted).stream())
                .toList());
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("done", left == 0);
        answer.put("left", left);
        answer.put("tasks", tasks.tasks());
        answer.put("bytesRead", tasks.bytesRead());
        answer.put("bytesWritten", tasks.bytesWritten());
        answer.put("memory", tasks.memory());
        return answer;
    }

    private static TaskRange tasks(Event event, long all) throws RefusedException {
        if (event.has("part")) {
            long of = event.number("of", 1, Integer.MAX_VALUE);
            long part = event.number("part", 0, of - 1);
            return new TaskRange(part(all, part, of), part(all, part + 1, of));
        }
        long from = event.number("from", 0, all);
        return new TaskRange(from, event.number("to", from, all));
    }

    private static long part(long tasks, long number, long count) {
        return tasks / count * number + Math.min(number, tasks % count);
    }

    private static List<TaskRange> common(TaskRange a, TaskRange b) {
        long from = Math.max(a.from(), b.from());
        long to = Math.min(a.to(), b.to());
        return from < to ? List.of(new TaskRange(from, to)) : List.of();
    }

    private static Map<String, Object> finish(OpenPlan plan) throws IOException, InterruptedException {
        Report report = plan.job().finish();
        return Map.of("finished", true, "tasks", report.tasksDoneBefore());
    }

    private void close() throws IOException {
        OpenPlan closing = open;
        open = null;
        if (closing != null) {
            closing.close();
        }
    }
}
