package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.view.RegionRead;
import java.util.Arrays;
import java.util.List;

/**
 * The data of a joined array: its spec, the positions of its members, and how they are read. Members have the numbers
 * of the sources; an array that is taken from the first source has only that member. Immutable.
 */
final class ConcatArray {
    private final ArraySpec spec;
    private final ReadTraits traits;
    private final Axis axis;
    /** The positions on the axis at which members start, and the one at which the last member ends. */
    private final long[] starts;

    private final List<RegionRead> members;
    private final boolean counted;

    /**
     * The axis along which members are joined.
     *
     * @param index the axis; -1 if there is only one member
     * @param fresh whether the axis is a new one, which members do not have
     */
    record Axis(int index, boolean fresh) {
        /** {@return the index of this axis in a member; -1 if members do not have it} */
        int inMember() {
            return fresh ? -1 : index;
        }
    }

    /**
     * Creates the data of an array.
     *
     * @param starts the positions at which members start, and the one at which the last member ends; not copied
     * @param counted whether all members count the bytes that they read
     */
    ConcatArray(
            ArraySpec spec, ReadTraits traits, Axis axis, long[] starts, List<RegionRead> members, boolean counted) {
        this.spec = spec;
        this.traits = traits;
        this.axis = axis;
        this.starts = starts;
        this.members = members;
        this.counted = counted;
    }

    ArraySpec spec() {
        return spec;
    }

    ReadTraits traits() {
        return traits;
    }

    /** {@return whether all members count the bytes that they read} */
    boolean counted() {
        return counted;
    }

    RegionRead member(int index) {
        return members.get(index);
    }

    /** {@return the number of members} */
    int count() {
        return axis.index < 0 ? 1 : members.size();
    }

    /** {@return whether a member has the axes of this array, and starts where one of its regular chunks does} */
    boolean startsAtChunk(int member) {
        return axis.index < 0
                || (!axis.fresh
                        && starts[member] % spec.chunks().axis(axis.index).step() == 0);
    }

    /** {@return the number of the member that contains a region, which must not be empty} */
    int memberOf(Region region) {
        if (axis.index < 0) {
            return 0;
        }
        // Of members that start at the same position, all but the last are empty.
        long position = region.start(axis.index);
        int found = Arrays.binarySearch(starts, position);
        if (found < 0) {
            return -found - 2;
        }
        while (starts[found + 1] == position) {
            found++;
        }
        return found;
    }

    /** {@return a region in the coordinates of the member that contains it} */
    Region inMember(Region region, int member) {
        if (axis.index < 0) {
            return region;
        }
        long[] origin = region.origin();
        if (!axis.fresh) {
            origin[axis.index] -= starts[member];
            return Region.of(origin, region.shape());
        }
        return Region.of(
                without(origin, axis.index), Shape.of(without(region.shape().toArray(), axis.index)));
    }

    private static long[] without(long[] values, int index) {
        long[] rest = new long[values.length - 1];
        System.arraycopy(values, 0, rest, 0, index);
        System.arraycopy(values, index + 1, rest, index, rest.length - index);
        return rest;
    }
}
