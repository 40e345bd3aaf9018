package dev.rechunker.suggest;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Searches the chunks between which it is a choice: those for which no others make every way of reading as fast, and
 * one of them faster or their number smaller (the Pareto front).
 */
public final class ChunkSearch {
    /** The slowdown, relative to the best, at which chunks are shown because there are few of them. */
    private static final double FEW_CHUNKS = 2;

    private final ArraySpec array;
    private final List<ReadCosts> ways;
    private final long least;
    private final double most;
    private final List<List<Long>> extents;
    /** What reads need, by way, axis and extent. */
    private final AxisReads[][][] reads;

    private final List<Choice> front = new ArrayList<>();
    /** The largest chunks that are smaller than the least size, which are taken if there are none in the range. */
    private Choice small = new Choice(Shape.of(), List.of(), -1);

    /**
     * Chunks and the seconds of each way of reading.
     *
     * @param chunks the extents of a chunk
     * @param seconds the time of a read in each way
     * @param bytes the size of a chunk
     */
    public record Choice(Shape chunks, List<Double> seconds, double bytes) {
        private boolean isAsGoodAs(Choice other) {
            return bytes >= other.bytes
                    && IntStream.range(0, seconds.size()).allMatch(way -> seconds.get(way) <= other.seconds.get(way));
        }

        /** {@return whether these chunks are as good as others, and have more equal extents, as suits other reads} */
        private boolean isCloserToCube(Choice other) {
            return isAsGoodAs(other)
                    && Arrays.stream(chunks.toArray()).sum()
                            < Arrays.stream(other.chunks.toArray()).sum();
        }
    }

    private ChunkSearch(ArraySpec array, List<ReadCosts> ways, long least, long most) {
        this.array = array;
        this.ways = ways;
        this.least = Math.min(least, array.bytes());
        this.most = most;
        this.extents = AxisExtents.of(array.chunks(), ways);
        this.reads = new AxisReads[ways.size()][extents.size()][];
        for (int way = 0; way < ways.size(); way++) {
            for (int axis = 0; axis < extents.size(); axis++) {
                reads[way][axis] = reads(ways.get(way), axis);
            }
        }
    }

    private AxisReads[] reads(ReadCosts way, int axis) {
        long length = array.shape().extent(axis);
        return extents.get(axis).stream()
                .map(extent -> way.along(axis, Partition.regular(length, extent)))
                .toArray(AxisReads[]::new);
    }

    /**
     * {@return all choices, in no order}
     *
     * @param array the array; not empty
     * @param ways the ways in which it is read; at least one
     * @param least the least size of a chunk in bytes; smaller ones are only found if there are no others
     * @param most the largest size of a chunk in bytes
     */
    public static List<Choice> front(ArraySpec array, List<ReadCosts> ways, long least, long most) {
        ChunkSearch search = new ChunkSearch(array, ways, least, most);
        search.tryAll(0, array.dataType().itemSize(), new int[search.extents.size()]);
        if (search.front.isEmpty()) {
            search.front.add(search.small);
        }
        return search.front;
    }

    /** Tries all extents of an axis and of those after it. */
    private void tryAll(int axis, double bytes, int[] chosen) {
        if (axis == chosen.length) {
            tryOne(bytes, chosen);
            return;
        }
        List<Long> along = extents.get(axis);
        for (int i = 0; i < along.size() && bytes * along.get(i) <= most; i++) {
            chosen[axis] = i;
            tryAll(axis + 1, bytes * along.get(i), chosen);
        }
    }

    private void tryOne(double bytes, int[] chosen) {
        if (bytes < least && bytes <= small.bytes()) {
            return;
        }
        List<Double> seconds = new ArrayList<>();
        for (int way = 0; way < ways.size(); way++) {
            double parts = 1;
            double elements = array.dataType().itemSize();
            for (int axis = 0; axis < chosen.length; axis++) {
                AxisReads along = reads[way][axis][chosen[axis]];
                parts *= along.parts();
                elements *= along.elements();
            }
            seconds.add(ways.get(way).cost(parts, elements, 0).seconds());
        }
        long[] shape = IntStream.range(0, chosen.length)
                .mapToLong(axis -> extents.get(axis).get(chosen[axis]))
                .toArray();
        Choice choice = new Choice(Shape.of(shape), seconds, bytes);
        if (bytes < least) {
            small = choice;
        } else if (front.stream().noneMatch(known -> known.isAsGoodAs(choice) && !choice.isCloserToCube(known))) {
            front.removeIf(choice::isAsGoodAs);
            front.add(choice);
        }
    }

    /**
     * {@return some of the choices, those with the least slowdown first: the best one, the best one for each way of
     * reading, one with few chunks, and others between them}
     *
     * @param most the number of choices
     */
    public static List<Choice> some(List<Choice> front, List<ReadCosts> ways, int most) {
        List<Double> best = best(front);
        List<Choice> sorted = front.stream()
                .sorted(Comparator.comparingDouble(choice -> slowdown(ways, choice.seconds(), best)))
                .toList();
        Set<Choice> some = new LinkedHashSet<>(sorted.subList(0, 1));
        for (int way = 0; way < ways.size(); way++) {
            int of = way;
            sorted.stream()
                    .min(Comparator.comparingDouble(choice -> choice.seconds().get(of)))
                    .ifPresent(some::add);
        }
        double enough = FEW_CHUNKS * slowdown(ways, sorted.get(0).seconds(), best);
        sorted.stream()
                .filter(choice -> slowdown(ways, choice.seconds(), best) <= enough)
                .max(Comparator.comparingDouble(Choice::bytes))
                .ifPresent(some::add);
        List<Choice> others = sorted.stream()
                .sorted(Comparator.comparingDouble(choice -> choice.seconds().get(0)))
                .toList();
        int steps = Math.max(1, most - some.size());
        for (int step = 1; step < steps; step++) {
            some.add(others.get((int) ((long) others.size() * step / steps)));
        }
        return some.stream()
                .limit(most)
                .sorted(Comparator.comparingDouble(choice -> slowdown(ways, choice.seconds(), best)))
                .toList();
    }

    /** {@return the time of each way of reading with the chunks that are the best for it} */
    public static List<Double> best(List<Choice> choices) {
        int ways = choices.get(0).seconds().size();
        return IntStream.range(0, ways)
                .mapToObj(way -> choices.stream()
                        .mapToDouble(choice -> choice.seconds().get(way))
                        .min()
                        .orElseThrow())
                .toList();
    }

    /** {@return the factor by which reads take longer than the best of each way, on average by weight} */
    public static double slowdown(List<ReadCosts> ways, List<Double> seconds, List<Double> best) {
        double sum = 0;
        double weights = 0;
        for (int way = 0; way < seconds.size(); way++) {
            double weight = ways.get(way).way().weight();
            sum += weight * seconds.get(way) / best.get(way);
            weights += weight;
        }
        return sum / weights;
    }
}
