package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.SharedSink;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is forced to the device, as the flight recorder of the JDK records it. */
@Timeout(60)
class DurableTest {
    private static final String FORCE = "jdk.FileForce";
    private static final String TEMPORARY = ".rechunker-tmp-";

    @TempDir
    Path directory;

    private interface Action {
        void run() throws Exception;
    }

    /** {@return the paths that an action has forced, in order} */
    private List<Path> forced(Action action) throws Exception {
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(FORCE).withoutThreshold().withoutStackTrace();
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(file));
        Files.delete(file);
        events.removeIf(event -> !event.getEventType().getName().equals(FORCE));
        events.sort(Comparator.comparing(RecordedEvent::getStartTime));
        return events.stream().map(event -> Path.of(event.getString("path"))).toList();
    }

    private static boolean isTemporary(Path path) {
        return path.getFileName().toString().startsWith(TEMPORARY);
    }

    private interface Writing {
        void to(DirectoryKeys keys) throws IOException;
    }

    /** The bytes are forced under the name of the temporary file, and then the name of the value. */
    private void assertForced(boolean durable, Writing writing) throws Exception {
        Path root = directory.resolve("keys");
        Path below = root.resolve("a");
        try (DirectoryKeys keys = new DirectoryKeys(root)) {
            keys.put("a/first", ByteBuffer.allocate(1));
            if (durable) {
                keys.makeDurable();
            }
            List<Path> forced = forced(() -> writing.to(keys));
            if (durable) {
                int value = forced.indexOf(forced.stream()
                        .filter(DurableTest::isTemporary)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("the value is not forced: " + forced)));
                assertEquals(below, forced.get(value).getParent());
                assertTrue(forced.lastIndexOf(below) > value, () -> "the name is not forced: " + forced);
            } else {
                assertEquals(List.of(), forced);
            }
        }
    }

    private static void commit(ByteSink sink) throws IOException {
        try (sink) {
            sink.write(0, ByteBuffer.allocate(10));
            sink.commit();
        }
    }

    @Test
    void valuesAndTheirNamesAreForced() throws Exception {
        for (boolean durable : new boolean[] {false, true}) {
            assertForced(durable, keys -> keys.put("a/b", ByteBuffer.allocate(10)));
            assertForced(durable, keys -> commit(keys.create("a/b", 10, Data.scratch(0))));
            assertForced(durable, keys -> commit(keys.createShared("a/b")));
            assertForced(durable, keys -> commit(keys.createResumable("a/b", OptionalLong.empty())));
        }
    }

    /** Even if the store is not durable: its user asks for it. */
    @Test
    void whatASharedSinkHasIsForcedOnRequest() throws Exception {
        try (DirectoryKeys keys = new DirectoryKeys(directory.resolve("keys"));
                SharedSink sink = keys.createShared("a/b")) {
            sink.write(0, ByteBuffer.allocate(10));
            List<Path> forced = forced(sink::force);
            assertEquals(2, forced.size());
            assertTrue(isTemporary(forced.get(0)), forced::toString);
            assertEquals(directory.resolve("keys/a"), forced.get(1));
        }
    }

    private List<Path> copy(String name, boolean durable) throws Exception {
        Path place = directory.resolve(name);
        List<Path> forced;
        try (ChunkStore source = SpillingCopy.source();
                ChunkStore target = Zarr.create(place)) {
            Rechunker.Job job = SpillingCopy.job(source, target, 1);
            Report[] report = new Report[1];
            forced = forced(() -> report[0] = (durable ? job.durable() : job).execute());
            assertTrue(report[0].spillPeakBytes() > 0, report[0]::toString);
            Data.of(SpillingCopy.SOURCE).check(target, "");
        }
        return forced;
    }

    @Test
    void aRunForcesNothingUnlessItIsDurable() throws Exception {
        assertEquals(List.of(), copy("fast", false));
    }

    @Test
    void aTaskIsRecordedAfterItsDataAreForced() throws Exception {
        List<Path> forced = copy("durable", true);
        Path place = directory.resolve("durable");
        Path journal = place.resolve(".rechunker-run/journal");
        long values = forced.stream().filter(DurableTest::isTemporary).count();
        assertTrue(values >= FileTrees.files(place).size(), () -> "only " + values + " values");
        assertTrue(forced.contains(place.resolve("c")) && forced.contains(place), "directories are forced");
        int recorded = 0;
        boolean spill = false;
        boolean unit = false;
        for (Path path : forced) {
            if (path.equals(journal)) {
                assertTrue(recorded++ == 0 || spill || unit, () -> "a task is recorded without its data: " + forced);
                spill = false;
                unit = false;
            }
            spill |= path.toString().endsWith(".spill");
            unit |= isTemporary(path);
        }
        assertTrue(recorded > 10, "tasks are not forced");
    }
}
