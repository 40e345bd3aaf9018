package dev.rechunker.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The value of elements that were never written: the bytes of one element in the array's byte order. An undefined fill
 * value reads as zero bytes. For elements of variable length, the bytes are a length and the contents, without padding.
 */
public final class FillValue {
    /** The undefined fill value, which reads as zero bytes. */
    public static final FillValue UNDEFINED = new FillValue(null);

    private final byte @Nullable [] bytes;

    private FillValue(byte @Nullable [] bytes) {
        this.bytes = bytes;
    }

    /** {@return the fill value with the bytes of one element, in the array's byte order} */
    public static FillValue of(byte... element) {
        return new FillValue(element.clone());
    }

    /** {@return the fill value of elements of variable length with these contents} */
    public static FillValue ofContents(byte[] contents) {
        byte[] element = new byte[DataType.LENGTH_SIZE + contents.length];
        ByteBuffer.wrap(element)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(contents.length)
                .put(contents);
        return new FillValue(element);
    }

    /** {@return the fill value of elements of variable length that an element with its padding has} */
    public static FillValue ofVariable(byte[] element) {
        return ofContents(ElementValue.contents(element));
    }

    /** {@return the defined fill value of {@code itemSize} zero bytes} */
    public static FillValue zero(int itemSize) {
        return new FillValue(new byte[itemSize]);
    }

    /** {@return whether the fill value is defined} */
    public boolean isDefined() {
        return bytes != null;
    }

    /** {@return a copy of the bytes, or empty if the fill value is undefined} */
    public Optional<byte[]> bytes() {
        return Optional.ofNullable(bytes).map(byte[]::clone);
    }

    /**
     * {@return the bytes that an element reads as if it was never written; zero bytes if the fill value is undefined}
     */
    public byte[] element(int itemSize) {
        return bytes == null ? new byte[itemSize] : Arrays.copyOf(bytes, itemSize);
    }

    /** {@return the contents of an element of variable length; empty if the fill value is undefined} */
    public byte[] contents() {
        return bytes == null ? new byte[0] : Arrays.copyOfRange(bytes, DataType.LENGTH_SIZE, bytes.length);
    }

    /** {@return the same value in the other byte order: each word of {@code wordSize} bytes is reversed} */
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
