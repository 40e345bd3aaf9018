package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.job.RegionText.Range;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the elements of a coordinate array whose values are in a range. The array must be sorted, in any direction. */
final class CoordinateSearch {
    private final String place;
    private final CoordinateMeaning meaning;
    private final ValueRange range;
    private final Bounds bounds;
    private final boolean isHalfOpen;
    private @Nullable BigDecimal first;
    private @Nullable BigDecimal last;
    private int direction;
    private long from = -1;
    private long to = -1;

    /**
     * The values that are selected.
     *
     * @param least the least one; null for no limit
     * @param end the limit at the other side; null for no limit
     * @param included whether the limit is selected, too
     */
    record Bounds(@Nullable BigDecimal least, @Nullable BigDecimal end, boolean included) {
        boolean contain(BigDecimal value) {
            int atEnd = end == null ? -1 : value.compareTo(end);
            return (least == null || value.compareTo(least) >= 0) && (atEnd < 0 || (included && atEnd == 0));
        }
    }

    private CoordinateSearch(String place, CoordinateMeaning meaning, ValueRange range) {
        this.place = place;
        this.meaning = meaning;
        this.range = range;
        this.bounds = meaning.bounds(range);
        this.isHalfOpen = range.from().isEmpty() || range.to().isEmpty();
    }

    /**
     * {@return the elements in a range}
     *
     * @param most the bytes that reading may take
     * @throws IllegalArgumentException if the coordinates are not sorted numbers or times, or none is in the range
     */
    static Range find(StoreLocation coordinates, ValueRange range, long most) throws IOException {
        try (ArrayReader reader = coordinates.store().openReader(coordinates.path())) {
            ArraySpec spec = reader.spec();
            CoordinateMeaning meaning = CoordinateMeaning.of(coordinates.toString(), spec);
            CoordinateSearch search = new CoordinateSearch(coordinates.toString(), meaning, range);
            if (!CoordinateValues.visit(reader, most, search::visit)) {
                throw new IllegalArgumentException("a chunk of " + coordinates
                        + " takes more than the memory limit, so its values cannot be searched; use indices");
            }
            return search.found();
        }
    }

    private void visit(long index, long bits) {
        Optional<BigDecimal> value = meaning.value(bits);
        if (value.isEmpty()) {
            throw refused("has a missing value at index " + index);
        }
        BigDecimal before = last;
        if (before == null) {
            first = value.get();
        } else {
            int sign = Integer.signum(value.get().compareTo(before));
            if (sign != 0 && direction != 0 && sign != direction) {
                throw refused("is not sorted: " + meaning.text(value.get()) + " at index " + index + " follows "
                        + meaning.text(before));
            }
            direction = sign == 0 ? direction : sign;
        }
        last = value.get();
        if (bounds.contain(value.get())) {
            from = from < 0 ? index : from;
            to = index + 1;
        }
    }

    private Range found() {
        BigDecimal begin = first;
        BigDecimal end = last;
        if (begin == null || end == null) {
            throw refused("is empty");
        }
        String extent = "goes from " + meaning.text(begin) + " to " + meaning.text(end);
        if (direction < 0 && isHalfOpen) {
            throw refused(extent + ", so that it is not clear which values are meant; write both ends");
        }
        if (from < 0) {
            throw refused(extent);
        }
        return new Range(from, to);
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "the values " + range.from() + ":" + range.to() + " select nothing, because " + place + " " + why);
    }
}
