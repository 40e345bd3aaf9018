package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.ValueCast;
import dev.rechunker.element.ValueCast.Randomness;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the values of one array become: the changed array, and how elements are converted. Immutable. */
final class ValueChange {
    /** Converts numbers that are next to one another. */
    @FunctionalInterface
    interface Kernel {
        /**
         * Converts numbers from the first to the last, as {@link ValueCast#run} does.
         *
         * @param count the number of elements
         */
        void run(ByteBuffer elements, ByteBuffer target, int count, Randomness randomness) throws ValueCast.Refusal;
    }

    private final String place;
    private final ArraySpec own;
    private final ArraySpec spec;
    private final Kernel kernel;
    private final long seed;
    private final ValueCast.@Nullable Refusal fillRefusal;

    /**
     * Creates a change.
     *
     * @param place the array in messages
     * @param changed the changed array, whose fill value follows from that of the array
     */
    ValueChange(String place, ArraySpec own, ArraySpec.Builder changed, Kernel kernel, long seed) {
        this.place = place;
        this.own = own;
        this.kernel = kernel;
        this.seed = seed;
        ArraySpec without = changed.fillValue(FillValue.UNDEFINED).build();
        FillValue fill = FillValue.UNDEFINED;
        ValueCast.Refusal refusal = null;
        try {
            int size = own.dataType().itemSize();
            byte[] element = converted(own.fillValue().element(size), without.dataType());
            boolean isZero = Arrays.equals(element, new byte[element.length]);
            fill = isZero && !own.fillValue().isDefined() ? FillValue.UNDEFINED : FillValue.of(element);
        } catch (ValueCast.Refusal e) {
            refusal = e;
            fill = without.missingValue();
        }
        this.fillRefusal = refusal;
        this.spec = without.toBuilder().fillValue(fill).build();
    }

    private byte[] converted(byte[] element, DataType to) throws ValueCast.Refusal {
        ByteBuffer source = ByteBuffer.wrap(element).order(own.byteOrder());
        ByteBuffer target = ByteBuffer.allocate(to.itemSize()).order(own.byteOrder());
        kernel.run(source, target, 1, index -> 0);
        return target.array();
    }

    /** {@return the changed array} */
    ArraySpec spec() {
        return spec;
    }

    /** {@return why elements that were never written cannot be converted; empty if they can} */
    Optional<StoreException> fillRefusal() {
        return Optional.ofNullable(fillRefusal)
                .map(refusal -> refused(refusal, "the value of elements that were never written"));
    }

    /**
     * Converts elements. The buffers start at the first element; they may be the same memory as for {@link ValueCast}.
     *
     * @param position where the elements are in the array
     * @throws StoreException if an element cannot be converted; the message has its index and its value
     */
    void convert(ByteBuffer elements, ByteBuffer target, int count, Position position) throws StoreException {
        ByteBuffer from = elements.slice().order(own.byteOrder());
        ByteBuffer to = target.slice().order(own.byteOrder());
        try {
            kernel.run(from, to, count, index -> mixed(position.linear(index) + seed * 0x9E3779B97F4A7C15L));
        } catch (ValueCast.Refusal e) {
            throw refused(e, "element " + position.text(e.index()));
        }
    }

    private StoreException refused(ValueCast.Refusal refusal, String what) {
        DataType type = spec.dataType();
        return new StoreException(place + ": " + what + " is " + refusal.number()
                + switch (refusal.reason()) {
                    case NO_EQUAL -> ", which " + type + " does not have; give it a missing value with fill=...";
                    case OUT_OF_RANGE ->
                        ", which is out of the range of " + type
                                + "; choose another type, or say what becomes of it: overflow=clip or overflow=missing";
                    case IS_MISSING ->
                        ", which would become the missing value of " + type
                                + "; choose another one with fill=..., or overflow=missing";
                });
    }

    /** {@return bits that look random, for a number} The function is that of SplitMix64. */
    private static long mixed(long number) {
        long bits = (number + 1) * 0x9E3779B97F4A7C15L;
        bits = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;
        return bits ^ bits >>> 31;
    }

    /** Where elements that are next to one another are in an array. */
    interface Position {
        /** {@return the number of an element in the C order of the array} */
        long linear(int index);

        /** {@return the index of an element, as text} */
        String text(int index);
    }
}
