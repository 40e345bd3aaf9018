package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The largest shape to which HDF5 may extend a dataset.
 *
 * @param shape the present extents
 * @param extents the largest extents, with {@link #UNLIMITED} for an axis without a limit
 */
record MaxShape(List<Long> shape, List<Long> extents) {
    /** The extent of an axis without a limit. */
    static final long UNLIMITED = -1;

    private static final String NO_LIMIT = "unlimited";

    /** {@return the shape of an array that cannot be extended} */
    static MaxShape fixed(Shape shape) {
        return new MaxShape(boxed(shape), boxed(shape));
    }

    /**
     * {@return the largest shape of a chunked array}
     *
     * <p>Unlimited axes have no limit. The limit of another axis is that of the hint, or by default its extent, or its
     * chunk extent where that is larger, because HDF5 requires it.
     */
    static MaxShape of(String where, ArraySpec wanted) throws StoreException {
        Shape shape = wanted.shape();
        String hint = wanted.hints().get(Hdf5Names.MAX_SHAPE_HINT);
        String[] parts = hint == null ? new String[0] : hint.split(",", -1);
        if (hint != null && parts.length != shape.rank()) {
            throw new StoreException(where + ": hint " + Hdf5Names.MAX_SHAPE_HINT + " is \"" + hint
                    + "\"; it needs an extent for each of the " + shape.rank() + " axes of the array: " + shape);
        }
        List<Long> extents = new ArrayList<>();
        for (int axis = 0; axis < shape.rank(); axis++) {
            long extent =
                    Math.max(shape.extent(axis), wanted.chunks().axis(axis).step());
            if (hint != null) {
                long asked = parseExtent(where, hint, parts[axis].trim());
                extent = asked == UNLIMITED ? UNLIMITED : Math.max(extent, asked);
            }
            extents.add(wanted.unlimitedAxes().contains(axis) ? UNLIMITED : extent);
        }
        return new MaxShape(boxed(shape), extents);
    }

    private static long parseExtent(String where, String hint, String part) throws StoreException {
        if (part.equals(NO_LIMIT)) {
            return UNLIMITED;
        }
        if (!part.matches("\\d{1,18}")) {
            throw new StoreException(where + ": hint " + Hdf5Names.MAX_SHAPE_HINT + " is \"" + hint + "\", but \""
                    + part + "\" is neither an extent nor \"" + NO_LIMIT + "\"");
        }
        return Long.parseLong(part);
    }

    private static List<Long> boxed(Shape shape) {
        List<Long> extents = new ArrayList<>();
        for (long extent : shape.toArray()) {
            extents.add(extent);
        }
        return extents;
    }

    /** {@return the axes without a limit} */
    SortedSet<Integer> unlimitedAxes() {
        TreeSet<Integer> axes = new TreeSet<>();
        for (int axis = 0; axis < extents.size(); axis++) {
            if (extents.get(axis) == UNLIMITED) {
                axes.add(axis);
            }
        }
        return axes;
    }

    /** Puts the hint for this shape, unless each axis has its present extent or no limit. */
    void putHint(Map<String, String> hints) {
        boolean hasLimit = false;
        for (int axis = 0; axis < extents.size(); axis++) {
            hasLimit |= extents.get(axis) > shape.get(axis);
        }
        if (hasLimit) {
            List<String> parts = extents.stream()
                    .map(extent -> extent == UNLIMITED ? NO_LIMIT : Long.toString(extent))
                    .toList();
            hints.put(Hdf5Names.MAX_SHAPE_HINT, String.join(",", parts));
        }
    }

    /** {@return the shape with a further axis that cannot be extended} */
    MaxShape append(long extent) {
        return new MaxShape(appended(shape, extent), appended(extents, extent));
    }

    private static List<Long> appended(List<Long> of, long extent) {
        List<Long> all = new ArrayList<>(of);
        all.add(extent);
        return all;
    }

    /** {@return the dataspace message} */
    MessageBytes dataspace() {
        return dataspace(shape, extents);
    }

    /** {@return a dataspace message of elements that cannot be extended; no extents are a scalar} */
    static MessageBytes dataspace(List<Long> shape) {
        return dataspace(shape, shape);
    }

    /** {@return the dataspace message of no element} */
    static MessageBytes nullDataspace() {
        int none = 2;
        return new MessageBytes().u8(2).u8(0).u8(0).u8(none);
    }

    /** {@return a dataspace message of version 2} */
    private static MessageBytes dataspace(List<Long> shape, List<Long> maxShape) {
        int simple = 1;
        boolean isExtensible = !shape.equals(maxShape);
        MessageBytes message = new MessageBytes()
                .u8(2)
                .u8(shape.size())
                .u8(isExtensible ? 1 : 0)
                .u8(shape.isEmpty() ? 0 : simple);
        shape.forEach(message::u64);
        if (isExtensible) {
            maxShape.forEach(message::u64);
        }
        return message;
    }
}
