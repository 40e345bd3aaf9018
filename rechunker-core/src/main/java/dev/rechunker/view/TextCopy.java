package dev.rechunker.view;

import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A copy of texts into elements of another type. A text of fixed length ends before its padding with zeros, so that one
 * that ends with such a character is refused, and so is one that is not valid Unicode.
 */
final class TextCopy {
    private static final int END = -1;

    private final String place;
    private final DataType from;
    private final ByteOrder order;
    private final DataType to;

    /**
     * Creates a copy.
     *
     * @param place the name of the array, for messages
     * @param order the byte order of the elements that are read; those that are written are little-endian
     */
    TextCopy(String place, DataType from, ByteOrder order, DataType to) {
        this.place = place;
        this.from = from;
        this.order = from.isVariable() ? ByteOrder.LITTLE_ENDIAN : order;
        this.to = to;
    }

    /** Copies all remaining elements. */
    void copy(ByteBuffer elements, ByteBuffer target) throws StoreException {
        ByteBuffer in = elements.duplicate().order(order);
        ByteBuffer out = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int count = in.remaining() / from.itemSize();
        for (int i = 0; i < count; i++) {
            int start = in.position() + i * from.itemSize();
            ByteBuffer text = text(in, start);
            int at = out.position() + i * to.itemSize();
            put(
                    text,
                    out.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(at).limit(at + to.itemSize()));
        }
        target.position(target.limit());
    }

    /** {@return the bytes of a text, without padding} */
    private ByteBuffer text(ByteBuffer in, int start) throws StoreException {
        if (from.isVariable()) {
            int length = in.getInt(start);
            int first = start + DataType.LENGTH_SIZE;
            if (length > 0 && in.get(first + length - 1) == 0) {
                throw new StoreException(place + " has a text that ends with a zero character, which texts of fixed"
                        + " length cannot have; keep the variable length");
            }
            return in.slice(first, length).order(order);
        }
        int end = start + from.itemSize();
        while (end > start && in.get(end - 1) == 0) {
            end--;
        }
        int word = from.kind() == Kind.UNICODE ? Integer.BYTES : 1;
        int length = (end - start + word - 1) / word * word;
        return in.slice(start, length).order(order);
    }

    private void put(ByteBuffer text, ByteBuffer out) throws StoreException {
        int start = out.position();
        if (to.isVariable()) {
            out.putInt(0);
        }
        for (int point = next(text); point != END; point = next(text)) {
            if (to.kind() == Kind.UNICODE) {
                out.putInt(point);
            } else {
                putUtf8(point, out);
            }
        }
        if (to.isVariable()) {
            out.putInt(start, out.position() - start - DataType.LENGTH_SIZE);
        }
        while (out.hasRemaining()) {
            out.put((byte) 0);
        }
    }

    private int next(ByteBuffer text) throws StoreException {
        if (!text.hasRemaining()) {
            return END;
        }
        int point = from.kind() == Kind.UNICODE ? text.getInt() : utf8(text);
        if (!Character.isValidCodePoint(point)
                || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)) {
            throw new StoreException(place + " has a text that is not valid Unicode; keep its type");
        }
        return point;
    }

    /** {@return the next code point; one that is not valid if the bytes are not} */
    private static int utf8(ByteBuffer text) {
        int first = text.get();
        if (first >= 0) {
            return first;
        }
        int more = Integer.numberOfLeadingZeros(~(first << 24)) - 1;
        if (more < 1 || more > 3 || more > text.remaining()) {
            return Integer.MAX_VALUE;
        }
        int point = first & (0x3F >> more);
        for (int i = 0; i < more; i++) {
            int next = text.get();
            if ((next & 0xC0) != 0x80) {
                return Integer.MAX_VALUE;
            }
            point = point << 6 | (next & 0x3F);
        }
        int least = more == 1 ? 0x80 : more == 2 ? 0x800 : 0x10000;
        return point < least ? Integer.MAX_VALUE : point;
    }

    private static void putUtf8(int point, ByteBuffer out) {
        if (point < 0x80) {
            out.put((byte) point);
        } else if (point < 0x800) {
            out.put((byte) (0xC0 | point >> 6));
            out.put((byte) (0x80 | (point & 0x3F)));
        } else if (point < 0x10000) {
            out.put((byte) (0xE0 | point >> 12));
            out.put((byte) (0x80 | (point >> 6 & 0x3F)));
            out.put((byte) (0x80 | (point & 0x3F)));
        } else {
            out.put((byte) (0xF0 | point >> 18));
            out.put((byte) (0x80 | (point >> 12 & 0x3F)));
            out.put((byte) (0x80 | (point >> 6 & 0x3F)));
            out.put((byte) (0x80 | (point & 0x3F)));
        }
    }
}
