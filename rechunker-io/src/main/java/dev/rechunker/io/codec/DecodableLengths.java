package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A codec that decodes elements of variable length, or only their lengths. */
interface DecodableLengths extends Codec {
    /** {@return the type of elements; if it is not measured, only lengths are decoded} */
    DataType type();

    @Override
    default String identity() {
        return name();
    }

    @Override
    default Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    /**
     * Decodes an element: its length and, if the type is measured, its bytes and zero bytes up to the size of the type.
     *
     * @param from has the contents of the element at its position, which is then after them
     * @param element the number of the element in the chunk, for messages
     * @throws CodecException if the element is longer than the longest of the type
     */
    default void put(ByteBuffer from, int length, int element, ByteBuffer decoded) throws CodecException {
        boolean swapped = decoded.order() != ByteOrder.LITTLE_ENDIAN;
        decoded.putInt(swapped ? Integer.reverseBytes(length) : length);
        if (!type().isMeasured()) {
            from.position(from.position() + length);
            return;
        }
        int padding = type().longest() - length;
        if (padding < 0) {
            throw new CodecException(name() + ": element " + element + " has " + length
                    + " bytes, but the longest element had " + type().longest() + " when it was looked for");
        }
        int end = from.position() + length;
        decoded.put(from.duplicate().limit(end));
        from.position(end);
        for (; padding >= Long.BYTES; padding -= Long.BYTES) {
            decoded.putLong(0);
        }
        for (; padding > 0; padding--) {
            decoded.put((byte) 0);
        }
    }
}
