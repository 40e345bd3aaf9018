package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Report;
import dev.rechunker.run.Report.Sample;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.FaultyStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Diagnostics of a run: samples, events of a flight recording, log messages. */
class DiagnosticsTest {
    @TempDir
    Path directory = Path.of("");

    private Plan spilling() throws Exception {
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(100, 50, 40), Shape.of(5, 50, 40)), DataType.FLOAT32)
                .build();
        MemoryStore source = MemoryStore.builder()
                .name("source")
                .granularity(Granularity.CHUNK)
                .build();
        Data.of(spec).write(source, "");
        Plan plan = Rechunker.from(source)
                .to(new MemoryStore())
                .chunks(100, 10, 10)
                .maxMem("250kB")
                .spill(directory)
                .threads(2)
                .plan();
        assertEquals("Spill", plan.arrays().get(0).copy().strategy());
        return plan;
    }

    @Test
    void reportHasSamplesFromStartToEnd() throws Exception {
        Report report = spilling().execute();
        List<Sample> samples = report.samples();
        assertTrue(samples.size() >= 2 && samples.size() <= Samples.MOST);
        assertEquals(new Sample(Duration.ZERO, "", 0, 0, 0), samples.get(0));
        Sample last = samples.get(samples.size() - 1);
        assertEquals(report.bytesRead(), last.bytesRead());
        assertEquals(report.bytesWritten(), last.bytesWritten());
        assertEquals(report.elapsed(), last.elapsed());
        assertEquals(0, last.memoryHeld());
        assertEquals(250_000, report.maxMem());
        for (Sample sample : samples) {
            assertTrue(sample.memoryHeld() <= report.measuredMemory());
        }
        assertTrue(report.toHtml().contains("maxMem 250 kB"), "the bound is in the picture");
    }

    @Test
    void flightRecordingHasStagesAndTasks() throws Exception {
        Plan plan = spilling();
        Path file = directory.resolve("run.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            plan.execute();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> stages = events(file, "dev.rechunker.Stage");
        List<RecordedEvent> tasks = events(file, "dev.rechunker.Task");
        assertEquals(plan.tasks(), tasks.size());
        assertEquals(
                plan.tasks(), stages.stream().mapToLong(e -> e.getLong("tasks")).sum());
        assertEquals("split", stages.get(0).getString("stage"));
        assertEquals("merge", stages.get(stages.size() - 1).getString("stage"));
        assertTrue(stages.get(0).getLong("memory") <= plan.maxMem().bytes());
        assertTrue(stages.get(0).getDuration().compareTo(Duration.ZERO) > 0);
    }

    private static List<RecordedEvent> events(Path file, String name) throws Exception {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    @Test
    void flightRecordingHasWaitsForBuffers() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(40, 100), Shape.of(1, 100)), DataType.INT64)
                .build();
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        Data.of(spec).write(source, "");
        FaultyStore target =
                new FaultyStore(new MemoryStore()).slow(FaultyStore.Operation.WRITE, Duration.ofMillis(50));
        // There is memory for one write unit only, so nothing can be read while it is written.
        Plan plan = Rechunker.from(source)
                .to(target)
                .chunks(10, 100)
                .maxMem("10kB")
                .threads(2)
                .plan();
        Path file = directory.resolve("places.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.rechunker.PlaceWait").withoutThreshold();
            recording.start();
            plan.execute();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> waits = events(file, "dev.rechunker.PlaceWait");
        Duration waited = waits.stream().map(RecordedEvent::getDuration).reduce(Duration.ZERO, Duration::plus);
        assertTrue(waited.toMillis() >= 5, () -> plan.explain() + waits);
        assertEquals("copy", waits.get(0).getString("stage"));
    }

    @Test
    void flightRecordingHasWaitsForMemory() throws Exception {
        Plan plan = spilling();
        long bytes = plan.projectedMemory().bytes();
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(bytes));
        Path file = directory.resolve("wait.jfr");
        try (Recording recording = new Recording();
                WorkspacePool pool = new WorkspacePool(
                        budget, EnginePlans.of(plan.arrays().get(0)).stages(), 0, new WorkspaceRecycler())) {
            recording.start();
            Workspace taken = pool.acquire();
            CountDownLatch done = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                try {
                    pool.release(pool.acquire());
                    done.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            other.start();
            while (other.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            Thread.sleep(30);
            pool.release(taken);
            done.await();
            other.join();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> waits = events(file, "dev.rechunker.MemoryWait");
        assertEquals(1, waits.size());
        assertTrue(waits.get(0).getDuration().toMillis() >= 20, waits::toString);
        assertEquals(bytes, waits.get(0).getLong("bytes"));
    }

    @Test
    void stagesAreLoggedAtDebugLevel() throws Exception {
        List<String> messages = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(CopyRun.LOGGER);
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                messages.add(new java.util.logging.SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        Level before = logger.getLevel();
        try {
            spilling().execute();
            assertTrue(messages.isEmpty(), messages::toString);
            logger.setLevel(Level.FINE);
            spilling().execute();
        } finally {
            logger.setLevel(before);
            logger.removeHandler(handler);
        }
        List<String> stages = new ArrayList<>(messages);
        assertFalse(stages.isEmpty());
        assertTrue(stages.get(0).startsWith("source: split, "), stages::toString);
        assertEquals("source: merge has ended", stages.get(stages.size() - 1));
    }
}
