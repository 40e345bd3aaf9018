package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;

/**
 * A window of an existing array that will be written.
 *
 * @param before the array before the write
 * @param after the array after the write: the same, or with larger extents
 * @param window the region of the array that is written
 */
public record Insertion(ArraySpec before, ArraySpec after, Region window) {
    /** Checks that the array only grows, and that the window is inside it. */
    public Insertion {
        before.requireGrowth(after);
        if (!Region.whole(after.shape()).contains(window)) {
            throw new IllegalArgumentException("window " + window + " is outside the array of " + after.shape());
        }
    }

    /** {@return the insertion of a window into an array, which grows if the window exceeds it} */
    public static Insertion of(ArraySpec before, Region window) {
        long[] ends = before.shape().toArray();
        for (int axis = 0; axis < ends.length; axis++) {
            ends[axis] = Math.max(ends[axis], window.end(axis));
        }
        return new Insertion(before, before.grown(Shape.of(ends)), window);
    }

    /** {@return the spec of the window as an array, with the cuts that the array has inside the window} */
    public ArraySpec spec() throws StoreException {
        return RegionView.part(after, window);
    }
}
