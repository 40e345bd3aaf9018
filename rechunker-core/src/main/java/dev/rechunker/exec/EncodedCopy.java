package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.memory.Scratch;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Carries out a range of tasks whose units are copied as they are stored. */
final class EncodedCopy {
    private final Stage stage;
    private final ReadPlan units;
    private final ArrayReader reader;
    private final ArrayWriter writer;
    private final Workspace workspace;
    private final Monitor monitor;
    private final int itemSize;
    private final AtomicInteger lanesTaken = new AtomicInteger();
    private ReadPlan.@Nullable Window window;
    private @Nullable Throwable failure;

    EncodedCopy(
            Stage stage, ReadPlan units, ArrayReader reader, ArrayWriter writer, Workspace workspace, Monitor monitor) {
        this.stage = stage;
        this.units = units;
        this.reader = reader;
        this.writer = writer;
        this.workspace = workspace;
        this.monitor = monitor;
        this.itemSize = writer.spec().dataType().itemSize();
    }

    synchronized @Nullable Throwable failure() {
        return failure;
    }

    void work() {
        int lane = lanesTaken.getAndIncrement();
        if (lane >= stage.memory().lanes()) {
            return;
        }
        ByteBuffer buffer = workspace.buffer(
                lane * stage.memory().laneBytes(), stage.memory().laneBytes());
        Region unit = next();
        while (unit != null) {
            try {
                copy(unit, new Scratch(buffer));
            } catch (IOException | RuntimeException | Error e) {
                fail(new TaskFailedException("copying the encoded " + unit + " failed: " + e.getMessage(), e));
            }
            unit = next();
        }
    }

    private void copy(Region unit, Scratch scratch) throws IOException {
        long bytes = unit.elements() * itemSize;
        Optional<EncodedUnit> encoded = reader.openEncoded(unit);
        if (encoded.isEmpty()) {
            monitor.read(true, bytes);
            monitor.empty(true, bytes);
            return;
        }
        try (EncodedUnit open = encoded.get()) {
            monitor.read(true, bytes);
            writer.writeEncoded(unit, open, scratch);
            monitor.written(true, bytes);
        }
    }

    private synchronized @Nullable Region next() {
        if (failure != null) {
            return null;
        }
        if (Thread.currentThread().isInterrupted()) {
            fail(new InterruptedException("interrupted"));
            return null;
        }
        ReadPlan.Read read = units.next();
        if (window != null && (read == null || read.window() != window)) {
            monitor.taskDone();
        }
        window = read == null ? null : read.window();
        return read == null ? null : read.region();
    }

    /** Notes a failure, or another reason to stop as soon as what is under way has ended. */
    synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        } else {
            failure.addSuppressed(reason);
        }
    }
}
