package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;

/**
 * What is written of an array that exists.
 *
 * @param before the array as it is
 * @param after the array as it will be: the same, or longer
 * @param window what of it is written
 */
public record Insertion(ArraySpec before, ArraySpec after, Region window) {
    /** Checks that the window lies in the array. */
    public Insertion {
        before.requireGrowth(after);
        if (!Region.whole(after.shape()).contains(window)) {
            throw new IllegalArgumentException(window + " is not in an array of " + after.shape());
        }
    }

    /** {@return writing into a window of an array, which is made longer if the window ends behind its end} */
    public static Insertion of(ArraySpec before, Region window) {
        long[] ends = before.shape().toArray();
        for (int axis = 0; axis < ends.length; axis++) {
            ends[axis] = Math.max(ends[axis], window.end(axis));
        }
        return new Insertion(before, before.grown(Shape.of(ends)), window);
    }

    /** {@return the window as an array of its own, cut where the write units of the whole are} */
    public ArraySpec spec() throws StoreException {
        return RegionView.part(after, window);
    }
}
