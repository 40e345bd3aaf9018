package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Problem.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The stages of a spill, before it is known which part of each block stays in memory.
 *
 * @param problem the problem
 * @param resources the resources into which the stages fit
 * @param lanes the number of threads with their own buffers
 * @param regions the regions that each stage assembles: slabs, the regions on the way if there are any, and windows
 * @param stages the stages
 */
record SpillStages(Problem problem, Resources resources, int lanes, List<ChunkGrid> regions, List<Stage> stages) {
    /** The least share of a block that is worth keeping in memory. */
    static final double LEAST_KEPT = 0.02;

    /** Takes copies of the lists. */
    SpillStages {
        regions = List.copyOf(regions);
        stages = List.copyOf(stages);
    }

    /**
     * {@return the stages that assemble some regions; empty if one does not fit into the memory limit, or an axis has
     * too many pieces to be listed}
     */
    static Optional<SpillStages> of(Problem problem, Resources resources, int lanes, List<ChunkGrid> regions) {
        List<Stage> stages = new ArrayList<>();
        ChunkGrid source = problem.reads();
        int last = regions.size() - 1;
        long most =
                PackedPieces.of(resources, lanes).map(PackedPieces::mostBytes).orElse(SpillPieces.MOST_PIECE_BYTES);
        for (int i = 0; i <= last; i++) {
            Stage.Kind kind = i == 0 ? Stage.Kind.SPLIT : i == last ? Stage.Kind.MERGE : Stage.Kind.REGROUP;
            boolean byUnits = i + 1 == last && resources.remoteSpill().isEmpty();
            Optional<ChunkGrid> units = i == last
                    ? Optional.of(problem.target())
                    : SpillPieces.between(regions.get(i), regions.get(i + 1), byUnits, problem, most);
            if (units.isEmpty()) {
                return Optional.empty();
            }
            ChunkGrid written = units.get();
            Optional<Stage> stage = stage(problem, resources, lanes, kind, regions.get(i), source, written);
            if (stage.isEmpty()) {
                return Optional.empty();
            }
            stages.add(stage.get());
            boolean joins = byUnits && resources.readsBackAnyBytes() && SpillPieces.join(written, problem.target());
            source = joins ? problem.target() : written;
        }
        return Optional.of(new SpillStages(problem, resources, lanes, regions, stages));
    }

    private static Optional<Stage> stage(
            Problem problem,
            Resources resources,
            int lanes,
            Stage.Kind kind,
            ChunkGrid region,
            ChunkGrid source,
            ChunkGrid written) {
        int item = problem.itemSize();
        Optional<RemoteSpill> remote = resources.remoteSpill();
        UnitLayout units = UnitLayout.of(problem);
        StageBuilder builder = new StageBuilder(
                kind.name().toLowerCase(Locale.ROOT),
                kind,
                region,
                source,
                written,
                item,
                kind.readsSpill() ? resources.readsBackAnyBytes() : problem.reading() == Reading.ANY_BYTES,
                0,
                kind.writesSpill() ? UnitLayout.of(written, item).inside(units) : units,
                Frontier.of(source, written));
        if (kind.writesSpill() && remote.isPresent()) {
            builder.holdWholeWindows();
        }
        return builder.build(lane(kind, problem, resources, lanes), lanes, resources.maxMem());
    }

    private static Lane lane(Stage.Kind kind, Problem problem, Resources resources, int lanes) {
        return switch (kind) {
            case SPLIT -> Lane.split(problem, resources, lanes);
            case REGROUP -> Lane.regroup(problem, resources, lanes);
            default -> Lane.merge(problem, resources, lanes);
        };
    }

    /** {@return the smallest regions whose borders no slab and no window crosses} */
    static ChunkGrid blocks(ChunkGrid slabs, ChunkGrid windows) {
        return slabs.combine(windows, (s, w) -> Partition.regular(s.length(), s.coupledSize(w)));
    }

    /** {@return the temporary copies, each with its blocks} */
    List<Strategy.Copy> copies() {
        List<Strategy.Copy> copies = new ArrayList<>();
        ChunkGrid blocks = regions.get(regions.size() - 1);
        for (int copy = regions.size() - 2; copy >= 0; copy--) {
            blocks = blocks(regions.get(copy), blocks);
            copies.add(0, new Strategy.Copy(regions.get(copy + 1), blocks));
        }
        return copies;
    }

    private ChunkGrid blocks() {
        return copies().get(0).blocks();
    }

    /** {@return the size of the largest block of a copy in bytes} */
    long blockBytes(ChunkGrid blocks) {
        return blocks.largestChunk().elements() * problem.itemSize();
    }

    /** {@return the draft that keeps as much of a block in memory as the stages leave of the memory limit} */
    Draft draftKeepingRest(long maxMem) {
        long block = blockBytes(blocks());
        long rest = maxMem - totalBytes(0);
        // A larger workspace may have more borders between segments, each with a spare buffer.
        while (rest > 0 && totalBytes(rest) > maxMem) {
            rest -= totalBytes(rest) - maxMem;
        }
        // A block that fits completely would be a window.
        boolean pays = rest >= block * LEAST_KEPT && rest < block;
        return draftKeeping(pays ? rest / problem.itemSize() * problem.itemSize() : 0);
    }

    /**
     * {@return a limit for each stage with which they may fit into {@code maxMem} together; {@code maxMem} if they do}
     *
     * <p>One stage may need a larger workspace, another one larger spare buffers. A workspace of one segment needs
     * none.
     */
    long boundOfEach(long maxMem) {
        long excess = totalBytes(0) - maxMem;
        long largest = Stage.most(stages, Stage.Memory::total);
        boolean hasBorders = Stage.most(stages, Stage.Memory::workspaceBytes) > Workspace.MAX_BUFFER;
        return excess <= 0 ? maxMem : Math.max(hasBorders ? Workspace.MAX_BUFFER : 0, largest - excess);
    }

    /** {@return all memory in use if {@code residentBytes} of each block stay in memory} */
    long totalBytes(long residentBytes) {
        return Stage.totalBytes(stagesKeeping(residentBytes));
    }

    private List<Stage> stagesKeeping(long residentBytes) {
        return stages.stream()
                .map(stage -> stage.withResidentBytes(residentBytes))
                .toList();
    }

    /** {@return the draft that keeps up to {@code residentBytes} of each block in memory} */
    Draft draftKeeping(long residentBytes) {
        return new Draft(
                new Strategy.Spill(regions.get(0), copies(), residentBytes, isCompressed()),
                stagesKeeping(residentBytes),
                cost().keeping(residentBytes));
    }

    /** {@return whether pieces are compressed} */
    boolean isCompressed() {
        return resources.compression().isPresent();
    }

    /** {@return the cost of the stages} */
    SpillCost cost() {
        return new SpillCost(this);
    }

    /** {@return the number of pieces of a copy, which the regions before and after it have in common} */
    double pieces(int copy) {
        return regions.get(copy).pieces(regions.get(copy + 1));
    }

    /** {@return the number of elements of all blocks that stay in memory, if at most {@code most} of each do} */
    static long inMemory(ChunkGrid blocks, long most) {
        return most == 0 ? 0 : inMemory(blocks, 0, 1, most);
    }

    /** {@return the same number for blocks with {@code before} elements on the axes before {@code axis}} */
    private static long inMemory(ChunkGrid blocks, int axis, long before, long most) {
        long least = before;
        long count = 1;
        for (Partition rest : blocks.axes().subList(axis, blocks.rank())) {
            least *= rest.size(rest.count() - 1);
            count *= rest.count();
        }
        if (least >= most || axis == blocks.rank()) {
            return Math.min(least, most) * count;
        }
        Partition cuts = blocks.axis(axis);
        long last = inMemory(blocks, axis + 1, before * cuts.size(cuts.count() - 1), most);
        return cuts.count() == 1
                ? last
                : (cuts.count() - 1) * inMemory(blocks, axis + 1, before * cuts.step(), most) + last;
    }
}
