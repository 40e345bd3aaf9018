package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.memory.Scratch;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out a range of tasks whose units are copied as they are stored, one by one. */
final class EncodedCopy {
    private final Stage stage;
    private final Steps steps;
    private final ReadPlan units;
    private final ArrayReader reader;
    private final ArrayWriter writer;
    private final Workspace workspace;
    private final Monitor monitor;
    private final int itemSize;
    private final Consumer<Region> stepDone;
    /** The units of steps under way that are not copied yet. */
    private final Countdown ofSteps = new Countdown();
    /** The units of windows under way that are not copied yet. */
    private final Countdown ofWindows = new Countdown();

    private final AtomicInteger lanesTaken = new AtomicInteger();
    private @Nullable Throwable failure;

    EncodedCopy(
            Steps steps,
            ReadPlan units,
            ArrayReader reader,
            ArrayWriter writer,
            Workspace workspace,
            Monitor monitor,
            Consumer<Region> stepDone) {
        this.stage = steps.stage();
        this.steps = steps;
        this.units = units;
        this.reader = reader;
        this.writer = writer;
        this.workspace = workspace;
        this.monitor = monitor;
        this.stepDone = stepDone;
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
                Region step = steps.of(read.region(), read.window().region);
                if (!steps.isDone(step)) {
                    copy(read.region(), new Scratch(buffer));
                    if (wasLast(ofSteps, step)) {
                        stepDone.accept(step);
                    }
                }
                if (wasLast(ofWindows, read.window().region)) {
                    monitor.taskDone();
                }
            } catch (IOException | RuntimeException | Error e) {
                fail(new TaskFailedException(
                        "copying the encoded " + read.region() + " failed: " + Failures.reason(e), e));
            }
            read = next();
        }
    }

    private void copy(Region unit, Scratch scratch) throws IOException {
        long bytes = unit.elements() * itemSize;
        Optional<EncodedUnit> encoded = reader.openEncoded(unit);
        if (encoded.isEmpty()) {
            monitor.read(bytes, 1);
            monitor.empty(bytes);
            return;
        }
        try (EncodedUnit open = encoded.get()) {
            monitor.read(bytes, 1);
            writer.writeEncoded(unit, open, scratch);
            monitor.written(bytes);
        }
    }

    private synchronized boolean wasLast(Countdown left, Region of) {
        return left.wasLast(of, () -> stage.units().chunksTouching(of).elements());
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

    /** Notes a failure, or another reason to stop as soon as what is under way has ended. */
    synchronized void fail(Throwable reason) {
        if (failure == null) {
            failure = reason;
        } else if (failure != reason) {
            failure.addSuppressed(reason);
        }
    }
}
