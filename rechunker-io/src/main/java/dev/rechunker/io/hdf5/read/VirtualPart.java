package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Elements of a virtual dataset that are in one source.
 *
 * @param from the selected positions of each axis of the source
 * @param target the positions of these elements on each axis of the virtual dataset
 * @param axes for each axis of the virtual dataset, the axis of the source that has as many positions; -1 if there is
 *     one position, which no axis of the source has
 */
record VirtualPart(ReadableDataset source, List<AxisSelection> from, List<AxisSelection> target, List<Integer> axes) {
    /** @throws StoreException if the selections do not match, or the source is too small */
    static VirtualPart of(ReadableDataset source, List<AxisSelection> from, List<AxisSelection> target)
            throws StoreException {
        Shape shape = source.chunks().shape();
        if (from.size() != shape.rank()) {
            throw new StoreException("its source " + source.stored().name() + " has " + shape.rank()
                    + " axes, but a mapping has " + from.size());
        }
        requireInside("its source " + source.stored().name(), from, shape);
        return new VirtualPart(source, from, target, match(source, from, target));
    }

    /** Refuses elements outside of the virtual dataset. */
    void requireInside(Shape shape) throws StoreException {
        requireInside("it", target, shape);
    }

    private static void requireInside(String what, List<AxisSelection> selected, Shape shape) throws StoreException {
        for (int axis = 0; axis < shape.rank(); axis++) {
            if (selected.get(axis).end() > shape.extent(axis)) {
                throw new StoreException(
                        what + " has the shape " + shape + ", but a mapping selects the elements " + selected);
            }
        }
    }

    private static List<Integer> match(ReadableDataset source, List<AxisSelection> from, List<AxisSelection> target)
            throws StoreException {
        if (sizes(from).equals(sizes(target))) {
            return IntStream.range(0, target.size()).boxed().toList();
        }
        List<Integer> longer = IntStream.range(0, from.size())
                .filter(axis -> from.get(axis).size() > 1)
                .boxed()
                .toList();
        List<Integer> axes = new ArrayList<>();
        int next = 0;
        for (AxisSelection axis : target) {
            boolean isOne = axis.size() == 1;
            boolean fits =
                    isOne || (next < longer.size() && from.get(longer.get(next)).size() == axis.size());
            if (!fits) {
                throw mismatch(source, from, target);
            }
            axes.add(isOne ? -1 : longer.get(next++));
        }
        if (next < longer.size()) {
            throw mismatch(source, from, target);
        }
        return axes;
    }

    private static StoreException mismatch(
            ReadableDataset source, List<AxisSelection> from, List<AxisSelection> target) {
        return new StoreException("its elements " + target + ", of the shape " + sizes(target) + ", are the elements "
                + from + " of " + source.stored().name() + ", of the shape " + sizes(from)
                + "; a change of shape is not supported");
    }

    private static List<Long> sizes(List<AxisSelection> axes) {
        return axes.stream().map(AxisSelection::size).toList();
    }
}
