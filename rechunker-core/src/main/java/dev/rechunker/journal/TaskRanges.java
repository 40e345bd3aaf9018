package dev.rechunker.journal;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Tasks that are done, as ranges of their numbers; not a list of all.
 *
 * <p>Tasks that are done about in order make few ranges. There are never more than a given number: what would be one
 * more is forgotten, and so done again, which is legal. Not thread-safe.
 */
public final class TaskRanges {
    /** The most ranges that a run keeps. */
    static final int MOST = 1 << 12;

    private final RangeSet<Long> ranges = TreeRangeSet.create();

    private final int most;

    /** Creates it without a task; at most so many ranges are kept. */
    TaskRanges(int most) {
        this.most = most;
    }

    void add(long task) {
        Range<Long> one = Range.closedOpen(task, task + 1);
        boolean joins = ranges.contains(task - 1) || ranges.contains(task + 1);
        if (joins || ranges.asRanges().size() < most) {
            ranges.add(one);
        }
    }

    void addAll(TaskRanges others) {
        ranges.addAll(others.ranges);
    }

    /** {@return whether no task is done} */
    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** {@return whether a task is done} */
    public boolean contains(long task) {
        return ranges.contains(task);
    }

    /** {@return whether none of the tasks {@code [from, to)} is done} */
    public boolean hasNone(long from, long to) {
        return from == to || ranges.subRangeSet(Range.closedOpen(from, to)).isEmpty();
    }

    /** {@return those of the tasks {@code [from, to)} that are not done, in order} */
    public List<Span> missing(long from, long to) {
        if (ranges.isEmpty() && from < to) {
            return List.of(new Span(from, to)); // at once: the views below take longer to load than a small plan takes
        }
        return ranges.complement().subRangeSet(Range.closedOpen(from, to)).asRanges().stream()
                .map(range -> new Span(range.lowerEndpoint(), range.upperEndpoint()))
                .toList();
    }

    List<Long> listed(int most) {
        return ranges.asRanges().stream()
                .flatMapToLong(range -> LongStream.range(range.lowerEndpoint(), range.upperEndpoint()))
                .limit(most)
                .boxed()
                .toList();
    }

    /**
     * Consecutive tasks.
     *
     * @param from the first
     * @param to the one behind the last
     */
    public record Span(long from, long to) {
        /** {@return how many} */
        public long count() {
            return to - from;
        }

        /** {@return spans in order, as one where they meet or overlap} */
        public static List<Span> join(List<Span> spans) {
            List<Span> joined = new ArrayList<>();
            for (Span span : spans) {
                Span last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
                if (last != null && span.from <= last.to) {
                    joined.set(joined.size() - 1, new Span(last.from, Math.max(last.to, span.to)));
                } else {
                    joined.add(span);
                }
            }
            return joined;
        }
    }
}
