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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
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
    private final Consumer<Region> windowDone;
    private final AtomicInteger lanesTaken = new AtomicInteger();
    /** The units of windows under way that are not copied yet. */
    private final Map<Region, Long> unitsLeft = new HashMap<>();

    private @Nullable Throwable failure;

    EncodedCopy(
            Stage stage,
            ReadPlan units,
            ArrayReader reader,
            ArrayWriter writer,
            Workspace workspace,
            Monitor monitor,
            Consumer<Region> windowDone) {
        this.stage = stage;
        this.units = units;
        this.reader = reader;
        this.writer = writer;
        this.workspace = workspace;
        this.monitor = monitor;
        this.windowDone = windowDone;
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
        ReadPlan.Read read = next();
        while (read != null) {
            try {
                copy(read.region(), new Scratch(buffer));
                if (wasLast(read.window().region)) {
                    monitor.taskDone();
                    windowDone.accept(read.window().region);
                }
            } catch (IOException | RuntimeException | Error e) {
                fail(new TaskFailedException("copying the encoded " + read.region() + " failed: " + e.getMessage(), e));
            }
            read = next();
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

    private synchronized ReadPlan.@Nullable Read next() {
        if (failure != null) {
            return null;
        }
        if (Thread.currentThread().isInterrupted()) {
            fail(new InterruptedException("interrupted"));
            return null;
        }
        return units.next();
    }

    /** Counts one unit of a window as copied; {@return whether it was the last} */
    private synchronized boolean wasLast(Region window) {
        long all = unitsLeft.getOrDefault(
                window, stage.units().chunksTouching(window).elements());
        if (all == 1) {
            unitsLeft.remove(window);
        } else {
            unitsLeft.put(window, all - 1);
        }
        return all == 1;
    }

    /** Notes a failure, or another reason to stop as soon as what is under way has ended. */
    synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        } else if (failure != reason) {
            failure.addSuppressed(reason);
        }
    }
}
