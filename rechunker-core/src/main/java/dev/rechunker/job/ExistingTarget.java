package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.Attributes;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Difference;
import dev.rechunker.store.Advice;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.verify.ArrayComparison;
import dev.rechunker.view.Insertion;
import dev.rechunker.view.Nodes;
import dev.rechunker.view.Rebase;
import dev.rechunker.view.RebasedView;
import dev.rechunker.view.TargetView;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An existing target, into which arrays are written. Refuses arrays whose elements mean something else than those of
 * the target, and arrays that would not be whole afterwards.
 */
final class ExistingTarget {
    private final StoreLocation target;
    private final Placement placement;
    private final TargetView view;
    private final Set<String> seen = new HashSet<>();
    /** The arrays that are appended, and the existing ones that they are appended to, by path. */
    private final Map<String, ArraySpec> appended = new TreeMap<>();

    private final Map<String, ArraySpec> before = new TreeMap<>();
    /** The axes that are extended, by path. */
    private final Map<String, Integer> axes = new TreeMap<>();

    ExistingTarget(StoreLocation target, Placement placement, boolean keepEmpty) throws StoreException {
        if (target.store().updatable().isEmpty()) {
            throw new StoreException(target + " cannot be written into: its format, or the way it was opened, does not"
                    + " allow arrays that exist to be changed; copy to a new place");
        }
        this.target = target;
        this.placement = placement;
        this.view = new TargetView(target.store(), keepEmpty);
    }

    /** {@return the lock that keeps other runs out of the arrays} */
    TargetLock lock() {
        return new TargetLock() {
            @Override
            public Optional<Path> directory() throws IOException {
                return view.lockDirectory(target.path());
            }

            @Override
            public Closeable hold() throws IOException {
                return view.hold();
            }
        };
    }

    /**
     * {@return a view of the source in which times have the units of the arrays that they are appended to}
     *
     * @param maxMem the memory that checking the times may take
     * @throws StoreException if a time cannot be expressed in these units and their type; the message names it
     */
    StoreLocation rebased(StoreLocation source, ByteSize maxMem) throws IOException {
        if (!(placement instanceof Placement.Append)) {
            return source;
        }
        Map<String, Rebase> changes =
                RebasedView.changes(source, (path, own) -> Nodes.understoodArray(target.resolve(path)));
        ChunkStore rebased = RebasedView.of(source.store(), changes);
        RebasedView.requirePossible(rebased, changes.keySet(), maxMem.bytes());
        return rebased.at(source.path());
    }

    /** {@return the target as the plan sees it} */
    StoreLocation view() {
        return view.at(target.path());
    }

    /**
     * Plans where the elements of an array go.
     *
     * @param origin the index that the first element has in the whole source
     * @return the insertion; empty if the array is not written because it does not have the axis
     */
    Optional<Insertion> planInsertion(String path, StoreLocation place, ArraySpec source, long[] origin)
            throws IOException {
        seen.add(path);
        ArraySpec there = array(path, place);
        if (placement instanceof Placement.Append append) {
            int axis = axis(append, path, place, source, there);
            if (axis < 0) {
                requireAlike(place, source, path, there, -1);
                return Optional.empty();
            }
            requireAlike(place, source, path, there, axis);
            appended.put(path, source);
            before.put(path, there);
            axes.put(path, axis);
            long[] start = new long[origin.length];
            start[axis] = there.shape().extent(axis);
            return Optional.of(insertion(path, there, start, source.shape()));
        }
        if (!path.isEmpty()) {
            throw new IllegalArgumentException(place + " is a group, which can only be appended to " + target
                    + " along an axis; name an axis, or copy one array");
        }
        List<Long> offset = ((Placement.At) placement).offset();
        long[] start = offset == null
                ? origin
                : offset.stream().mapToLong(Long::longValue).toArray();
        requireRank(place, source, path, there);
        if (start.length != origin.length) {
            throw new IllegalArgumentException("the offset has " + start.length + " axes, but the array has "
                    + there.shape().rank() + ": " + there.shape());
        }
        requireSameElements(place, source, path, there);
        for (int axis = 0; axis < start.length; axis++) {
            long last = there.shape().extent(axis) - source.shape().extent(axis);
            if (start[axis] < 0 || start[axis] > last) {
                throw new IllegalArgumentException(source.shape() + " at " + Arrays.toString(start)
                        + " is not inside of " + target.resolve(path) + ", which is " + there.shape()
                        + "; to make it longer, append along an axis");
            }
        }
        return Optional.of(insertion(path, there, start, source.shape()));
    }

    private Insertion insertion(String path, ArraySpec there, long[] start, Shape shape) throws StoreException {
        try {
            return Insertion.of(there, Region.of(start, shape));
        } catch (IllegalArgumentException e) {
            throw new StoreException(target.resolve(path) + " cannot become longer: " + e.getMessage(), e);
        } catch (ArithmeticException e) {
            throw new StoreException(
                    target.resolve(path) + " cannot become longer: it is " + there.shape()
                            + ", and no axis has more than 2^63 - 1 elements",
                    e);
        }
    }

    /** Adds an insertion to the view of the target, and returns how it will be written. */
    WriteTraits insert(String path, Insertion insertion) throws IOException {
        return view.insert(target.resolve(path).path(), insertion);
    }

    /** {@return how an insertion will be read back, if that is known} */
    Optional<ReadTraits> readTraits(String path) throws StoreException {
        return view.windowTraits(target.resolve(path).path());
    }

    private ArraySpec array(String path, StoreLocation place) throws IOException {
        Optional<ChunkStore.Node> node =
                target.store().node(target.resolve(path).path());
        if (node.isPresent() && node.get() instanceof ChunkStore.ArrayNode array) {
            return array.spec();
        }
        throw new StoreException(
                place + " cannot be written into " + target.resolve(path) + ", "
                        + (node.isEmpty() ? "which does not exist" : "which is a group"),
                Advice.NEW_TARGET);
    }

    /** {@return the axis that is extended, or -1 if the array does not have it} */
    private static int axis(
            Placement.Append append, String path, StoreLocation place, ArraySpec source, ArraySpec there) {
        int rank = source.shape().rank();
        if (append.name() == null) {
            if (!path.isEmpty()) {
                throw new IllegalArgumentException(
                        "axis " + append.axis() + " may be a different one in each array of the group around " + place
                                + "; append along an axis by its name");
            }
            if (append.axis() < 0 || append.axis() >= rank) {
                throw new IllegalArgumentException("there is no axis " + append.axis() + " in " + place + ", which has "
                        + rank + " axes: " + source.shape());
            }
            return append.axis();
        }
        int axis = named(source).indexOf(append.name());
        axis = axis < 0 && named(source).isEmpty() ? named(there).indexOf(append.name()) : axis;
        if (axis < 0 && path.isEmpty()) {
            throw new IllegalArgumentException(
                    place + " has no axis " + append.name() + "; its axes are " + source.dimensionNames());
        }
        return axis;
    }

    private static List<@Nullable String> named(ArraySpec spec) {
        return spec.dimensionNames().stream().allMatch(Objects::isNull) ? List.of() : spec.dimensionNames();
    }

    private void requireRank(StoreLocation place, ArraySpec source, String path, ArraySpec there)
            throws StoreException {
        if (source.shape().rank() != there.shape().rank()) {
            throw unlike(place, path, "the number of axes", source.shape(), there.shape());
        }
    }

    /**
     * Checks that an array differs from the existing one only in its length on an axis.
     *
     * @param axis the number of the axis; -1 for none
     */
    private void requireAlike(StoreLocation place, ArraySpec source, String path, ArraySpec there, int axis)
            throws StoreException {
        requireRank(place, source, path, there);
        for (int i = 0; i < source.shape().rank(); i++) {
            if (i != axis && source.shape().extent(i) != there.shape().extent(i)) {
                throw unlike(place, path, "the shape on axis " + i, source.shape(), there.shape());
            }
        }
        requireSameElements(place, source, path, there);
    }

    /** Checks that the elements of both arrays mean the same. */
    private void requireSameElements(StoreLocation place, ArraySpec source, String path, ArraySpec there)
            throws StoreException {
        if (!source.dataType().equals(there.dataType())) {
            throw unlike(place, path, "the type", source.dataType(), there.dataType());
        }
        boolean swapped = !source.byteOrder().equals(there.byteOrder());
        FillValue missing =
                source.missingValue().swapped(swapped ? source.dataType().wordSize() : 1);
        if (!missing.equals(there.missingValue())
                && !(isNone(source, source.missingValue()) && isNone(there, there.missingValue()))) {
            throw unlike(place, path, "the missing value", missing, there.missingValue());
        }
        if (!named(source).isEmpty()
                && !named(there).isEmpty()
                && !named(source).equals(named(there))) {
            throw unlike(place, path, "the names of axes", source.dimensionNames(), there.dimensionNames());
        }
        for (String meaning : new TreeSet<>(Attributes.MEANINGS)) {
            if (!Attributes.mean(source.attributes(), there.attributes(), meaning)) {
                throw unlike(
                        place,
                        path,
                        "the attribute " + meaning + ", on which the meaning of its numbers depends",
                        String.valueOf(source.attributes().get(meaning)),
                        String.valueOf(there.attributes().get(meaning)));
            }
        }
    }

    /** {@return whether a missing value marks no more elements than those that are missing anyway: NaN} */
    private static boolean isNone(ArraySpec spec, FillValue missing) {
        if (missing.bytes().isEmpty()) {
            return true;
        }
        ByteBuffer value = ByteBuffer.wrap(missing.bytes().get()).order(spec.byteOrder());
        return (spec.dataType().equals(DataType.FLOAT32) && Float.isNaN(value.getFloat()))
                || (spec.dataType().equals(DataType.FLOAT64) && Double.isNaN(value.getDouble()));
    }

    /**
     * Checks that coordinates do not occur twice along the axis that is extended.
     *
     * @param most the bytes of coordinates that may be held; larger arrays are not checked
     */
    void requireNew(StoreLocation place, String path, ArrayReader coordinates, long most) throws IOException {
        StoreLocation there = target.resolve(path);
        if (!axes.containsKey(path) || !Coordinates.isCoordinate(place.path(), coordinates.spec())) {
            return;
        }
        try (ArrayReader existing = there.store().openReader(there.path())) {
            Optional<String> twice = CoordinateValues.common(coordinates, existing, most);
            if (twice.isPresent()) {
                throw new StoreException(
                        place + " has the value " + twice.get() + ", which " + there
                                + " has, too, so these data may have been appended before",
                        Advice.of("allow-duplicates", "append them again with allowDuplicates()"));
            }
        }
    }

    private StoreException unlike(StoreLocation place, String path, String what, Object ours, Object theirs) {
        return new StoreException(place + " differs from " + target.resolve(path) + ", which exists, in " + what + ": "
                + ours + ", not " + theirs);
    }

    /** Checks that an array without the axis is the same in source and target, element by element. */
    void requireSame(StoreLocation place, String path, ByteSize maxMem, int threads) throws IOException {
        StoreLocation there = target.resolve(path);
        try (ArrayReader one = place.store().openReader(place.path());
                ArrayReader other = there.store().openReader(there.path())) {
            Optional<Difference> difference = ArrayComparison.plan(
                            one.spec(), one.traits(), other.spec(), other.traits(), maxMem, threads, 1)
                    .run(one, other, MemoryBudget.of(maxMem))
                    .difference();
            if (difference.isPresent()) {
                throw new StoreException("arrays without the axis must be the same in source and target, but "
                        + difference.get().of(place.toString(), there.toString()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while " + place + " was compared with " + there)
                    .initCause(e);
        }
    }

    /**
     * Checks that some array of the group has the axis, that something is appended to each array that has it, and that
     * these are as long on it as their coordinates.
     *
     * @param source the location of the source
     */
    void requireWhole(StoreLocation source) throws IOException {
        if (placement instanceof Placement.Append append && append.name() != null) {
            if (appended.isEmpty()) {
                throw new IllegalArgumentException(
                        "nothing would be appended: no array in " + source + " has an axis " + append.name());
            }
            requireAllSeen(append.name());
            requireWhole(source, append.name(), appended);
            requireWhole(target, append.name(), before);
            requireEvenLengths(append.name());
        }
    }

    private static void requireWhole(StoreLocation place, String axis, Map<String, ArraySpec> arrays)
            throws StoreException {
        Optional<String> disagreement = Coordinates.disagreement(axis, arrays);
        if (disagreement.isPresent()) {
            throw new StoreException(
                    place + ": " + disagreement.get()
                            + ", so what is appended would be at wrong coordinates; complete it, or append to the arrays one by one");
        }
    }

    /**
     * Checks that arrays of one group have the same length if the same is appended to all of them. They may not if an
     * append was killed.
     */
    private void requireEvenLengths(String axis) throws StoreException {
        Map<String, String> firsts = new TreeMap<>();
        for (String path : appended.keySet()) {
            String group = NodePaths.parent(path);
            String first = firsts.computeIfAbsent(group, none -> path);
            long one = length(before, first);
            long other = length(before, path);
            if (one != other && length(appended, first) == length(appended, path)) {
                throw new StoreException("of the arrays in " + target.resolve(group) + ", " + first + " has " + one
                        + " elements along " + axis + ", but " + path + " has " + other
                        + ", perhaps because an append was killed; complete it, or append to the arrays one by one");
            }
        }
    }

    /** {@return the length of an array on the axis along which it is appended} */
    private long length(Map<String, ArraySpec> arrays, String path) {
        return Objects.requireNonNull(arrays.get(path)).shape().extent(Objects.requireNonNull(axes.get(path)));
    }

    /** Refuses an array of the target with an axis if the source has no such array. */
    private void requireAllSeen(String axis) throws IOException {
        for (Map.Entry<String, ArraySpec> array : Nodes.arrays(target).entrySet()) {
            if (!seen.contains(array.getKey())
                    && array.getValue().dimensionNames().contains(axis)) {
                throw new StoreException(target.resolve(array.getKey()) + " has the axis " + axis
                        + ", but nothing would be appended to it, as the source has no such array");
            }
        }
    }
}
