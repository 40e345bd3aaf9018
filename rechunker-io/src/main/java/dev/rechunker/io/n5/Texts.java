package dev.rechunker.io.n5;

import dev.rechunker.array.DataType;
import dev.rechunker.io.codec.CodecException;
import dev.rechunker.io.codec.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The texts of a block, in UTF-8, each of which ends with a zero byte. Readers of n5 leave out the empty texts at the
 * end of a block, and may store it again without them, so that a block may have fewer texts than elements.
 */
final class Texts {
    private Texts() {}

    /** {@return the most bytes of a number of elements of a measured type} */
    static long mostBytes(DataType type, long elements) {
        return Math.multiplyExact(elements, type.longest() + 1L);
    }

    /** Receives texts in their order. */
    interface Sink {
        /**
         * Receives a text.
         *
         * @param element its number in the block
         * @param contents has the text from position to limit, valid until this method returns
         */
        void accept(long element, ByteBuffer contents) throws IOException;
    }

    /**
     * Decodes the remaining bytes.
     *
     * @param count the number of elements; those that are missing at the end are empty
     * @throws CodecException if there are more texts, or the last one does not end
     */
    static void decode(ByteBuffer encoded, long count, Sink sink) throws IOException {
        ByteBuffer from = encoded.duplicate();
        int end = from.limit();
        int start = from.position();
        for (long i = 0; i < count; i++) {
            int at = start;
            while (at < end && from.get(at) != 0) {
                at++;
            }
            if (at == end && start < end) {
                throw new CodecException("text " + i + " of the block has no end; it was cut off or is damaged");
            }
            sink.accept(i, from.limit(at).position(start));
            from.limit(end);
            start = Math.min(end, at + 1);
        }
        if (start < end) {
            throw new CodecException("the block has more than " + count + " texts");
        }
    }

    /**
     * Encodes the remaining elements, which are not changed.
     *
     * @param type the measured type of elements
     * @param encoded has space for {@link #mostBytes}
     * @throws CodecException if a text has a zero byte, or is not valid UTF-8
     */
    static void encode(DataType type, ByteBuffer elements, ByteBuffer encoded) throws CodecException {
        ByteBuffer from = elements.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int count = from.remaining() / type.itemSize();
        for (int i = 0; i < count; i++) {
            int at = from.position() + i * type.itemSize();
            int length = from.getInt(at);
            if (length < 0 || length > type.longest()) {
                throw new CodecException("element " + i + " has the length " + length + ", not 0 to " + type.longest());
            }
            ByteBuffer contents = from.slice(at + DataType.LENGTH_SIZE, length);
            if (!Utf8.isValid(contents)) {
                throw new CodecException("element " + i + " is not valid UTF-8");
            }
            for (int j = 0; j < length; j++) {
                if (contents.get(j) == 0) {
                    throw new CodecException("element " + i
                            + " has the character U+0000, which ends texts in N5; write to another format");
                }
            }
            encoded.put(contents).put((byte) 0);
        }
    }
}
