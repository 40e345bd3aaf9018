package dev.rechunker.io.lambda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.Context;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.PlanPlace;
import dev.rechunker.io.Stores;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The copy of the announcement of this project, duacs, on a smaller scale, by invocations that have little time, are
 * killed, lost and duplicated. Everything is in a bucket.
 */
@Timeout(200)
class RechunkHandlerTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);
    private static final Path PAGE = Path.of("..", "..", "docs", "engines.md");
    private static final int MEMORY = 512;

    @TempDir
    static Path shared;

    private static Bucket bucket;
    private static int targets;

    @BeforeAll
    static void start() throws Exception {
        bucket = new Bucket();
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(445, 36, 72), Shape.of(5, 36, 72)), DataType.FLOAT32)
                .dimensionNames(List.of("time", "latitude", "longitude"))
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        try (ChunkStore store = Zarr.create(Stores.keys(bucket.in("duacs.zarr")))) {
            Data.of(spec).write(store, "");
        }
        try (ChunkStore source = Stores.open(bucket.in("duacs.zarr"));
                ChunkStore local = Zarr.create(shared.resolve("local.zarr"))) {
            job(source, local).execute();
        }
    }

    @AfterAll
    static void stop() {
        bucket.close();
    }

    private static Rechunker.Job job(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source)
                .to(target)
                .chunks("time=-1, latitude=8, longitude=8")
                .maxMem("1500kB")
                .threads(1)
                .workers(8)
                .costModel(SLOW_TO_READ);
    }

    /** A saved plan. */
    private record Saved(String plan, String target) {
        /** Checks that the target has the bytes of a local run, and nothing else. */
        void check() throws IOException {
            Map<String, byte[]> local = FileTrees.files(shared.resolve("local.zarr"));
            Map<String, byte[]> here = bucket.values(target);
            assertEquals(local.keySet(), here.keySet());
            for (Map.Entry<String, byte[]> file : local.entrySet()) {
                assertArrayEquals(file.getValue(), here.get(file.getKey()), file.getKey());
            }
            assertEquals(0, bucket.values(target + ".json.run").size());
        }
    }

    private static Saved save() throws IOException {
        String target = "target" + targets++ + ".zarr";
        String place = bucket.in(target + ".json");
        try (ChunkStore source = Stores.open(bucket.in("duacs.zarr"));
                ChunkStore to = Zarr.create(Stores.keys(bucket.in(target)));
                PlanPlace at = PlanPlace.of(place)) {
            Plan plan = job(source, to).plan();
            assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
            at.save(plan);
        }
        return new Saved(place, target);
    }

    private static Map<String, @Nullable Object> event(String action, String plan, Object... members) {
        Map<String, @Nullable Object> event = new LinkedHashMap<>();
        event.put("action", action);
        event.put("plan", plan);
        for (int i = 0; i < members.length; i += 2) {
            event.put(String.valueOf(members[i]), members[i + 1]);
        }
        return event;
    }

    /** {@return a context with 15 minutes, and so much time between looks at the clock} */
    private static Context context(int step) {
        return new Functions.FixedContext(MEMORY, 900_000, step);
    }

    private static String stateMachine() throws IOException {
        return Pattern.compile("(?s)```json\n(\\{\n.*?)```")
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The state machine of the page. Tasks take more than a minute, so that invocations end with tasks left; some are
     * killed before or after their tasks, some run twice.
     */
    @Test
    void theDocumentedStateMachineMakesTheSameBytes() throws Exception {
        Saved saved = save();
        Functions functions = new Functions(() -> context(200_000));
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger unfinished = new AtomicInteger();
        List<CompletableFuture<Void>> duplicates = Collections.synchronizedList(new ArrayList<>());
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        StateMachine machine = new StateMachine(stateMachine(), payload -> {
            int call = calls.incrementAndGet();
            if (call % 7 == 3) {
                throw new StateMachine.Failure("Lambda.TooManyRequestsException", "try again");
            }
            try {
                if (call % 7 == 5 && "run".equals(payload.get("action"))) {
                    duplicates.add(CompletableFuture.runAsync(() -> {
                        try {
                            functions.invoke(payload);
                        } catch (IOException e) {
                            assertInstanceOf(RefusedException.class, e, "only because the run is finished");
                        }
                    }));
                }
                Map<String, @Nullable Object> answer = functions.invoke(payload);
                if (call % 7 == 6) {
                    throw new StateMachine.Failure("Sandbox.Timedout", "killed after it was done");
                }
                if (Boolean.FALSE.equals(answer.get("done"))) {
                    unfinished.incrementAndGet();
                }
                order.add(payload.get("action") + " " + payload.get("stage"));
                return answer;
            } catch (IOException e) {
                throw new StateMachine.Failure(e.getClass().getName(), String.valueOf(e.getMessage()));
            }
        });
        Map<String, @Nullable Object> input = new LinkedHashMap<>();
        input.put("plan", saved.plan);
        input.put("slices", 5L);
        Object output = machine.run(input);
        assertTrue(String.valueOf(output).contains("finished=true"), String.valueOf(output));
        assertTrue(unfinished.get() > 2, unfinished + " invocations ended with tasks left");
        assertTrue(order.lastIndexOf("run 0") < order.indexOf("run 1"), order.toString());
        for (CompletableFuture<Void> duplicate : duplicates) {
            duplicate.get();
        }
        assertTrue(duplicates.size() > 0);
        saved.check();
        machine.run(input); // of a finished run
    }

    /** A loop, with parts of stages in place of slices. */
    @Test
    void aLoopMakesTheSameBytes() throws Exception {
        Saved saved = save();
        RechunkHandler handler = new RechunkHandler();
        Functions functions = new Functions(() -> context(1000));
        RefusedException early = assertThrows(
                RefusedException.class,
                () -> functions.invoke(event("run", saved.plan, "stage", 1, "part", 0, "of", 2)));
        assertTrue(String.valueOf(early.getMessage()).contains("stage 1 needs the data of stage 0"), early.toString());
        assertThrows(RefusedException.class, () -> functions.invoke(event("finish", saved.plan)));
        for (int stage = 0; stage < 2; stage++) {
            for (int part = 0; part < 3; part++) {
                String text = "{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"stage\": " + stage
                        + ", \"part\": " + part + ", \"of\": 3}";
                int calls = 0;
                while (!Boolean.TRUE.equals(
                        Functions.invoke(handler, text, context(80_000)).get("done"))) {
                    calls++;
                    assertTrue(calls < 100, "no progress");
                }
            }
        }
        assertEquals(List.of(), functions.invoke(event("describe", saved.plan)).get("stages"));
        functions.invoke(event("finish", saved.plan));
        saved.check();
        assertEquals(true, functions.invoke(event("describe", saved.plan)).get("finished"));
    }

    /** Runs an invocation that is killed some time later, in the middle of its tasks. */
    public static void main(String[] args) throws Exception {
        Thread killer = new Thread(() -> {
            try {
                TimeUnit.MILLISECONDS.sleep(Long.parseLong(args[1]));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(137);
        });
        killer.setDaemon(true);
        killer.start();
        Functions.invoke(new RechunkHandler(), args[0], context(1));
    }

    @Test
    void killedInvocationsAreRepeated() throws Exception {
        Saved saved = save();
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Functions functions = new Functions(() -> context(1000));
        int killed = 0;
        for (int stage = 0; stage < 2; stage++) {
            String event = "{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"stage\": " + stage
                    + ", \"part\": 0, \"of\": 1}";
            for (int i = 0; i < 2; i++) {
                ChildJvm.Outcome outcome = ChildJvm.run(
                        ChildJvm.of(
                                List.of("-Xmx100m", "-XX:TieredStopAtLevel=1"),
                                RechunkHandlerTest.class,
                                event,
                                Integer.toString(200 + random.nextInt(1000))),
                        shared.resolve("said" + stage + i),
                        Duration.ofMinutes(1));
                killed += outcome.exit() == 137 ? 1 : 0;
            }
            assertEquals(
                    true,
                    functions
                            .invoke(event("run", saved.plan, "stage", stage, "part", 0, "of", 1))
                            .get("done"));
        }
        assertTrue(killed > 0, "no invocation was killed; seed " + seed);
        functions.invoke(event("finish", saved.plan));
        saved.check();
    }

    private static String refusal(Map<String, @Nullable Object> event, Context context) {
        Functions functions = new Functions(() -> context);
        return String.valueOf(
                assertThrows(IOException.class, () -> functions.invoke(event)).getMessage());
    }

    @Test
    void whatCannotBeDoneIsRefused() throws Exception {
        Saved saved = save();
        String small = refusal(
                event("run", saved.plan, "stage", 0, "from", 0, "to", 1), new Functions.FixedContext(128, 900_000, 1));
        assertTrue(small.contains("the function has 128 MB in all: give it at least 258 MB"), small);
        String[][] events = {
            {"{\"plan\": \"p\"}", "the event has no \"action\""},
            {"{\"action\": \"go\", \"plan\": \"" + saved.plan + "\"}", "possible are \"describe\", \"run\" and"},
            {"{\"action\": \"run\"}", "the event has no \"plan\""},
            {"{\"action\": \"run\", \"plan\": 5}", "\"plan\" of the event is 5, which is not a text"},
            {"{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"Stage\": 0}", "unknown members [Stage]"},
            {"{\"action\": \"run\", \"plan\": \"" + saved.plan + "\"}", "the event has no \"stage\""},
            {
                "{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"stage\": 2, \"from\": 0, \"to\": 1}",
                "\"stage\" of the event is 2; possible are 0 to 1"
            },
            {
                "{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"stage\": 0, \"from\": 0, \"to\": 1e9}",
                "\"to\" of the event is 1000000000; possible are 0 to"
            },
            {
                "{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"stage\": 0, \"part\": 3, \"of\": 3}",
                "\"part\" of the event is 3; possible are 0 to 2"
            },
            {
                "{\"action\": \"run\", \"plan\": \"" + saved.plan + "\", \"run\": \"other\", \"stage\": 0}",
                "is that of another run"
            },
            {"{\"action\": \"describe\", \"plan\": \"" + bucket.in("none.json") + "\"}", "there is no plan at"},
            {"[]", "the event"},
            {"", "the event"},
        };
        for (String[] event : events) {
            String message = String.valueOf(assertThrows(
                            IOException.class,
                            () -> Functions.invoke(new RechunkHandler(), event[0], context(1)),
                            event[0])
                    .getMessage());
            assertTrue(message.contains(event[1]), event[0] + ": " + message);
        }
    }

    /** The events of the page can be read; their plan is not there. */
    @Test
    void theDocumentedEventsAreUnderstood() throws Exception {
        List<String> events = Pattern.compile("```json\n(\\{.*\\})\n```")
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertEquals(4, events.size());
        for (String text : events) {
            Map<String, @Nullable Object> event = JsonParser.object("event", text.getBytes(StandardCharsets.UTF_8));
            assertEquals("s3://bucket/plan.json", event.get("plan"));
            event.put("plan", bucket.in("none.json"));
            String message = refusal(event, context(1));
            assertTrue(message.contains("there is no plan at"), message);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> new StateMachine(
                        stateMachine().replace("\"Next\": \"Finish\"", "\"Next\": \"Finnish\""), payload -> payload));
    }
}
