package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;

/**
 * The meaning of the decoded bytes of a chunk: its elements in C order.
 *
 * @param dataType the type of an element
 * @param byteOrder the byte order of elements
 * @param chunkShape the nominal shape of the chunk, which determines its decoded size
 * @param mostBytes the most bytes that the elements of a chunk, if they have a variable length, and their lengths take
 *     without compression; {@link Long#MAX_VALUE} if only the longest element limits them
 */
public record ElementContext(DataType dataType, ByteOrder byteOrder, Shape chunkShape, long mostBytes) {
    /** Creates the context of elements whose size is known. */
    public ElementContext(DataType dataType, ByteOrder byteOrder, Shape chunkShape) {
        this(dataType, byteOrder, chunkShape, Long.MAX_VALUE);
    }

    /**
     * {@return the size of a decoded chunk in bytes}
     *
     * @throws ArithmeticException if the size exceeds a {@code long}
     */
    public long decodedSize() {
        return Math.multiplyExact(chunkShape.elements(), dataType.itemSize());
    }

    /** {@return a context of {@code bytes} bytes that are not elements} */
    static ElementContext bytes(long bytes) {
        return new ElementContext(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, Shape.of(bytes));
    }

    String identity() {
        String order = dataType.wordSize() > 1 ? "," + byteOrder : "";
        String detail = dataType.kind() == DataType.Kind.OPAQUE ? "{" + dataType.detail() + "}" : "";
        return dataType.name() + detail + order + chunkShape;
    }
}
