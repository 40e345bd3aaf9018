package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The selected elements of an array: all combinations of selected positions of its axes.
 *
 * <p>HDF5 has selections of other forms, which are refused: lists of points, and boxes that are not such combinations.
 *
 * @param axes the selected positions of each axis; empty if all elements are selected
 */
record Selection(Optional<List<AxisSelection>> axes) {
    private static final int NONE = 0;
    private static final int POINTS = 1;
    private static final int BOXES = 2;
    private static final int ALL = 3;
    private static final int LARGEST_RANK = 32;
    private static final int REGULAR = 1;
    private static final int MOST_BOXES = 1 << 18;

    /** {@return the serialized selection at the position of a buffer, which is then after it} */
    static Selection read(ByteBuffer bytes) throws StoreException {
        int type = bytes.getInt();
        int version = bytes.getInt();
        if (type == POINTS) {
            throw new StoreException("it has a selection of points, which is not supported");
        }
        if (type == BOXES) {
            return new Selection(Optional.of(boxes(bytes, version)));
        }
        if ((type != NONE && type != ALL) || version != 1) {
            throw new StoreException("a selection of type " + type + " and version " + version + " is not supported");
        }
        bytes.getLong();
        return new Selection(type == ALL ? Optional.empty() : Optional.of(List.of(AxisSelection.all(0))));
    }

    private static List<AxisSelection> boxes(ByteBuffer bytes, int version) throws StoreException {
        int width = Integer.BYTES;
        boolean isRegular = false;
        if (version == 1) {
            bytes.getLong();
        } else if (version == 2 || version == 3) {
            isRegular = (bytes.get() & REGULAR) != 0;
            width = version == 2 ? Long.BYTES : bytes.get();
            if (version == 2) {
                bytes.getInt();
            }
        } else {
            throw new StoreException("a selection of boxes of version " + version + " is not supported");
        }
        int rank = bytes.getInt();
        if (rank < 1 || rank > LARGEST_RANK || (width != 2 && width != Integer.BYTES && width != Long.BYTES)) {
            throw new StoreException(
                    "a selection of " + rank + " axes and numbers of " + width + " bytes is not valid");
        }
        return isRegular ? regular(bytes, width, rank) : listed(bytes, width, rank);
    }

    private static List<AxisSelection> regular(ByteBuffer bytes, int width, int rank) throws StoreException {
        List<AxisSelection> axes = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            long start = number(bytes, width);
            long stride = number(bytes, width);
            axes.add(AxisSelection.regular(start, stride, number(bytes, width), number(bytes, width)));
        }
        return axes;
    }

    /** {@return a number; one with all bits set stands for no limit} */
    private static long number(ByteBuffer bytes, int width) throws StoreException {
        long value = switch (width) {
            case 2 -> bytes.getShort() & 0xFFFFL;
            case 4 -> bytes.getInt() & 0xFFFFFFFFL;
            default -> bytes.getLong();
        };
        if (value == -1L >>> (Long.SIZE - Byte.SIZE * width)) {
            return AxisSelection.UNLIMITED;
        }
        if (value < 0) {
            throw new StoreException(
                    "a selection has the number " + Long.toUnsignedString(value) + ", which is larger than 2^63 - 1");
        }
        return value;
    }

    /** Reads boxes one by one, of which each has its first and its last position. */
    private static List<AxisSelection> listed(ByteBuffer bytes, int width, int rank) throws StoreException {
        long count = number(bytes, width);
        if (count > bytes.remaining() / (2L * rank * width)) {
            throw new StoreException("a selection of " + count + " boxes ends early");
        }
        if (count > MOST_BOXES) {
            throw new StoreException("it has a selection of " + count + " boxes, which is not supported; at most "
                    + MOST_BOXES + " are, unless they are stored as a pattern");
        }
        List<TreeMap<Long, Long>> runs = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            runs.add(new TreeMap<>());
        }
        Set<List<Long>> boxes = new HashSet<>();
        for (long i = 0; i < count; i++) {
            Long[] first = new Long[rank];
            for (int axis = 0; axis < rank; axis++) {
                first[axis] = number(bytes, width);
            }
            for (int axis = 0; axis < rank; axis++) {
                long last = number(bytes, width);
                Long known = runs.get(axis).putIfAbsent(first[axis], last);
                requireCombinations(known == null || known == last);
            }
            boxes.add(Arrays.asList(first));
        }
        long combinations = 1;
        List<AxisSelection> axes = new ArrayList<>();
        for (TreeMap<Long, Long> axis : runs) {
            combinations = Math.multiplyExact(combinations, (long) axis.size());
            axes.add(AxisSelection.ofRuns(axis.entrySet().stream()
                    .map(run -> new long[] {run.getKey(), run.getValue()})
                    .toArray(long[][]::new)));
        }
        requireCombinations(combinations == boxes.size());
        return axes;
    }

    private static void requireCombinations(boolean are) throws StoreException {
        if (!are) {
            throw new StoreException("it has a selection of boxes that do not form a grid, which is not supported");
        }
    }

    /** {@return the selected positions of each axis of an array} */
    List<AxisSelection> of(Shape shape) throws StoreException {
        if (axes.isPresent()) {
            return axes.get();
        }
        return Arrays.stream(shape.toArray()).mapToObj(AxisSelection::all).toList();
    }

    /** {@return the axis without an end; -1 if there is none} */
    int unlimitedAxis() throws StoreException {
        int found = -1;
        List<AxisSelection> selected = axes.orElse(List.of());
        for (int axis = 0; axis < selected.size(); axis++) {
            if (selected.get(axis).isUnlimited()) {
                if (found >= 0) {
                    throw new StoreException("it has a selection with two axes without an end, which is not valid");
                }
                found = axis;
            }
        }
        return found;
    }

    /** {@return whether nothing is selected} */
    boolean isEmpty() {
        return axes.isPresent() && axes.get().stream().anyMatch(axis -> axis.size() == 0);
    }
}
