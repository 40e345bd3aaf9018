package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.SelectionHeader;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The selected elements of an array: all combinations of selected positions of its axes.
 *
 * <p>HDF5 has selections of other forms, which are refused: lists of points, and boxes that are not such combinations.
 *
 * @param axes the selected positions of each axis; empty if all elements are selected
 */
record Selection(Optional<List<AxisSelection>> axes) {
    private static final int MOST_BOXES = 1 << 18;

    /** {@return the serialized selection at the position of a buffer, which is then after it} */
    static Selection read(ByteBuffer bytes) throws StoreException {
        SelectionHeader header = SelectionHeader.read(bytes);
        return switch (header.kind()) {
            case SelectionHeader.ALL -> new Selection(Optional.empty());
            case SelectionHeader.NONE -> new Selection(Optional.of(List.of(AxisSelection.all(0))));
            case SelectionHeader.BOXES ->
                new Selection(Optional.of(header.isRegular() ? regular(bytes, header) : listed(bytes, header)));
            default -> throw new StoreException("it has a selection of points, which is not supported");
        };
    }

    private static List<AxisSelection> regular(ByteBuffer bytes, SelectionHeader header) throws StoreException {
        List<AxisSelection> axes = new ArrayList<>();
        for (int axis = 0; axis < header.rank(); axis++) {
            long start = header.number(bytes);
            long stride = header.number(bytes);
            axes.add(AxisSelection.regular(start, stride, header.number(bytes), header.number(bytes)));
        }
        return axes;
    }

    /** Reads boxes one by one, of which each has its first and its last position. */
    private static List<AxisSelection> listed(ByteBuffer bytes, SelectionHeader header) throws StoreException {
        int rank = header.rank();
        long count = header.count(bytes);
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
            long[] first = header.position(bytes);
            long[] last = header.position(bytes);
            for (int axis = 0; axis < rank; axis++) {
                Long known = runs.get(axis).putIfAbsent(first[axis], last[axis]);
                requireCombinations(known == null || known == last[axis]);
            }
            boxes.add(LongStream.of(first).boxed().toList());
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
