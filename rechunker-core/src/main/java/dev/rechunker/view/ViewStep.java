package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Map;

/** A step of a view as it is asked for, in text form. Immutable. */
public interface ViewStep {
    /** {@return the name of the step, which is that of the option: {@code transpose}, {@code select}} */
    String name();

    /** {@return what is asked, from which {@link ViewSteps#of} makes the step again} */
    String text();

    /**
     * {@return the step for the arrays of a source}
     *
     * @param source an array, or a group of arrays
     * @param arrays the arrays of the source by their paths below it
     * @param limits what this may take
     * @throws IllegalArgumentException if the step does not fit the source
     * @throws IOException if the source cannot be read
     */
    ArrayView bind(StoreLocation source, Map<String, ArraySpec> arrays, ScanLimits limits) throws IOException;
}
