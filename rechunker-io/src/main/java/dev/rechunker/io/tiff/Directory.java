package dev.rechunker.io.tiff;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * An image file directory: the tags of a page. Values that do not fit into the directory are read when they are asked
 * for.
 *
 * @param file the file
 * @param position the position of the directory in the file
 * @param entries the tags, by number
 * @param next the position of the next directory; 0 if there is none
 */
record Directory(TiffFile file, long position, Map<Integer, Entry> entries, long next) {
    /** The most bytes of the value of a tag that is read at once. */
    private static final long LARGEST = 64 << 20;

    /** The sizes of elements by the number of their type, in bytes; 0 for a type that is unknown. */
    private static final int[] SIZES = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};

    private static final int TEXT = 2;
    private static final int RATIONAL = 5;
    private static final int SIGNED_RATIONAL = 10;
    private static final int FLOAT = 11;
    private static final int DOUBLE = 12;

    /**
     * A tag.
     *
     * @param type the number of the type of its elements
     * @param count the number of its elements
     * @param word the elements in the byte order of the file, if they fit into a word; otherwise their position
     */
    record Entry(int type, long count, long word) {}

    /** {@return the size of an element of a type in bytes; 0 if it is unknown} */
    static int sizeOf(int type) {
        return type < 0 || type >= SIZES.length ? 0 : SIZES[type];
    }

    boolean has(int tag) {
        return entries.containsKey(tag);
    }

    /** {@return the number of elements of a tag; 0 if there is no such tag} */
    long count(int tag) {
        Entry entry = entries.get(tag);
        return entry == null ? 0 : entry.count();
    }

    /** {@return the name of a tag of this page, for messages} */
    String name(int tag) {
        return file.name() + ", tag " + tag + " of the page at byte " + position;
    }

    /**
     * {@return the first integer of a tag, or another value if there is no such tag}
     *
     * @throws StoreException if it is no integer that is 0 or more
     */
    long integer(int tag, long otherwise) throws IOException {
        return has(tag) ? integers(tag, 0, 1)[0] : otherwise;
    }

    /**
     * {@return some integers of a tag}
     *
     * @throws StoreException if the tag has not as many, or they are no integers that are 0 or more
     */
    long[] integers(int tag, long from, int count) throws IOException {
        Entry entry = require(tag, from, count);
        ByteBuffer bytes = read(tag, entry, from, count);
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = switch (entry.type()) {
                case 1, 7 -> bytes.get() & 0xFF;
                case 3 -> bytes.getShort() & 0xFFFF;
                case 4, 13 -> bytes.getInt() & 0xFFFFFFFFL;
                case 6 -> bytes.get();
                case 8 -> bytes.getShort();
                case 9 -> bytes.getInt();
                case 16, 17, 18 -> bytes.getLong();
                default ->
                    throw new StoreException(
                            name(tag) + " has elements of type " + entry.type() + ", but must have integers");
            };
            if (values[i] < 0) {
                throw new StoreException(name(tag) + " is " + values[i] + ", but must be 0 or more");
            }
        }
        return values;
    }

    /** {@return all numbers of a tag; none if there is no such tag} */
    double[] numbers(int tag) throws IOException {
        if (!has(tag)) {
            return new double[0];
        }
        Entry entry = require(tag, 0, count(tag));
        int count = Math.toIntExact(entry.count());
        double[] values = new double[count];
        if (entry.type() != RATIONAL
                && entry.type() != SIGNED_RATIONAL
                && entry.type() != FLOAT
                && entry.type() != DOUBLE) {
            long[] integers = integers(tag, 0, count);
            for (int i = 0; i < count; i++) {
                values[i] = integers[i];
            }
            return values;
        }
        ByteBuffer bytes = read(tag, entry, 0, count);
        for (int i = 0; i < count; i++) {
            values[i] = switch (entry.type()) {
                case RATIONAL -> (double) (bytes.getInt() & 0xFFFFFFFFL) / (bytes.getInt() & 0xFFFFFFFFL);
                case SIGNED_RATIONAL -> (double) bytes.getInt() / bytes.getInt();
                case FLOAT -> bytes.getFloat();
                default -> bytes.getDouble();
            };
        }
        return values;
    }

    /** {@return the text of a tag in UTF-8, up to its first zero; empty if there is no such text} */
    Optional<String> text(int tag) throws IOException {
        Entry entry = entries.get(tag);
        if (entry == null || (entry.type() != TEXT && entry.type() != 1 && entry.type() != 7)) {
            return Optional.empty();
        }
        byte[] bytes = bytes(tag);
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return Optional.of(new String(bytes, 0, end, StandardCharsets.UTF_8));
    }

    /** {@return the value of a tag as bytes; none if there is no such tag} */
    byte[] bytes(int tag) throws IOException {
        Entry entry = entries.get(tag);
        if (entry == null) {
            return new byte[0];
        }
        require(tag, 0, entry.count());
        ByteBuffer value = read(tag, entry, 0, entry.count());
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return bytes;
    }

    private Entry require(int tag, long from, long count) throws StoreException {
        Entry entry = entries.get(tag);
        if (entry == null || from + count > entry.count()) {
            throw new StoreException(name(tag)
                    + (entry == null
                            ? " is missing"
                            : " has " + entry.count() + " elements, but must have " + (from + count)));
        }
        long size = sizeOf(entry.type());
        if (count > LARGEST / size) {
            throw new StoreException(name(tag) + " has " + count + " elements, which are more than 64 MiB");
        }
        return entry;
    }

    private ByteBuffer read(int tag, Entry entry, long from, long count) throws IOException {
        int size = sizeOf(entry.type());
        int bytes = (int) (count * size);
        if (entry.count() * size <= file.wordSize()) {
            ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(file.byteOrder());
            if (file.wordSize() == Long.BYTES) {
                value.putLong(0, entry.word());
            } else {
                value.putInt(0, (int) entry.word());
            }
            return value.position((int) (from * size)).limit((int) (from * size) + bytes);
        }
        return file.read("tag " + tag + " of the page at byte " + position, entry.word() + from * size, bytes);
    }
}
