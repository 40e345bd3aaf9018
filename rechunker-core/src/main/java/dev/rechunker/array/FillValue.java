package dev.rechunker.array;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The value of elements that were never written: the bytes of one element in the array's byte order, or undefined,
 * which reads as zero bytes.
 */
public final class FillValue {
    /** No value was given. Elements never written read as zero bytes. */
    public static final FillValue UNDEFINED = new FillValue(null);

    private final byte @Nullable [] bytes;

    private FillValue(byte @Nullable [] bytes) {
        this.bytes = bytes;
    }

    /** {@return the fill value with these bytes, one element in the array's byte order} */
    public static FillValue of(byte... element) {
        return new FillValue(element.clone());
    }

    /** {@return the fill value of zero bytes} */
    public static FillValue zero(int itemSize) {
        return new FillValue(new byte[itemSize]);
    }

    /** {@return whether a value was given} */
    public boolean isDefined() {
        return bytes != null;
    }

    /** {@return a copy of the element's bytes, or empty if undefined} */
    public Optional<byte[]> bytes() {
        return Optional.ofNullable(bytes).map(byte[]::clone);
    }

    /** {@return the bytes that an element never written reads as} */
    public byte[] element(int itemSize) {
        return bytes == null ? new byte[itemSize] : Arrays.copyOf(bytes, itemSize);
    }

    /** {@return the same value with every word of {@code wordSize} bytes reversed} */
    public FillValue swapped(int wordSize) {
        if (bytes == null || wordSize == 1) {
            return this;
        }
        byte[] swapped = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            int word = i / wordSize * wordSize;
            swapped[word + wordSize - 1 - (i - word)] = bytes[i];
        }
        return new FillValue(swapped);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof FillValue other && Arrays.equals(bytes, other.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes == null ? "undefined" : "0x" + HexFormat.of().formatHex(bytes);
    }
}
