package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.Listing;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keys, and for each of them bytes in the table or a range of a file. About 50 bytes and a name in UTF-8 are in memory
 * for a key, so that millions of keys fit. Immutable.
 */
final class ReferenceTable {
    /** The length of a reference to a whole file. */
    static final long WHOLE = -1;

    /** The number of the file of a value that is in the table. */
    private static final int INLINE = -1;

    /** The bytes in memory for a key in addition to its name: its number in the order, and what it refers to. */
    private static final long ENTRY = 3L * Integer.BYTES + 2L * Long.BYTES;

    private final List<String> files;
    private final byte[] names;
    private final int[] nameEnds;
    private final int[] fileNumbers;
    private final long[] offsets;
    private final long[] lengths;
    private final byte[] inline;
    private final int[] order;

    private ReferenceTable(Builder builder) throws StoreException {
        int count = builder.count;
        this.files = List.copyOf(builder.files.keySet());
        this.names = builder.names.toArray();
        this.nameEnds = Arrays.copyOf(builder.nameEnds, count);
        this.fileNumbers = Arrays.copyOf(builder.fileNumbers, count);
        this.offsets = Arrays.copyOf(builder.offsets, count);
        this.lengths = Arrays.copyOf(builder.lengths, count);
        this.inline = builder.inline.toArray();
        this.order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        sort(order, new int[count], 0, count);
        for (int i = 1; i < count; i++) {
            if (compare(order[i - 1], order[i]) == 0) {
                throw new StoreException(
                        builder.where + " has the key \"" + Template.shown(name(order[i])) + "\" twice");
            }
        }
    }

    /** What a key refers to. */
    sealed interface Target {}

    /** Bytes in the table. */
    record Inline(ByteBuffer bytes) implements Target {}

    /**
     * A range of a file.
     *
     * @param file the number of the file in {@link #files()}
     * @param length the number of bytes; {@link #WHOLE} for the whole file
     */
    record Range(int file, long offset, long length) implements Target {}

    /** Collects keys in any order. */
    static final class Builder {
        /** The most bytes of a table; while it is made, twice as many are in memory. */
        private static final long MOST = Runtime.getRuntime().maxMemory() / 4;

        private final String where;
        private final Map<String, Integer> files = new LinkedHashMap<>();
        private final Bytes names = new Bytes();
        private final Bytes inline = new Bytes();
        private int[] nameEnds = new int[16];
        private int[] fileNumbers = new int[16];
        private long[] offsets = new long[16];
        private long[] lengths = new long[16];
        private int count;
        private long fileBytes;

        /** @param where the location of the document, for messages */
        Builder(String where) {
            this.where = where;
        }

        /** Adds a key with its bytes. */
        void add(String key, byte[] bytes) throws StoreException {
            requireSpace(key.length() + (long) bytes.length);
            add(key, INLINE, inline.size(), bytes.length);
            inline.append(bytes);
        }

        /** Adds a key that refers to bytes of a file. */
        void add(String key, String file, long offset, long length) throws StoreException {
            requireSpace(key.length());
            Integer known = files.get(file);
            if (known == null) {
                fileBytes += 100 + 2L * file.length();
                known = files.size();
                files.put(file, known);
            }
            add(key, known, offset, length);
        }

        private void add(String key, int file, long offset, long length) {
            if (count == nameEnds.length) {
                int larger = (int) Math.min(2L * count, Integer.MAX_VALUE - 8);
                nameEnds = Arrays.copyOf(nameEnds, larger);
                fileNumbers = Arrays.copyOf(fileNumbers, larger);
                offsets = Arrays.copyOf(offsets, larger);
                lengths = Arrays.copyOf(lengths, larger);
            }
            names.append(key.getBytes(StandardCharsets.UTF_8));
            nameEnds[count] = names.size();
            fileNumbers[count] = file;
            offsets[count] = offset;
            lengths[count] = length;
            count++;
        }

        private void requireSpace(long more) throws StoreException {
            long bytes = ENTRY * (count + 1L) + names.size() + inline.size() + fileBytes + 3 * more;
            if (bytes > MOST || Math.max(names.size(), inline.size()) + 3 * more > Integer.MAX_VALUE - 8) {
                throw new StoreException(where + " has more than " + count + " keys, whose references take " + bytes
                        + " bytes, more than fit in this size of the heap; raise -Xmx, or split the document");
            }
        }

        /** Replaces the name of each file. */
        void renameFiles(Renaming renaming) throws StoreException {
            Map<String, Integer> renamed = new LinkedHashMap<>();
            int[] numbers = new int[files.size()];
            int i = 0;
            for (String file : files.keySet()) {
                String name = renaming.rename(file);
                numbers[i++] = renamed.computeIfAbsent(name, any -> renamed.size());
            }
            for (int key = 0; key < count; key++) {
                fileNumbers[key] = fileNumbers[key] == INLINE ? INLINE : numbers[fileNumbers[key]];
            }
            files.clear();
            files.putAll(renamed);
        }

        ReferenceTable build() throws StoreException {
            return new ReferenceTable(this);
        }
    }

    /** A new name for a file. */
    @FunctionalInterface
    interface Renaming {
        String rename(String file) throws StoreException;
    }

    /** Bytes that grow. */
    private static final class Bytes {
        private byte[] bytes = new byte[256];
        private int size;

        int size() {
            return size;
        }

        void append(byte[] more) {
            if (more.length > bytes.length - size) {
                int larger =
                        (int) Math.min(Math.max(2L * bytes.length, size + (long) more.length), Integer.MAX_VALUE - 8);
                bytes = Arrays.copyOf(bytes, larger);
            }
            System.arraycopy(more, 0, bytes, size, more.length);
            size += more.length;
        }

        byte[] toArray() {
            return Arrays.copyOf(bytes, size);
        }
    }

    /** {@return the files that keys refer to} */
    List<String> files() {
        return files;
    }

    /** {@return the bytes in memory} */
    long heldBytes() {
        long ofFiles =
                files.stream().mapToLong(file -> 100 + 2L * file.length()).sum();
        return ENTRY * order.length + names.length + inline.length + ofFiles;
    }

    /** {@return what a key refers to; empty if there is no such key} */
    Optional<Target> find(String key) {
        byte[] wanted = key.getBytes(StandardCharsets.UTF_8);
        int place = firstFrom(wanted);
        if (place == order.length || compare(order[place], wanted) != 0) {
            return Optional.empty();
        }
        int entry = order[place];
        if (fileNumbers[entry] != INLINE) {
            return Optional.of(new Range(fileNumbers[entry], offsets[entry], lengths[entry]));
        }
        ByteBuffer bytes = ByteBuffer.wrap(inline, (int) offsets[entry], (int) lengths[entry]);
        return Optional.of(new Inline(bytes.slice().asReadOnlyBuffer()));
    }

    /** {@return the names directly below a prefix} */
    Listing list(String prefix) {
        byte[] start = (prefix.isEmpty() ? "" : prefix + "/").getBytes(StandardCharsets.UTF_8);
        List<String> values = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        int place = firstFrom(start);
        while (place < order.length && startsWith(order[place], start)) {
            String rest = name(order[place]).substring(prefix.isEmpty() ? 0 : prefix.length() + 1);
            int slash = rest.indexOf('/');
            if (slash < 0) {
                values.add(rest);
                place++;
                continue;
            }
            String name = rest.substring(0, slash);
            directories.add(name);
            String after = (prefix.isEmpty() ? "" : prefix + "/") + name + (char) ('/' + 1);
            place = firstFrom(after.getBytes(StandardCharsets.UTF_8));
        }
        Collections.sort(directories); // a slash is after some other characters
        return new Listing(values, directories);
    }

    private int nameStart(int entry) {
        return entry == 0 ? 0 : nameEnds[entry - 1];
    }

    private String name(int entry) {
        int start = nameStart(entry);
        return new String(names, start, nameEnds[entry] - start, StandardCharsets.UTF_8);
    }

    private boolean startsWith(int entry, byte[] start) {
        int from = nameStart(entry);
        return nameEnds[entry] - from >= start.length
                && Arrays.equals(names, from, from + start.length, start, 0, start.length);
    }

    private int compare(int a, int b) {
        return Arrays.compareUnsigned(names, nameStart(a), nameEnds[a], names, nameStart(b), nameEnds[b]);
    }

    private int compare(int entry, byte[] name) {
        return Arrays.compareUnsigned(names, nameStart(entry), nameEnds[entry], name, 0, name.length);
    }

    /** {@return the place in the order of the first key that is not before a name} */
    private int firstFrom(byte[] name) {
        int low = 0;
        int high = order.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(order[middle], name) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Sorts entries by their names: merges sorted halves. */
    private void sort(int[] entries, int[] spare, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(entries, spare, from, middle);
        sort(entries, spare, middle, to);
        if (compare(entries[middle - 1], entries[middle]) <= 0) {
            return;
        }
        System.arraycopy(entries, from, spare, from, to - from);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takesLeft = right == to || (left < middle && compare(spare[left], spare[right]) <= 0);
            entries[i] = takesLeft ? spare[left++] : spare[right++];
        }
    }
}
