package dev.rechunker.journal;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A set of finished tasks, stored as ranges of their numbers.
 *
 * <p>Tasks that finish roughly in order make few ranges. The number of ranges is limited; a task that would exceed the
 * limit is not stored, and is therefore done again when the run is resumed. Not thread-safe.
 */
public final class TaskRanges {
    /** The limit for the journal of a run. */
    static final int MOST = 1 << 12;

    private final RangeSet<Long> ranges = TreeRangeSet.create();

    private final int most;

    /** Creates an empty set of at most {@code most} ranges. */
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

    /** {@return the tasks of {@code [from, to)} that are not done, in order} */
    public List<Span> missing(long from, long to) {
        if (ranges.isEmpty() && from < to) {
            return List.of(new Span(
                    from, to)); // a shortcut, as loading the classes of the views below takes longer than a small plan
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
     * A range of consecutive tasks.
     *
     * @param from the first task
     * @param to the end of the range, exclusive
     */
    public record Span(long from, long to) {
        /** {@return the number of tasks} */
        public long count() {
            return to - from;
        }

        /** {@return spans in order, merged where they touch or overlap} */
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
