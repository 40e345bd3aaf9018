package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;

/**
 * What the decoded bytes of a chunk are: the elements of a box in C order.
 *
 * @param dataType the type of an element
 * @param byteOrder the order of the bytes in its words
 * @param chunkShape the box, padded to its nominal size; its elements say how many bytes a chunk decodes to
 */
public record ElementContext(DataType dataType, ByteOrder byteOrder, Shape chunkShape) {
    /**
     * {@return the bytes of a decoded chunk}
     *
     * @throws ArithmeticException if they exceed a {@code long}
     */
    public long decodedSize() {
        return Math.multiplyExact(chunkShape.elements(), dataType.itemSize());
    }

    /** {@return a line of {@code bytes} single bytes: what is left when elements have lost their meaning} */
    static ElementContext bytes(long bytes) {
        return new ElementContext(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, Shape.of(bytes));
    }

    String identity() {
        String order = dataType.wordSize() > 1 ? "," + byteOrder : "";
        String detail = dataType.kind() == DataType.Kind.OPAQUE ? "{" + dataType.detail() + "}" : "";
        return dataType.name() + detail + order + chunkShape;
    }
}
