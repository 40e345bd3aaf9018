package dev.rechunker.exec;

import dev.rechunker.exec.CopyRun.Ends;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Strategy;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The execution of a plan with temporary copies: block after block of the first copy, and in each the blocks of the
 * next copy. Stage i reads copy i - 1 and writes copy i; the first stage reads the source, and the last one writes the
 * target. The tasks of a stage are numbered in the order of the blocks that it writes, or reads if it writes the
 * target.
 */
final class SpillRun {
    private final CopyRun run;
    private final Strategy strategy;
    private final CopyRun.Means means;
    /** Whether a part of a block stays in memory. That part is lost with a killed run, though its slabs were read. */
    private final boolean keeps;

    private final int last;
    /** By stage, the number of the first task of the blocks to come. */
    private final long[] first;

    SpillRun(CopyRun run, Strategy strategy, CopyRun.Means means) {
        this.run = run;
        this.strategy = strategy;
        this.means = means;
        this.keeps = strategy.residentBytes() > 0;
        this.last = strategy.copies().size();
        this.first = new long[last + 1];
    }

    /** Runs all tasks that are not done yet. */
    void execute() throws IOException, InterruptedException {
        Resident resident =
                keeps ? new Resident(means.workspaces().first(), strategy.residentBytes()) : Resident.none();
        Odometer blocks = outermostBlocks();
        while (blocks.next()) {
            copyBlock(0, region(0, blocks), run.reader(), null, 0, resident);
        }
    }

    /** Runs those of some tasks of a stage that are not done yet. Each task is recorded as a whole. */
    void execute(int stage, TaskRanges.Span tasks) throws IOException, InterruptedException {
        Odometer blocks = outermostBlocks();
        while (first[stage] < tasks.to() && blocks.next()) {
            shareBlock(0, region(0, blocks), null, stage, tasks);
        }
    }

    /**
     * Writes and reads a block of a copy.
     *
     * @param from the reader of the data of the block
     * @param read the spill of the reader; null if it reads the source
     * @param held the bytes of the blocks of earlier copies
     * @param resident the part that stays in memory
     */
    private void copyBlock(
            int copy, Region block, ArrayReader from, @Nullable SpillBlock read, long held, Resident resident)
            throws IOException, InterruptedException {
        if (steps(last, block, first[last]).tasksLeft().isEmpty()) {
            for (int stage = copy; stage <= last; stage++) {
                run.recordSkipped(next(stage, block), List.of(), means.monitor());
            }
            return;
        }
        Steps writing = next(copy, block);
        Reading reading = new Reading(copy, block);
        boolean unread = reading.isUntouched();
        boolean lost = writing.isUntouched() && !unread && isMissing(copy);
        SpillFile.Opening opening =
                writing.isUntouched() && (unread || lost) ? SpillFile.Opening.CREATE : SpillFile.Opening.RESUME;
        try (SpillBlock file = open(copy, block, resident, opening, reading::isDone)) {
            means.monitor().recordSpillSize(held + file.bytes());
            if (unread || lost || file.lacksResident()) {
                run.run(writing, new Ends(from, file.writer(means.monitor()::countSpillWritten), read, file), means);
            } else {
                // The block was complete in an earlier run, and a part of it may have been deleted.
                run.recordSkipped(writing, List.of(), means.monitor());
            }
            ArrayReader pieces = file.reader(means.monitor()::countSpillRead);
            if (copy + 1 == last) {
                run.run(next(last, block), new Ends(pieces, run.writer(), file, null), means);
                return;
            }
            Odometer inner = blocks(copy + 1, block);
            while (inner.next()) {
                copyBlock(copy + 1, region(copy + 1, inner), pieces, file, held + file.bytes(), Resident.none());
            }
        }
    }

    /**
     * {@return whether the spill of an earlier run of a block of which nothing is recorded as written, but of which
     * windows were read, is not there: that run was on another machine}
     */
    private boolean isMissing(int copy) {
        return !(keeps && copy == 0 && run.spills() instanceof Spills files && files.exists());
    }

    /** The steps of the stage that reads a block of a copy, by the groups in which its tasks are numbered. */
    private final class Reading {
        private final ChunkGrid groups;
        private final Region box;
        private final List<Steps> steps = new ArrayList<>();

        Reading(int copy, Region block) {
            int written = Math.min(copy + 1, last - 1);
            this.groups = strategy.copies().get(written).blocks();
            this.box = groups.chunksTouching(block);
            long number = first[copy + 1];
            Odometer inner = blocks(written, block);
            while (inner.next()) {
                Steps group = steps(copy + 1, region(written, inner), number);
                steps.add(group);
                number = group.endTask();
            }
        }

        boolean isUntouched() {
            return steps.stream().allMatch(Steps::isUntouched);
        }

        boolean isDone(Region window) {
            long group = box.ordinal(groups.chunksTouching(window).origin());
            return steps.get((int) group).isDone(window);
        }
    }

    /** Runs those of some tasks of a stage that have their data in a block of a copy. */
    private void shareBlock(int copy, Region block, @Nullable Region outer, int stage, TaskRanges.Span tasks)
            throws IOException, InterruptedException {
        if (copy < Math.min(stage, last - 1)) {
            Odometer inner = blocks(copy + 1, block);
            while (first[stage] < tasks.to() && inner.next()) {
                shareBlock(copy + 1, region(copy + 1, inner), block, stage, tasks);
            }
            return;
        }
        Steps steps = run.steps(
                stage, run.windows(stage, block), first[stage], run.array().log(), true);
        first[stage] = steps.endTask();
        List<TaskRanges.Span> left = steps.tasksLeft(tasks);
        if (left.isEmpty()) {
            return;
        }
        Region source = stage == last ? block : outer;
        // Files are deleted at the end of the run, because other processes may read them.
        try (SpillBlock read = source == null ? null : shared(stage - 1, source, SpillFile.Opening.READ_SHARED);
                SpillBlock written = stage == last ? null : shared(stage, block, SpillFile.Opening.WRITE_SHARED)) {
            ArrayReader from = read == null ? run.reader() : read.reader(means.monitor()::countSpillRead);
            ArrayWriter to = written == null ? run.writer() : written.writer(means.monitor()::countSpillWritten);
            run.run(steps, left, new Ends(from, to, null, written), means);
        }
    }

    private SpillBlock shared(int copy, Region block, SpillFile.Opening opening) throws IOException {
        return open(copy, block, Resident.none(), opening, window -> false);
    }

    private SpillBlock open(
            int copy, Region block, Resident resident, SpillFile.Opening opening, Predicate<Region> isDone)
            throws IOException {
        SpillFile.Copy of = new SpillFile.Copy(
                run.array().number(), run.plan(), copy, run.reader().spec());
        if (run.spills() instanceof SpillValues values) {
            return new SlabValues(
                    values,
                    run.attempts(),
                    values.block(of.array(), copy, of.block(block)),
                    block,
                    run.plan().stages().get(copy).windows(),
                    strategy.copies().get(copy).windows(),
                    of.pieces(),
                    isDone);
        }
        return SpillFile.open((Spills) run.spills(), of, block, resident, opening, isDone);
    }

    private Odometer outermostBlocks() {
        return new Odometer(Region.whole(strategy.copies().get(0).blocks().counts()));
    }

    /** {@return the indices of the blocks of a copy that are in a region} */
    private Odometer blocks(int copy, Region region) {
        return new Odometer(strategy.copies().get(copy).blocks().chunksTouching(region));
    }

    private Region region(int copy, Odometer block) {
        return strategy.copies().get(copy).blocks().region(block.index());
    }

    /** Moves on to the next block. {@return the steps of a stage in it} */
    private Steps next(int stage, Region block) {
        Steps steps = steps(stage, block, first[stage]);
        first[stage] = steps.endTask();
        return steps;
    }

    private Steps steps(int stage, Region block, long number) {
        TaskLog log = stage == 0 && keeps ? TaskLog.none() : run.array().log();
        return run.steps(stage, run.windows(stage, block), number, log, false);
    }
}
