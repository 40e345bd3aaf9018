package dev.rechunker.job;

import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.ScanLimits;
import dev.rechunker.view.ViewStep;
import dev.rechunker.view.ViewSteps;
import dev.rechunker.view.ViewedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A source and the steps of a view of it, which are bound to its arrays when it is opened.
 *
 * @param source an array or a group
 * @param steps the steps, in the order in which they are applied
 */
public record SourceView(StoreLocation source, List<ViewStep> steps) {
    /** Copies the steps. */
    public SourceView {
        steps = List.copyOf(steps);
    }

    /**
     * {@return the same with one more step}
     *
     * @throws IllegalArgumentException if the text is not of its form
     */
    public SourceView with(String name, String text) {
        List<ViewStep> more = new ArrayList<>(steps);
        more.add(ViewSteps.of(name, text));
        return new SourceView(source, more);
    }

    /**
     * {@return the view, which can be read}
     *
     * @throws IllegalArgumentException if it does not fit the source
     */
    public StoreLocation open() throws IOException {
        return open(ScanLimits.usual());
    }

    /** {@return the same, within limits} */
    StoreLocation open(ScanLimits limits) throws IOException {
        return steps.isEmpty() ? source : ViewedStore.at(source, steps, limits);
    }
}
