package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.job.SourceView;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.List;

/**
 * A view of an array or a group: the same elements, seen otherwise. Nothing is read or written before a job uses it as
 * its source. Immutable; each method returns a view of this view.
 *
 * <pre>{@code
 * Rechunker.from(Views.of(source).select("time=::12, lat=[0,3,5]").flip("lat").transpose("lon, lat, time").location())
 * }</pre>
 *
 * <p>Axes are given by name, or those of one array by number. In a group, a view concerns every array with one of its
 * axes, so coordinates and their bounds follow; other arrays stay as they are. Dimension names, fill values, missing
 * values and attributes stay with the array.
 *
 * <p>Chunks of the view are those of the source as the view shows them: permuted, cut or reversed. Chunks without any
 * element of the view are never read.
 */
public final class Views {
    private final SourceView view;

    private Views(SourceView view) {
        this.view = view;
    }

    /** {@return the view of an array, or of a group and everything below it, as it is} */
    public static Views of(StoreLocation source) {
        return new Views(new SourceView(requireNonNull(source, "source"), List.of()));
    }

    /**
     * {@return the view with axes in another order}
     *
     * @param axes the axes in their new order, {@code "x, y, time"}. For one array these are all of them, or
     *     {@code ...} stands for the others, {@code "time, ..."}. In a group, axes of an array that are not named stay
     *     at their places
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views transpose(String axes) {
        return with("transpose", axes);
    }

    /**
     * {@return the view of some elements}
     *
     * @param indices the elements of axes by name, {@code "time=::12, band=[0,3,5]"}, or of all axes of one array in
     *     order. A range is {@code from:to} or {@code from:to:step}, without {@code to} itself; a list, in any order,
     *     {@code [5,1,7]}; a single index leaves an axis of one element. Negative indices count from the end
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views select(String indices) {
        return with("select", indices);
    }

    /**
     * {@return the view with reversed axes}
     *
     * @param axes the axes, {@code "lat, lon"}
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views flip(String axes) {
        return with("flip", axes);
    }

    /** {@return the view without axes of one element} */
    public Views squeeze() {
        return with("squeeze", "");
    }

    /**
     * {@return the view without some axes of one element}
     *
     * @param axes the axes, {@code "band"}; empty for all
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views squeeze(String axes) {
        return with("squeeze", axes);
    }

    /**
     * {@return the view with more axes of one element} In a group, arrays of data get them; coordinates do not, nor
     * arrays that attributes of others name.
     *
     * @param axes the names, {@code "c"} for the first axis, or with its position, {@code "c=1"}
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views newAxis(String axes) {
        return with("new-axis", axes);
    }

    private Views with(String name, String text) {
        return new Views(view.with(name, requireNonNull(text, name)));
    }

    /**
     * {@return the view as the source of a job} It reads from the store of the source, which it does not close. Another
     * process can open it if it can open that store.
     *
     * @throws IllegalArgumentException if the view does not fit the source, as it has no such axis
     * @throws IOException if the source cannot be read
     */
    public StoreLocation location() throws IOException {
        return view.open();
    }
}
