package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.DataType;
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

    /** {@return the view with packed numbers unpacked, to the type that readers such as xarray use} */
    public Views unpack() {
        return with("unpack", "");
    }

    /**
     * {@return the view with packed numbers unpacked} Numbers that are packed with the attributes {@code scale_factor}
     * and {@code add_offset} get their values, missing ones become NaN, and the attributes go. Arrays that are packed
     * by codecs are not packed in the target.
     *
     * @param rules the type, {@code float32} or {@code float64}; empty for the type that readers use; or types of
     *     arrays by path, {@code "t2m=float32; q=auto"}
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views unpack(String rules) {
        return with("unpack", rules);
    }

    /** {@return the view with numbers of another type; see {@link #cast(String)}} */
    public Views cast(DataType type) {
        return with("cast", type.name());
    }

    /**
     * {@return the view with numbers of another type} It concerns the array; of a group, arrays of floats other than
     * coordinates, unless rules name arrays by path. Missing numbers stay missing.
     *
     * @param rules the type, and how numbers become those of the type:
     *     {@code "int16:round=even,overflow=clip,fill=-1"}; or types of arrays by path, {@code "t2m=float32;
     *     mask=uint8"}. Roundings are {@code even} (the default), {@code away}, {@code zero}, {@code up}, {@code down}
     *     and {@code stochastic}. A number that is then out of range ends the job (overflow {@code fail}, the default),
     *     becomes the nearest one ({@code clip}), is taken modulo the number of integers ({@code wrap}), or becomes the
     *     missing value ({@code missing})
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views cast(String rules) {
        return with("cast", rules);
    }

    /**
     * {@return the view with numbers packed into integers} It sets the attributes {@code scale_factor} and
     * {@code add_offset} and a missing value. It concerns arrays as {@link #cast(String)}.
     *
     * @param rules the type, with scale and offset, {@code "int16:scale=0.01,offset=273"}; without them, they follow
     *     from the smallest and the largest number, which are found by reading the array when the view is opened.
     *     Further options are {@code fill} and {@code overflow}. Or types of arrays by path
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views pack(String rules) {
        return with("pack", rules);
    }

    /** {@return the view with floats rounded to a number of bits of the fraction; see {@link #bitRound(String)}} */
    public Views bitRound(int bits) {
        return with("bitround", String.valueOf(bits));
    }

    /**
     * {@return the view with floats rounded to a number of bits of the fraction, ties to even} Missing numbers stay as
     * they are. It concerns arrays as {@link #cast(String)}.
     *
     * @param rules the number of bits; or {@code auto} for as many as keep 99 % of the bitwise real information, which
     *     is measured when the view is opened, with another share {@code auto:information=0.999}; or by path
     * @throws IllegalArgumentException if it is not of this form
     */
    public Views bitRound(String rules) {
        return with("bitround", rules);
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
