package dev.rechunker.io.classic;

import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the header of a file from its beginning, in blocks. Each count is checked before memory is taken for it. */
final class HeaderInput {
    /** The most bytes of a header. */
    static final long MOST = 1 << 26;

    private static final int BLOCK = 1 << 16;

    private final FileBytes file;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);
    private Kind kind = Kind.CDF1;
    /** The position in the file of the end of the block. */
    private long end;

    HeaderInput(FileBytes file) {
        this.file = file;
        block.limit(0);
    }

    /** Sets the sizes of counts and positions that follow. */
    void setKind(Kind next) {
        kind = next;
    }

    long position() {
        return end - block.remaining();
    }

    StoreException damaged(String why) {
        return new StoreException(file.name() + " is damaged: " + why);
    }

    private long left() {
        return Math.min(file.size(), MOST) - position();
    }

    private void require(String what, long bytes) throws StoreException {
        if (bytes > left() && file.size() > MOST) {
            throw damaged(what + " does not end in the first " + MOST + " bytes, where a header can be");
        }
        if (bytes > left()) {
            throw new StoreException(file.name() + " is damaged or cut off: " + what + " has " + bytes
                    + " bytes at byte " + position() + ", but the file ends at byte " + file.size());
        }
    }

    /** {@return the next bytes} */
    byte[] bytes(String what, long count) throws IOException {
        require(what, count);
        byte[] bytes = new byte[(int) count];
        for (int done = 0; done < bytes.length; ) {
            if (!block.hasRemaining()) {
                block.clear().limit((int) Math.min(BLOCK, file.size() - end));
                file.read(end, block);
                end += block.flip().remaining();
            }
            int some = Math.min(block.remaining(), bytes.length - done);
            block.get(bytes, done, some);
            done += some;
        }
        return bytes;
    }

    /** {@return the next bytes, after which those follow that fill up four} */
    byte[] padded(String what, long count) throws IOException {
        byte[] bytes = bytes(what, count);
        bytes("the padding of " + what, -count & 3);
        return bytes;
    }

    int int32(String what) throws IOException {
        return ByteBuffer.wrap(bytes(what, Integer.BYTES)).getInt();
    }

    private long number(String what, int size) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(what, size));
        return size == Long.BYTES ? bytes.getLong() : bytes.getInt();
    }

    /** {@return a count or a length as it is stored: negative if all bits are set} */
    long signed(String what) throws IOException {
        return number(what, kind.countSize());
    }

    /** {@return a count or a length} */
    long count(String what) throws IOException {
        return positive(what, signed(what));
    }

    /**
     * {@return the number of entries that follow}
     *
     * @param least the least bytes of an entry
     */
    int entries(String what, int least) throws IOException {
        long count = count("the number of " + what);
        if (count > left() / least) {
            throw damaged("it states " + count + " " + what + ", for which the file has no space");
        }
        return (int) count;
    }

    /** {@return the position of a variable} */
    long filePosition(String what) throws IOException {
        return positive(what, number(what, kind.positionSize()));
    }

    private long positive(String what, long number) throws StoreException {
        if (number < 0) {
            throw damaged(what + " is " + number);
        }
        return number;
    }

    String name(String what) throws IOException {
        long length = count("the length of the name of " + what);
        return StoredText.of(padded("the name of " + what, length));
    }
}
