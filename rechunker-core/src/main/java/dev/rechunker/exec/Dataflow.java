package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.Advised;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.threads.ManagedWait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a range of tasks of one stage: reads are scattered into write units, and a unit is written when it is complete.
 *
 * <p>Each thread has a lane of memory, and takes its next job under one lock. The job is to write a complete unit; or,
 * if there is none, the next read in order, as soon as there is a place for each unit that it begins. The plan makes
 * sure that there are these places when all jobs before the read are done. So there is always a job until the end, and
 * no deadlock.
 */
final class Dataflow extends LaneWork {
    private final ArrayReader reader;
    private final ReadTraits traits;
    private final ArrayWriter writer;
    private final Monitor monitor;
    /** The part of a chunk that a read contains, on average, if chunks are read as a whole or in stretches. */
    private final double chunkPerRead;
    /** The part of a chunk that an element is, on average. */
    private final double chunkPerElement;

    private final boolean keepEmpty;
    private final @Nullable FusedLevels levels;
    private final Consumer<Region> stepDone;
    private final Consumer<Region> taskDone;
    private final int itemSize;
    private final int swapWord;
    private final byte[] sourceFill;
    private final byte[] targetFill;
    private final boolean sameFill;

    private final ReadPlan reads;
    private final Admission admission;
    private final UnitOutput output;
    private final Deque<Parcel> complete = new ArrayDeque<>();
    private ReadPlan.@Nullable Read nextRead;
    private boolean noMoreReads;
    private int underWay;

    Dataflow(
            Steps steps,
            ReadPlan reads,
            ArrayReader reader,
            ArrayWriter writer,
            Workspace workspace,
            Monitor monitor,
            boolean keepEmpty,
            @Nullable FusedLevels levels,
            Consumer<Region> stepDone,
            Consumer<Region> taskDone) {
        super(steps.stage(), workspace);
        this.reads = reads;
        this.reader = reader;
        this.traits = reader.traits();
        this.writer = writer;
        this.monitor = monitor;
        this.keepEmpty = keepEmpty;
        this.levels = levels;
        this.stepDone = stepDone;
        this.taskDone = taskDone;
        ArraySpec source = reader.spec();
        ArraySpec target = writer.spec();
        this.itemSize = target.dataType().itemSize();
        this.chunkPerRead = traits.blockBytes() > 0
                ? (double) source.chunks().count() / stage.source().count()
                : 1;
        this.chunkPerElement = (double) source.chunks().count() / source.shape().elements();
        this.admission = new Admission(steps, reads, itemSize, workspace);
        this.output = UnitOutput.of(stage, writer);
        this.swapWord = source.byteOrder().equals(target.byteOrder())
                ? 1
                : target.dataType().wordSize();
        this.sourceFill = source.fillValue().swapped(swapWord).element(itemSize);
        this.targetFill = target.fillValue().element(itemSize);
        this.sameFill = source.fillValue().swapped(swapWord).equals(target.fillValue());
    }

    /** Discards incomplete units. Called after the threads have ended. */
    void close() {
        output.close();
    }

    @Override
    void work(ByteBuffer lane) {
        Job job = next(null);
        while (job != null) {
            Job current = job;
            try {
                job.run(lane);
            } catch (Throwable e) {
                fail(e, () -> current.failed(e));
            }
            job = next(job);
        }
    }

    /** Ends the job before; {@return the next job, or null if there is no more} */
    private synchronized @Nullable Job next(@Nullable Job ended) {
        if (ended != null) {
            underWay--;
            ended.end();
            notifyAll();
        }
        while (!isStopped()) {
            Parcel parcel = complete.poll();
            if (parcel != null) {
                underWay++;
                return new Write(parcel);
            }
            if (nextRead == null && !noMoreReads) {
                nextRead = reads.next();
                noMoreReads = nextRead == null;
            }
            if (nextRead != null) {
                Receivers receivers = admission.admit(nextRead);
                if (receivers != null) {
                    ReadPlan.Read read = nextRead;
                    nextRead = null;
                    if (receivers.areWaiting()) {
                        underWay++;
                        return new Scatter(read, receivers);
                    }
                    continue;
                }
            } else if (underWay == 0) {
                return null;
            }
            if (underWay == 0) {
                fail(new IllegalStateException("no job is running, but the ring of stage " + stage.name()
                        + " has no place for " + nextRead + "; the plan is wrong"));
                return null;
            }
            try {
                if (nextRead == null) {
                    ManagedWait.on(this);
                } else {
                    Events.Span forPlace = Events.begin(() -> new Events.PlaceWait(stage.name()));
                    ManagedWait.on(this);
                    forPlace.end();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail(e);
            }
        }
        return null;
    }

    private synchronized boolean countDownStep(Unit unit) {
        return admission.countDownStep(unit);
    }

    private synchronized boolean countDownWindow(ReadPlan.Window of) {
        return admission.countDownWindow(of);
    }

    /** A job that a thread does outside the lock. */
    private interface Job {
        void run(ByteBuffer lane) throws IOException;

        /** Takes over the result. Called under the lock. */
        void end();

        Throwable failed(Throwable cause);
    }

    /** The job to read and scatter. */
    private final class Scatter implements Job {
        private final ReadPlan.Read read;
        private final Receivers receivers;
        private @Nullable List<Unit> filled;

        Scatter(ReadPlan.Read read, Receivers receivers) {
            this.read = read;
            this.receivers = receivers;
        }

        @Override
        public void run(ByteBuffer lane) throws IOException {
            Shape extents = traits.paddedEdges()
                    ? stage.source().nominalShape(read.region())
                    : read.region().shape();
            int scratchStart = (int) stage.memory().readBytes();
            Scratch scratch = new Scratch(lane.slice(scratchStart, lane.capacity() - scratchStart));
            boolean present = traits.granularity() == ReadTraits.Granularity.STREAM
                    ? streamWhole(extents, scratch)
                    : readWhole(lane, extents, scratch);
            if (!stage.kind().readsSpill()) {
                long elements = read.region().elements();
                monitor.countRead(
                        elements * itemSize,
                        traits.granularity() == ReadTraits.Granularity.BYTES
                                ? elements * chunkPerElement
                                : chunkPerRead);
            }
            if (!present) {
                scatter(extents).fill(sourceFill);
            }
            if (receivers.countElements(read.part().elements(), present)) {
                filled = receivers.countInUnits();
            }
        }

        private boolean streamWhole(Shape extents, Scratch scratch) throws IOException {
            RunScatter scatter = scatter(extents);
            boolean present = reader.stream(read.region(), scatter, scratch);
            if (present) {
                scatter.requireWhole(read.region());
            }
            return present;
        }

        private RunScatter scatter(Shape extents) {
            return new RunScatter(read, extents, traits.axisOrder(), stage.units(), receivers, itemSize, swapWord);
        }

        /** Reads straight into the unit if there is only one and the data are contiguous in it; else into the lane. */
        private boolean readWhole(ByteBuffer lane, Shape extents, Scratch scratch) throws IOException {
            int bytes = (int) (extents.elements() * itemSize);
            Unit only = receivers.only();
            if (only != null
                    && traits.axisOrder().isEmpty()
                    && read.part().equals(read.region())
                    && extents.equals(read.region().shape())
                    && read.part().isContiguousIn(only.region)) {
                ByteBuffer place = only.buffer().slice((int) only.offset(read.part()), bytes);
                boolean present = reader.read(read.region(), place, scratch);
                if (present) {
                    StridedCopy.swap(place.clear(), swapWord);
                }
                return present;
            }
            boolean present = reader.read(read.region(), lane.slice(0, bytes), scratch);
            if (present) {
                scatter(extents).accept(lane.slice(0, bytes));
            }
            return present;
        }

        @Override
        public void end() {
            if (filled != null) {
                admission.remove(receivers);
                filled.forEach(unit -> complete.addAll(output.add(unit)));
            }
        }

        @Override
        public Throwable failed(Throwable cause) {
            return new TaskFailedException(
                    "stage " + stage.name() + ", window " + read.window().region + ": reading " + read.region()
                            + " failed: " + Advised.problem(cause),
                    cause);
        }
    }

    /** The job to encode and write. */
    private final class Write implements Job {
        private final Parcel parcel;
        private final List<Unit> stored = new ArrayList<>();

        Write(Parcel parcel) {
            this.parcel = parcel;
        }

        @Override
        public void run(ByteBuffer lane) throws IOException {
            boolean empty = !keepEmpty && parcel.units().stream().allMatch(this::isEmpty);
            FusedLevels fused = stage.kind().writesSpill() ? null : levels;
            if (fused != null) {
                for (Unit unit : parcel.units()) {
                    fused.accept(unit.region, unit.buffer(), unit.hasData(), lane);
                }
            }
            if (!empty) {
                parcel.write(lane);
            }
            for (Unit unit : parcel.units()) {
                if (!unit.countDownParcels()) {
                    continue;
                }
                stored.add(unit);
                long bytes = unit.region.elements() * itemSize;
                if (empty) {
                    output.omit(unit, lane);
                    monitor.countOmitted(bytes);
                } else if (!stage.kind().writesSpill()) {
                    monitor.countWritten(bytes);
                }
                if (countDownStep(unit)) {
                    stepDone.accept(unit.step);
                    if (countDownWindow(unit.window)) {
                        taskDone.accept(unit.window.region);
                    }
                }
            }
        }

        /** {@return whether a unit contains nothing but what units read as that were never written} */
        private boolean isEmpty(Unit unit) {
            if (!unit.hasData() && sameFill) {
                return true;
            }
            return writer.spec().fillValue().isDefined()
                    && StridedCopy.isFilled(unit.buffer(), 0, unit.bytes, targetFill);
        }

        @Override
        public void end() {
            stored.forEach(admission::remove);
            output.remove(parcel);
        }

        @Override
        public Throwable failed(Throwable cause) {
            return new TaskFailedException(
                    "stage " + stage.name() + ": writing " + parcel.units().get(0).region + " failed: "
                            + Advised.problem(cause),
                    cause);
        }
    }
}
