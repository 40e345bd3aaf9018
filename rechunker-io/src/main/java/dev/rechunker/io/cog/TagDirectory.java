package dev.rechunker.io.cog;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * One directory (IFD) of a TIFF file: tags with their values, in the order of their numbers, and after them the values
 * that do not fit into a tag.
 */
final class TagDirectory {
    private static final int ASCII = 2;
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int DOUBLE = 12;
    private static final int LONG8 = 16;

    private final ByteOrder order;
    private final boolean isBig;
    private final TreeMap<Integer, Field> fields = new TreeMap<>();

    /**
     * A tag.
     *
     * @param values the values; of tiles, empty, and written later
     * @param bytes the size of the values
     */
    private record Field(int type, long count, ByteBuffer values, long bytes) {}

    TagDirectory(ByteOrder order, boolean isBig) {
        this.order = order;
        this.isBig = isBig;
    }

    void shorts(int tag, int... values) {
        ByteBuffer bytes = buffer(2 * values.length);
        for (int value : values) {
            bytes.putShort((short) value);
        }
        fields.put(tag, new Field(SHORT, values.length, bytes.flip(), bytes.capacity()));
    }

    void integer(int tag, long value) {
        fields.put(tag, new Field(LONG, 1, buffer(4).putInt(0, (int) value), 4));
    }

    void doubles(int tag, double... values) {
        ByteBuffer bytes = buffer(8 * values.length);
        for (double value : values) {
            bytes.putDouble(value);
        }
        fields.put(tag, new Field(DOUBLE, values.length, bytes.flip(), bytes.capacity()));
    }

    void text(int tag, String text) {
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
        fields.put(tag, new Field(ASCII, bytes.length, ByteBuffer.wrap(bytes), bytes.length));
    }

    /** Adds positions, which are written later. */
    void positions(int tag, long count) {
        int size = isBig ? 8 : 4;
        fields.put(tag, new Field(isBig ? LONG8 : LONG, count, ByteBuffer.allocate(0), size * count));
    }

    /** Adds sizes, which are written later. */
    void sizes(int tag, long count) {
        fields.put(tag, new Field(LONG, count, ByteBuffer.allocate(0), 4 * count));
    }

    private int inline() {
        return isBig ? 8 : 4;
    }

    private int entryBytes() {
        return isBig ? 20 : 12;
    }

    private long headBytes() {
        return (isBig ? 8 : 2) + (long) entryBytes() * fields.size() + inline();
    }

    private static long even(long bytes) {
        return bytes + (bytes & 1);
    }

    /** {@return the size of the directory and its values, a multiple of 2} */
    long bytes() {
        return even(headBytes())
                + fields.values().stream()
                        .filter(field -> field.bytes > inline())
                        .mapToLong(field -> even(field.bytes))
                        .sum();
    }

    /**
     * {@return the bytes of the directory at a position, without positions and sizes of tiles, which are the last}
     *
     * @param next the position of the next directory; 0 if there is none
     * @param places takes the positions of the values of {@link #positions} and {@link #sizes}
     */
    ByteBuffer at(long position, long next, Map<Integer, Long> places) {
        long inlineStart = position + (isBig ? 8 : 2) + entryBytes() - inline();
        long values = position + even(headBytes());
        int size = (int) (even(headBytes())
                + fields.values().stream()
                        .filter(field -> field.values.remaining() > inline())
                        .mapToLong(field -> even(field.bytes))
                        .sum());
        ByteBuffer bytes = buffer(size);
        ByteBuffer after = bytes.duplicate().order(order).position((int) even(headBytes()));
        if (isBig) {
            bytes.putLong(fields.size());
        } else {
            bytes.putShort((short) fields.size());
        }
        long late = values + size - even(headBytes());
        for (Map.Entry<Integer, Field> entry : fields.entrySet()) {
            Field field = entry.getValue();
            boolean isLate = field.values.remaining() == 0;
            int end = bytes.position() + entryBytes();
            bytes.putShort((short) (int) entry.getKey()).putShort((short) field.type);
            position(bytes, field.count);
            if (field.bytes <= inline()) {
                if (isLate) {
                    places.put(entry.getKey(), inlineStart);
                } else {
                    bytes.put(field.values.duplicate());
                }
            } else if (isLate) {
                places.put(entry.getKey(), late);
                position(bytes, late);
                late += even(field.bytes);
            } else {
                position(bytes, position + after.position());
                after.put(field.values.duplicate());
                after.position((int) even(after.position()));
            }
            bytes.position(end);
            inlineStart += entryBytes();
        }
        position(bytes, next);
        return bytes.rewind();
    }

    private void position(ByteBuffer bytes, long value) {
        if (isBig) {
            bytes.putLong(value);
        } else {
            bytes.putInt((int) value);
        }
    }

    private ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(order);
    }
}
