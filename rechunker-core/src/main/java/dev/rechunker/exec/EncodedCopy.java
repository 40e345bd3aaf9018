package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.Advised;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedChunks;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs a range of tasks that copy units, or the chunks of units, one by one as they are stored. */
final class EncodedCopy extends LaneWork {
    private final Steps steps;
    private final ReadPlan units;
    private final ArrayReader reader;
    private final ArrayWriter writer;
    private final Monitor monitor;
    private final int itemSize;
    private final Consumer<Region> stepDone;
    private final Consumer<Region> taskDone;
    /** By step, the units that are not copied yet. */
    private final Countdown ofSteps = new Countdown();
    /** By window, the units that are not copied yet. */
    private final Countdown ofWindows = new Countdown();

    EncodedCopy(
            Steps steps,
            ReadPlan units,
            ArrayReader reader,
            ArrayWriter writer,
            Workspace workspace,
            Monitor monitor,
            Consumer<Region> stepDone,
            Consumer<Region> taskDone) {
        super(steps.stage(), workspace);
        this.steps = steps;
        this.units = units;
        this.reader = reader;
        this.writer = writer;
        this.monitor = monitor;
        this.stepDone = stepDone;
        this.taskDone = taskDone;
        this.itemSize = writer.spec().dataType().itemSize();
    }

    @Override
    void work(ByteBuffer lane) {
        ReadPlan.Read read = next();
        while (read != null) {
            Region unit = read.region();
            try {
                Region step = steps.of(unit, read.window().region);
                if (!steps.isDone(step)) {
                    if (stage.kind() == Stage.Kind.PACKED) {
                        pack(unit, new Scratch(lane));
                    } else {
                        copy(unit, new Scratch(lane));
                    }
                    if (countDown(ofSteps, step)) {
                        stepDone.accept(step);
                    }
                }
                if (countDown(ofWindows, read.window().region)) {
                    taskDone.accept(read.window().region);
                }
            } catch (Throwable e) {
                fail(
                        e,
                        () -> new TaskFailedException(
                                "copying the encoded " + unit + " failed: " + Advised.problem(e), e));
            }
            read = next();
        }
    }

    private void copy(Region unit, Scratch scratch) throws IOException {
        long bytes = unit.elements() * itemSize;
        Optional<EncodedUnit> encoded = reader.encoded().orElseThrow().openEncoded(unit);
        if (encoded.isEmpty()) {
            monitor.countRead(bytes, 1);
            monitor.countOmitted(bytes);
            return;
        }
        try (EncodedUnit open = encoded.get()) {
            monitor.countRead(bytes, 1);
            writer.encoded().orElseThrow().writeEncoded(unit, open, scratch);
            monitor.countWritten(bytes);
        }
    }

    private void pack(Region unit, Scratch scratch) throws IOException {
        Packed packed = new Packed(reader.encodedChunks().orElseThrow());
        writer.encodedChunks().orElseThrow().writeChunks(unit, packed, scratch);
        if (packed.some) {
            monitor.countWritten(unit.elements() * itemSize);
        } else {
            monitor.countOmitted(unit.elements() * itemSize);
        }
    }

    /** Opens the chunks of a unit, and counts each once, even if the unit is written again after an error. */
    private final class Packed implements ArrayWriter.ChunkOpener {
        private final EncodedChunks source;
        private long counted = -1;
        private boolean some;

        Packed(EncodedChunks source) {
            this.source = source;
        }

        @Override
        public Optional<EncodedUnit> open(Region chunk, Scratch scratch) throws IOException {
            Optional<EncodedUnit> opened = source.openChunk(chunk, scratch);
            some |= opened.isPresent();
            long ordinal =
                    stage.source().ordinal(stage.source().chunksTouching(chunk).origin());
            if (ordinal > counted) {
                counted = ordinal;
                monitor.countRead(chunk.elements() * itemSize, 1);
            }
            return opened;
        }
    }

    private synchronized boolean countDown(Countdown left, Region region) {
        return left.countDown(region, () -> stage.units().chunksTouching(region).elements());
    }

    private synchronized ReadPlan.@Nullable Read next() {
        return isStopped() ? null : units.next();
    }
}
