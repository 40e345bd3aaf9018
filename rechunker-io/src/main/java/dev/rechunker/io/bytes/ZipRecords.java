package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The records of a zip file in which every entry is stored without compression (APPNOTE.TXT of PKWARE, 4.3). Sizes and
 * positions that do not fit into 32 bits are in zip64 extra fields. All entries have the same time, 1 January 1980, so
 * that equal contents are equal files.
 */
final class ZipRecords {
    private static final int LOCAL = 0x04034b50;
    private static final int CENTRAL = 0x02014b50;
    private static final int END = 0x06054b50;
    private static final int END64 = 0x06064b50;
    private static final int LOCATOR64 = 0x07064b50;
    private static final int LOCAL_BYTES = 30;
    private static final int CENTRAL_BYTES = 46;
    private static final int END_BYTES = 22;
    private static final int END64_BYTES = 56;
    private static final int LOCATOR64_BYTES = 20;

    /** The position of the checksum in a local header. */
    private static final int CHECKSUM = 14;

    private static final short VERSION = 20;
    private static final short VERSION64 = 45;

    /** The high byte of "version made by": attributes are those of Unix. */
    private static final short UNIX = 3 << 8;

    /** The attributes of a regular file that all can read and its owner can write. */
    private static final int MODE = 0100644 << 16;

    /** The flag of a name in UTF-8, for names that have other characters than ASCII. */
    private static final short UTF8 = 1 << 11;

    private static final short DATE = 1 << 5 | 1;
    private static final short EXTRA64 = 1;
    private static final long MOST_32 = 0xffffffffL;
    private static final int MOST_16 = 0xffff;

    private ZipRecords() {}

    /**
     * An entry as its local header describes it.
     *
     * @param offset the position of the header
     * @param headerBytes the size of the header, after which the contents follow
     */
    record Entry(String name, long checksum, long size, long offset, int headerBytes) {
        /** {@return the position after the contents} */
        long end() {
            return offset + headerBytes + size;
        }
    }

    /** {@return the local header of an entry, in front of its contents} */
    static ByteBuffer local(String name, long checksum, long size) throws StoreException {
        byte[] text = text(name);
        boolean large = size >= MOST_32;
        ByteBuffer header = buffer(LOCAL_BYTES + text.length + (large ? 20 : 0));
        header.putInt(LOCAL).putShort(large ? VERSION64 : VERSION).putShort(flags(name, text));
        header.putShort((short) 0).putShort((short) 0).putShort(DATE);
        header.putInt((int) checksum).putInt((int) (large ? MOST_32 : size)).putInt((int) (large ? MOST_32 : size));
        header.putShort((short) text.length).putShort((short) (large ? 20 : 0)).put(text);
        if (large) {
            header.putShort(EXTRA64).putShort((short) 16).putLong(size).putLong(size);
        }
        return header.flip();
    }

    /**
     * {@return the entry whose local header, as {@link #local} makes it, is at a position of a file; empty if there is
     * none, or its contents are not complete}
     */
    static Optional<Entry> read(FileChannel file, long offset) throws IOException {
        long length = file.size();
        if (offset > length - LOCAL_BYTES) {
            return Optional.empty();
        }
        ByteBuffer header = buffer(LOCAL_BYTES);
        Transfers.read(file, "a zip file", offset, header);
        header.flip();
        if (header.getInt(0) != LOCAL) {
            return Optional.empty();
        }
        int nameBytes = Short.toUnsignedInt(header.getShort(26));
        int headerBytes = LOCAL_BYTES + nameBytes + Short.toUnsignedInt(header.getShort(28));
        if (offset > length - headerBytes) {
            return Optional.empty();
        }
        ByteBuffer rest = buffer(headerBytes - LOCAL_BYTES);
        Transfers.read(file, "a zip file", offset + LOCAL_BYTES, rest);
        long size = Integer.toUnsignedLong(header.getInt(22));
        if (size == MOST_32) {
            size = rest.getLong(nameBytes + 4);
        }
        String name = StandardCharsets.UTF_8.decode(rest.slice(0, nameBytes)).toString();
        long checksum = Integer.toUnsignedLong(header.getInt(CHECKSUM));
        Entry entry = new Entry(name, checksum, size, offset, headerBytes);
        return size < 0 || size > length - offset - headerBytes ? Optional.empty() : Optional.of(entry);
    }

    /** {@return the header of an entry in the central directory} */
    static ByteBuffer central(Entry entry) throws StoreException {
        byte[] text = text(entry.name());
        boolean largeSize = entry.size() >= MOST_32;
        boolean largeOffset = entry.offset() >= MOST_32;
        int extra = (largeSize ? 16 : 0) + (largeOffset ? 8 : 0);
        int extraBytes = extra == 0 ? 0 : extra + 4;
        int size = (int) (largeSize ? MOST_32 : entry.size());
        short version = extra == 0 ? VERSION : VERSION64;
        ByteBuffer header = buffer(CENTRAL_BYTES + text.length + extraBytes);
        header.putInt(CENTRAL).putShort((short) (UNIX | version)).putShort(version);
        header.putShort(flags(entry.name(), text)).putShort((short) 0).putShort((short) 0);
        header.putShort(DATE).putInt((int) entry.checksum()).putInt(size).putInt(size);
        header.putShort((short) text.length).putShort((short) extraBytes).putShort((short) 0);
        header.putShort((short) 0).putShort((short) 0).putInt(MODE);
        header.putInt((int) (largeOffset ? MOST_32 : entry.offset())).put(text);
        if (extra > 0) {
            header.putShort(EXTRA64).putShort((short) extra);
        }
        if (largeSize) {
            header.putLong(entry.size()).putLong(entry.size());
        }
        if (largeOffset) {
            header.putLong(entry.offset());
        }
        return header.flip();
    }

    /**
     * {@return the records at the end of a file}
     *
     * @param entries the number of entries
     * @param start the position of the central directory
     * @param bytes its size
     * @param zip64 whether the records of zip64 are written even if the file could do without them
     */
    static ByteBuffer end(long entries, long start, long bytes, byte[] comment, boolean zip64) {
        boolean large = zip64 || entries >= MOST_16 || start >= MOST_32 || bytes >= MOST_32;
        ByteBuffer records = buffer((large ? END64_BYTES + LOCATOR64_BYTES : 0) + END_BYTES + comment.length);
        if (large) {
            records.putInt(END64).putLong(END64_BYTES - 12).putShort((short) (UNIX | VERSION64));
            records.putShort(VERSION64).putInt(0).putInt(0).putLong(entries).putLong(entries);
            records.putLong(bytes).putLong(start);
            records.putInt(LOCATOR64).putInt(0).putLong(start + bytes).putInt(1);
        }
        short count = (short) Math.min(entries, MOST_16);
        records.putInt(END)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort(count)
                .putShort(count);
        records.putInt((int) Math.min(bytes, MOST_32)).putInt((int) Math.min(start, MOST_32));
        return records.putShort((short) comment.length).put(comment).flip();
    }

    private static short flags(String name, byte[] text) {
        return text.length == name.length() ? 0 : UTF8;
    }

    private static byte[] text(String name) throws StoreException {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        if (text.length > MOST_16) {
            throw new StoreException("an entry of a zip file cannot have a name of " + text.length + " bytes, at most "
                    + MOST_16 + ": " + name.substring(0, 100) + "...");
        }
        return text;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
