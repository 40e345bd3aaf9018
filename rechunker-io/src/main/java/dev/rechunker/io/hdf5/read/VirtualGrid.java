package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Chooses the regions of a virtual dataset that are read at once.
 *
 * <p>If all sources can be read in any part, so can the virtual dataset. Otherwise it has chunks that cut no chunk of a
 * source, if these are not much larger than those of the sources. If they were, any part is read, and chunks of sources
 * are decoded as often as they are needed.
 */
final class VirtualGrid {
    private static final int MOST_CUTS = 1 << 20;
    /** The most comparisons of cuts and parts of one axis. */
    private static final long MOST_CHECKS = 1 << 26;

    /** Chunks of this size are never too large, in bytes. */
    private static final long SMALL = 1 << 24;

    /** The largest size of a chunk, in chunks of the sources. */
    private static final int LARGEST = 4;

    private final Shape shape;
    private final List<VirtualPart> parts;
    private final ChunkGrid grid;
    private final boolean isPlain;

    VirtualGrid(Shape shape, List<VirtualPart> parts, int itemSize) {
        this.shape = shape;
        this.parts = parts;
        ChunkGrid chunks = whole(shape);
        boolean plain =
                shape.isEmpty() || parts.stream().allMatch(part -> part.source().isPlain());
        if (!plain) {
            double largest = SMALL;
            for (VirtualPart part : parts) {
                largest = Math.max(
                        largest,
                        (double) LARGEST * itemSize * elements(part.source().chunks()));
            }
            ChunkGrid cut = cut(true);
            if (elements(cut) * itemSize > largest) {
                cut = cut(false);
            }
            plain = elements(cut) * itemSize > largest;
            chunks = plain ? chunks : cut;
        }
        this.grid = chunks;
        this.isPlain = plain;
    }

    ChunkGrid grid() {
        return grid;
    }

    /** {@return whether any part of a chunk of the grid is read} */
    boolean isPlain() {
        return isPlain;
    }

    private static ChunkGrid whole(Shape shape) {
        return ChunkGrid.regular(shape, shape.combine(shape, (extent, same) -> Math.max(1, extent)));
    }

    private static double elements(ChunkGrid grid) {
        double elements = 1;
        for (Partition axis : grid.axes()) {
            elements *= axis.maxSize();
        }
        return elements;
    }

    /** @param isJoined whether neighbours that are in the same chunk of a source are not separated */
    private ChunkGrid cut(boolean isJoined) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < shape.rank(); axis++) {
            axes.add(cut(axis, isJoined ? joints(axis) : Set.of()));
        }
        return ChunkGrid.of(axes);
    }

    /** A part along one axis. One of a source that is read in any part has one chunk, which may be cut. */
    private record Line(AxisSelection target, AxisSelection from, Partition chunks, boolean isPlain) {
        long start() {
            return target.at(0);
        }

        /** {@return whether positions before and after a cut are in different chunks of the source} */
        boolean allows(long cut) {
            long count = target.countBelow(cut);
            return isPlain
                    || count == 0
                    || count == target.size()
                    || chunks.indexOf(from.at(count - 1)) != chunks.indexOf(from.at(count));
        }

        /** {@return the first position in the next chunk of the source; the end if there is none} */
        long cutAfter(long number) {
            long next = from.countBelow(chunks.end(chunks.indexOf(from.at(number))));
            return next < target.size() ? target.at(next) : target.end();
        }
    }

    private Set<Line> lines(int axis) {
        Set<Line> lines = new HashSet<>();
        for (VirtualPart part : parts) {
            AxisSelection target = part.target().get(axis);
            int there = part.axes().get(axis);
            if (there < 0 || part.source().isPlain()) {
                long size = target.size();
                lines.add(new Line(target, AxisSelection.all(size), Partition.regular(size, size), true));
            } else {
                Partition chunks = part.source().chunks().axis(there);
                lines.add(new Line(target, part.from().get(there), chunks, false));
            }
        }
        return lines;
    }

    /** The end of a part, or the beginning of another one, in a chunk of a source. */
    private record Joint(long position, ReadableDataset source, long chunk) {}

    /** {@return the positions at which one part ends and another one begins in the same chunk of a source} */
    private Set<Long> joints(int axis) {
        Set<Joint> ends = new HashSet<>();
        for (VirtualPart part : parts) {
            joint(part, axis, false).ifPresent(ends::add);
        }
        Set<Long> joints = new HashSet<>();
        for (VirtualPart part : parts) {
            joint(part, axis, true).filter(ends::contains).ifPresent(joint -> joints.add(joint.position));
        }
        return joints;
    }

    private static Optional<Joint> joint(VirtualPart part, int axis, boolean isStart) {
        int there = part.axes().get(axis);
        if (there < 0 || part.source().isPlain()) {
            return Optional.empty();
        }
        AxisSelection target = part.target().get(axis);
        long position = part.from().get(there).at(isStart ? 0 : target.size() - 1);
        long chunk = part.source().chunks().axis(there).indexOf(position);
        return Optional.of(new Joint(isStart ? target.at(0) : target.end(), part.source(), chunk));
    }

    /** {@return an axis with all cuts that cut no chunk of a source} */
    private Partition cut(int axis, Set<Long> joints) {
        long length = shape.extent(axis);
        List<Line> lines = new ArrayList<>(lines(axis));
        lines.sort(Comparator.comparingLong(Line::start));
        TreeSet<Long> cuts = new TreeSet<>();
        for (Line line : lines) {
            cuts.add(line.start());
            for (long cut = line.start(); cut < line.target.end(); ) {
                cut = line.cutAfter(line.target.countBelow(cut));
                cuts.add(cut);
                if (cuts.size() > MOST_CUTS) {
                    return Partition.regular(length, length);
                }
            }
        }
        List<Line> active = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        long start = 0;
        int next = 0;
        long checks = 0;
        for (long cut : cuts) {
            while (next < lines.size() && lines.get(next).start() < cut) {
                active.add(lines.get(next++));
            }
            active.removeIf(line -> line.target.end() <= cut);
            checks += active.size();
            if (checks > MOST_CHECKS) {
                return Partition.regular(length, length);
            }
            if (cut > start
                    && cut < length
                    && !joints.contains(cut)
                    && active.stream().allMatch(line -> line.allows(cut))) {
                sizes.add(cut - start);
                start = cut;
            }
        }
        sizes.add(length - start);
        return Partition.ofSizes(sizes.stream().mapToLong(size -> size).toArray());
    }
}
