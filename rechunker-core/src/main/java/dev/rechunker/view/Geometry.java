package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which element of an array each element of a view is: for each axis of the view, the axis of the array that it shows
 * and the indices on it; for each axis that the view does not have, the only index that it shows. All views that
 * transpose, select, flip, and drop or add axes of one element are of this form, and so are their compositions.
 * Immutable.
 *
 * <p>Each chunk of the view shows elements of one chunk of the array.
 */
final class Geometry {
    /** In place of the axis of the array: an axis of one element that the array does not have. */
    private static final int NONE = -1;

    /** In place of a pinned index: an axis that the view has. */
    private static final long SHOWN = -1;

    private final int[] axes;
    private final Indices[] indices;
    private final @Nullable String[] names;
    private final long[] pinned;

    private Geometry(int[] axes, Indices[] indices, @Nullable String[] names, long[] pinned) {
        this.axes = axes;
        this.indices = indices;
        this.names = names;
        this.pinned = pinned;
    }

    /** {@return the geometry of the view that shows an array as it is} */
    static Geometry whole(Shape shape) {
        int rank = shape.rank();
        int[] axes = new int[rank];
        Indices[] indices = new Indices[rank];
        long[] pinned = new long[rank];
        for (int axis = 0; axis < rank; axis++) {
            axes[axis] = axis;
            indices[axis] = Indices.all(shape.extent(axis));
            pinned[axis] = SHOWN;
        }
        return new Geometry(axes, indices, new String[rank], pinned);
    }

    /** {@return the geometry of the view that shows a region of an array} */
    static Geometry part(Region region) {
        Geometry part = whole(region.shape());
        for (int axis = 0; axis < region.shape().rank(); axis++) {
            part.indices[axis] =
                    Indices.of(region.start(axis), 1, region.shape().extent(axis));
        }
        return part;
    }

    /** {@return the same with the axes of the view in another order} */
    Geometry transposed(List<Integer> order) {
        int[] moved = order.stream().mapToInt(axis -> axes[axis]).toArray();
        Indices[] with = order.stream().map(axis -> indices[axis]).toArray(Indices[]::new);
        @Nullable String[] called = order.stream().map(axis -> names[axis]).toArray(String[]::new);
        return new Geometry(moved, with, called, pinned);
    }

    /** {@return the same with some of the elements of an axis of the view} */
    Geometry selected(int axis, Indices chosen) {
        Indices[] fewer = indices.clone();
        fewer[axis] = chosen.after(indices[axis]);
        return new Geometry(axes, fewer, names, pinned);
    }

    /** {@return the same without an axis of the view, which has one element} */
    Geometry without(int axis) {
        long[] more = pinned.clone();
        if (axes[axis] != NONE) {
            more[axes[axis]] = indices[axis].at(0);
        }
        List<Integer> left = new ArrayList<>(Odometer.naturalOrder(axes.length));
        left.remove(axis);
        return new Geometry(axes, indices, names, more).transposed(left);
    }

    /** {@return the same with an axis of one element at a position} */
    Geometry withNew(int position, @Nullable String name) {
        int rank = axes.length;
        int[] more = Arrays.copyOf(axes, rank + 1);
        Indices[] with = Arrays.copyOf(indices, rank + 1);
        @Nullable String[] called = Arrays.copyOf(names, rank + 1);
        more[rank] = NONE;
        with[rank] = Indices.all(1);
        called[rank] = name;
        List<Integer> order = new ArrayList<>(Odometer.naturalOrder(rank));
        order.add(position, rank);
        return new Geometry(more, with, called, pinned).transposed(order);
    }

    /** {@return the geometry of a view of this view, as one of the array of this one} */
    Geometry then(Geometry next) {
        int rank = next.axes.length;
        int[] composed = new int[rank];
        Indices[] with = new Indices[rank];
        @Nullable String[] called = new String[rank];
        for (int axis = 0; axis < rank; axis++) {
            int here = next.axes[axis];
            composed[axis] = here == NONE ? NONE : axes[here];
            with[axis] = here == NONE ? next.indices[axis] : next.indices[axis].after(indices[here]);
            called[axis] = here == NONE ? next.names[axis] : names[here];
        }
        long[] more = pinned.clone();
        for (int here = 0; here < axes.length; here++) {
            if (next.pinned[here] != SHOWN && axes[here] != NONE) {
                more[axes[here]] = indices[here].at(next.pinned[here]);
            }
        }
        return new Geometry(composed, with, called, more);
    }

    /** {@return the number of axes of the view} */
    int rank() {
        return axes.length;
    }

    /** {@return whether the view shows the array as it is} */
    boolean isIdentity(Shape shape) {
        boolean same = hasSameAxes();
        for (int axis = 0; axis < axes.length && same; axis++) {
            same = indices[axis].equals(Indices.all(shape.extent(axis)));
        }
        return same;
    }

    /** {@return whether the view has the axes of the array, in their order} */
    private boolean hasSameAxes() {
        boolean same = axes.length == pinned.length;
        for (int axis = 0; axis < axes.length && same; axis++) {
            same = axes[axis] == axis;
        }
        return same;
    }

    /** {@return whether the elements of any region are in the same order in the array, without others in between} */
    boolean isInOrder() {
        int before = NONE;
        for (int axis = 0; axis < axes.length; axis++) {
            if (axes[axis] == NONE ? indices[axis].count() > 1 : axes[axis] < before || !indices[axis].isRange()) {
                return false;
            }
            before = Math.max(before, axes[axis]);
        }
        return true;
    }

    /** {@return the axes of the view in the order of the axes of the array that they show; new ones first} */
    List<Integer> storedOrder() {
        return IntStream.range(0, axes.length)
                .boxed()
                .sorted(Comparator.comparingInt(axis -> axes[axis]))
                .toList();
    }

    /** {@return the axis of the array that an axis of the view shows; negative if there is none} */
    int axis(int axis) {
        return axes[axis];
    }

    /** {@return the indices that an axis of the view shows} */
    Indices indices(int axis) {
        return indices[axis];
    }

    /** {@return the name of an axis that the array does not have; null if it has no name} */
    @Nullable
    String name(int axis) {
        return names[axis];
    }

    /** {@return the indices that the view shows on an axis of the array, which it may not have any more} */
    Indices shown(int from) {
        for (int axis = 0; axis < axes.length; axis++) {
            if (axes[axis] == from) {
                return indices[axis];
            }
        }
        return Indices.of(pinned[from], 1, 1);
    }

    /** {@return the smallest region of the array with all elements of a region of the view, which is not empty} */
    Region box(Region region) {
        long[] from = new long[pinned.length];
        long[] extents = new long[pinned.length];
        for (int axis = 0; axis < pinned.length; axis++) {
            from[axis] = pinned[axis];
            extents[axis] = 1;
        }
        for (int axis = 0; axis < axes.length; axis++) {
            if (axes[axis] != NONE) {
                long least = indices[axis].least(region.start(axis), region.end(axis));
                from[axes[axis]] = least;
                extents[axes[axis]] = indices[axis].most(region.start(axis), region.end(axis)) - least + 1;
            }
        }
        return Region.of(from, Shape.of(extents));
    }

    /**
     * {@return the array as the view shows it}
     *
     * @throws StoreException if the view has too many irregular chunks
     */
    ArraySpec of(ArraySpec spec) throws StoreException {
        ChunkGrid shards = spec.shards().isPresent() ? shards(spec) : null;
        List<@Nullable String> called = new ArrayList<>();
        TreeSet<Integer> unlimited = new TreeSet<>();
        for (int axis = 0; axis < axes.length; axis++) {
            boolean isNew = axes[axis] == NONE;
            called.add(
                    isNew
                            ? names[axis]
                            : spec.dimensionNames().isEmpty()
                                    ? null
                                    : spec.dimensionNames().get(axes[axis]));
            if (!isNew && spec.unlimitedAxes().contains(axes[axis])) {
                unlimited.add(axis);
            }
        }
        boolean unnamed = called.stream().allMatch(name -> name == null);
        return spec.toBuilder()
                .shards(shards)
                .chunks(image(spec.chunks()))
                .dimensionNames(unnamed ? List.of() : called)
                .unlimitedAxes(unlimited)
                .codecs(codecs(spec.codecs()))
                .hints(hints(spec))
                .build();
    }

    /** {@return the hints, with the one that a scalar needs which was an array with dimension names} */
    private Map<String, String> hints(ArraySpec spec) {
        if (axes.length > 0 || spec.dimensionNames().isEmpty()) {
            return spec.hints();
        }
        Map<String, String> hints = new LinkedHashMap<>(spec.hints());
        hints.put(ArraySpec.NO_AXES_HINT, "");
        return hints;
    }

    private ChunkGrid image(ChunkGrid grid) throws StoreException {
        List<Partition> images = new ArrayList<>();
        for (int axis = 0; axis < axes.length; axis++) {
            images.add(indices[axis].image(axes[axis] == NONE ? Partition.regular(1, 1) : grid.axis(axes[axis])));
        }
        return ChunkGrid.of(images);
    }

    /** {@return the shards that the view shows; null if elements are left out between others, so there are none} */
    private @Nullable ChunkGrid shards(ArraySpec spec) throws StoreException {
        for (Indices chosen : indices) {
            if (!chosen.isDense()) {
                return null;
            }
        }
        return image(spec.shards().orElseThrow());
    }

    /** {@return the codecs, without those for one order of the axes of the array if the view has another} */
    private List<CodecSpec> codecs(List<CodecSpec> codecs) {
        return hasSameAxes()
                ? codecs
                : codecs.stream()
                        .filter(codec -> !codec.name().equals("transpose"))
                        .toList();
    }

    /** {@return the axes of the view and, of each, the axis of the array and its indices} */
    @Override
    public String toString() {
        return Arrays.toString(axes) + Arrays.toString(indices) + Arrays.toString(pinned);
    }
}
