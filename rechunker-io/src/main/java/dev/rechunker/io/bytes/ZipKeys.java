package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a zip file (zip64 included), read-only.
 *
 * <p>A stored entry is read from any position directly. A deflated entry is inflated as a stream: a read further on
 * skips bytes, a read further back starts again from the beginning, and never more than one piece of it is in memory.
 * An entry that is read completely, from start to end, must have the length and checksum that the zip file states.
 */
public final class ZipKeys extends ReadOnlyKeys {
    private static final int PIECE = 1 << 15;

    /** The bytes of a deflated entry that the JDK reads at once, at most. */
    private static final long STREAM = 64 << 10;

    /** The bytes that zlib allocates to inflate: its window and tables, rounded up. */
    private static final long INFLATER = 48 << 10;

    /** The bytes that a source takes at most. */
    static final long SOURCE_BYTES = PIECE + STREAM + INFLATER;

    /**
     * The bytes that the JDK keeps for each entry in addition to its texts: the record in the file's directory, and
     * four numbers to find it.
     */
    private static final long ENTRY = 46 + 4 * Integer.BYTES;

    /**
     * The bytes of a name in the index in addition to its characters, at most: a reference, a string, and the header of
     * an array.
     */
    private static final long NAME = 8 + 24 + 24;

    /**
     * The character after the slash: a name that has it instead of the slash is sorted after all names below the slash.
     */
    private static final char AFTER_SLASH = '/' + 1;

    private final Path path;
    private final ZipFile zip;

    /** The names of all entries, sorted, so that a listing visits only its own names. */
    private final String[] names;

    private final long heldBytes;

    private ZipKeys(Path path, ZipFile zip) {
        super("a zip file");
        this.path = path;
        this.zip = zip;
        this.names = zip.stream().map(ZipEntry::getName).distinct().sorted().toArray(String[]::new);
        this.heldBytes = zip.stream().mapToLong(ZipKeys::heldBytes).sum();
    }

    private static long heldBytes(ZipEntry entry) {
        byte[] extra = entry.getExtra();
        long indexed = NAME + (long) Character.BYTES * entry.getName().length();
        return ENTRY + utf8(entry.getName()) + utf8(entry.getComment()) + (extra == null ? 0 : extra.length) + indexed;
    }

    private static long utf8(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * {@return the entries of a zip file, which stays open until the store is closed}
     *
     * @throws StoreException if the file is not a zip file
     */
    public static ZipKeys open(Path path) throws IOException {
        try {
            return new ZipKeys(path, new ZipFile(path.toFile()));
        } catch (ZipException | EOFException e) {
            throw new StoreException(
                    path + " is not a readable zip file: "
                            + (e.getMessage() == null ? "it is truncated" : e.getMessage()),
                    e);
        }
    }

    /** {@return the names of all entries} */
    public Stream<String> entries() {
        return zip.stream().map(ZipEntry::getName);
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public String identity() {
        try {
            return path.toRealPath().toUri().toString();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize().toUri().toString();
        }
    }

    @Override
    public Optional<String> address() {
        return Optional.of(path.toAbsolutePath().normalize().toUri().toString());
    }

    @Override
    public long sourceBytes() {
        return SOURCE_BYTES;
    }

    @Override
    public long heldBytes() {
        return heldBytes;
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        Keys.check(name(), key);
        ZipEntry entry = zip.getEntry(key);
        return entry == null || entry.isDirectory() ? Optional.empty() : Optional.of(new EntrySource(entry));
    }

    @Override
    public Listing list(String prefix) throws IOException {
        Keys.checkPrefix(name(), prefix);
        String start = prefix.isEmpty() ? "" : prefix + "/";
        TreeSet<String> values = new TreeSet<>();
        TreeSet<String> directories = new TreeSet<>();
        for (int i = from(start); i < names.length && names[i].startsWith(start); ) {
            int slash = names[i].indexOf('/', start.length());
            if (slash >= 0) {
                directories.add(names[i].substring(start.length(), slash));
                i = from(names[i].substring(0, slash) + AFTER_SLASH);
            } else {
                if (names[i].length() > start.length()) {
                    values.add(names[i].substring(start.length()));
                }
                i++;
            }
        }
        return new Listing(new ArrayList<>(values), new ArrayList<>(directories));
    }

    /** {@return the index of the first name that is not less than a text} */
    private int from(String text) {
        int found = Arrays.binarySearch(names, text);
        return found < 0 ? -found - 1 : found;
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** An entry that is open for reading. In a stored entry, skipping reads no bytes. */
    private final class EntrySource implements ByteSource {
        private final ZipEntry entry;
        private @Nullable InputStream stream;
        private final CRC32 sum = new CRC32();
        private long position;
        /** The number of bytes, from the start on, that are in the checksum. */
        private long summed;

        EntrySource(ZipEntry entry) {
            this.entry = entry;
        }

        @Override
        public long size() {
            return entry.getSize();
        }

        /** {@return a text that is always the same, as the file is not replaced while it is open} */
        @Override
        public Optional<String> tag() {
            return Optional.of("");
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            if (offset < 0 || offset > size() - target.remaining()) {
                throw new EOFException(name() + ": \"" + entry.getName() + "\" has " + size() + " bytes, but "
                        + target.remaining() + " bytes are needed at byte " + offset);
            }
            try {
                InputStream in = streamAt(offset);
                byte[] piece = new byte[Math.min(PIECE, target.remaining())];
                while (target.hasRemaining()) {
                    int count = in.read(piece, 0, Math.min(piece.length, target.remaining()));
                    if (count < 0) {
                        throw new EOFException("it ends at byte " + position + " of " + size());
                    }
                    target.put(piece, 0, count);
                    if (summed == position) {
                        sum.update(piece, 0, count);
                        summed += count;
                    }
                    position += count;
                }
                if (position == entry.getSize() && summed == position) {
                    requireEnd(in);
                }
            } catch (ZipException | EOFException e) {
                throw corrupt(e.getMessage() == null ? "the zip file is truncated" : e.getMessage(), e);
            }
        }

        private void requireEnd(InputStream in) throws IOException {
            if (in.read() >= 0) {
                throw corrupt("it is longer than " + entry.getSize() + " bytes", null);
            }
            if (entry.getCrc() >= 0 && entry.getCrc() != sum.getValue()) {
                throw corrupt("its checksum is wrong", null);
            }
        }

        private StoreException corrupt(String why, @Nullable Exception e) {
            return new StoreException(name() + ": \"" + entry.getName() + "\" is corrupt: " + why, e);
        }

        private InputStream streamAt(long offset) throws IOException {
            if (stream == null || offset < position) {
                close();
                stream = zip.getInputStream(entry);
                position = 0;
                summed = 0;
                sum.reset();
            }
            stream.skipNBytes(offset - position);
            position = offset;
            return stream;
        }

        @Override
        public void close() throws IOException {
            if (stream != null) {
                stream.close();
                stream = null;
            }
        }
    }
}
