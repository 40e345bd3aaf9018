package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.hdf5.format.Signature;
import dev.rechunker.store.StoreException;
import io.jhdf.Superblock;
import io.jhdf.checksum.ChecksumUtils;
import io.jhdf.storage.HdfBackingStorage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * What an HDF5 file says about itself, in small pieces. Addresses count from the superblock, which may stand behind a
 * user block; wherever it says that they count from, since a user block may have been put before it, as h5jam does, or
 * taken away.
 *
 * <p>No piece is larger than 64 MiB, and none reaches beyond the end of the file, whatever the file claims.
 */
final class FileMetadata implements HdfBackingStorage, Closeable {
    /** The address of what does not exist. */
    static final long UNDEFINED = -1;

    /** Bytes of an address or a length; files with others are refused. */
    static final int WORD = Long.BYTES;

    static final int CHECKSUM = Integer.BYTES;

    private static final int LARGEST_SUPERBLOCK = 128;

    /** Of the first version whose flags say that a file is being written. */
    private static final int VERSION_WITH_FLAGS = 3;

    /** Where the flags are in it. */
    private static final int FLAGS = 11;

    private static final int WRITE_ACCESS = 1;
    private static final long MOST = 1 << 26;

    private final FileBytes file;
    private final BoxReader.Source pieces;
    private final long base;
    private final Superblock superblock;
    private final long root;

    private FileMetadata(FileBytes file, BoxReader.Source pieces, long base, Superblock superblock) throws IOException {
        this.file = file;
        this.pieces = pieces;
        this.base = base;
        this.superblock = superblock;
        if (superblock instanceof Superblock.SuperblockV0V1 old) {
            requireWhole(old.getDriverInformationBlockAddress() == UNDEFINED);
            this.root = read(old.getRootGroupSymbolTableAddress() + WORD, WORD).getLong();
        } else {
            this.root = ((Superblock.SuperblockV2V3) superblock).getRootGroupObjectHeaderAddress();
        }
    }

    private void requireWhole(boolean isWhole) throws StoreException {
        if (!isWhole) {
            throw new StoreException(file.name() + " is a part of an HDF5 file that is split into several");
        }
    }

    /** Refuses what the superblock's extension says of the whole file: what is at its addresses would be wrong. */
    private void checkExtension() throws IOException {
        if (!(superblock instanceof Superblock.SuperblockV2V3 extended)
                || extended.getSuperblockExtensionAddress() == UNDEFINED) {
            return;
        }
        ObjectHeader extension = ObjectHeader.read(this, extended.getSuperblockExtensionAddress());
        requireWhole(!extension.has(ObjectHeader.DRIVER_INFO));
        if (extension.has(ObjectHeader.CACHE_IMAGE)) {
            throw new StoreException(file.name() + " has metadata in a cache image, apart from where it belongs, which"
                    + " is not supported; a copy that h5repack makes has none");
        }
    }

    /**
     * {@return an HDF5 file, which is closed with this, or if it is refused}
     *
     * @throws StoreException if it is none, or one that is not understood
     */
    static FileMetadata open(FileBytes file) throws IOException {
        BoxReader.Source pieces = file.isRemote() ? new BlockCache(file) : file::read;
        try {
            return parse(file.name(), () -> {
                long base = Signature.find(file.size(), pieces)
                        .orElseThrow(() -> new StoreException(file.name() + " is not an HDF5 file"));
                ByteBuffer block = ByteBuffer.allocate((int) Math.min(LARGEST_SUPERBLOCK, file.size() - base));
                pieces.read(base, block);
                Superblock superblock = Superblock.readSuperblock(block.flip().order(ByteOrder.LITTLE_ENDIAN));
                if (superblock.getSizeOfOffsets() != WORD || superblock.getSizeOfLengths() != WORD) {
                    throw new StoreException(file.name() + " has addresses of " + superblock.getSizeOfOffsets()
                            + " bytes and lengths of " + superblock.getSizeOfLengths() + "; supported are 8 and 8");
                }
                checkEnded(file, base, block, superblock);
                FileMetadata metadata = new FileMetadata(file, pieces, base, superblock);
                metadata.checkExtension();
                return metadata;
            });
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /**
     * Refuses what HDF5 refuses to open: of such a file some objects may be missing, and some chunks be older ones, and
     * nothing else in it would say so.
     */
    private static void checkEnded(FileBytes file, long base, ByteBuffer block, Superblock superblock)
            throws StoreException {
        int version = superblock.getVersionOfSuperblock();
        if (version >= VERSION_WITH_FLAGS && (block.get(FLAGS) & WRITE_ACCESS) != 0) {
            throw new StoreException(file.name() + " is being written, or was not closed by whoever wrote it; if what"
                    + " is in it will do, h5clear -s takes that mark away");
        }
        long stated = superblock instanceof Superblock.SuperblockV0V1 old
                ? old.getEndOfFileAddress()
                : ((Superblock.SuperblockV2V3) superblock).getEndOfFileAddress();
        long end = stated - superblock.getBaseAddressByte() + base;
        if (Long.compareUnsigned(end, file.size()) > 0) {
            throw new StoreException(
                    file.name() + " is cut off: it has " + file.size() + " bytes of " + Long.toUnsignedString(end));
        }
    }

    /** Something that reads what may be malformed. */
    interface Step<T> {
        T run() throws IOException;
    }

    /**
     * {@return what a step returns}
     *
     * @param what names what is read, for messages
     * @throws StoreException if the step fails in any way but that the storage fails
     * @throws ClosedFileException if the file was closed
     */
    static <T> T parse(String what, Step<T> step) throws IOException {
        try {
            return step.run();
        } catch (StoreException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith(what) ? e : new StoreException(what + ": " + message, e);
        } catch (RuntimeException | StackOverflowError e) {
            Throwable root = e;
            for (Throwable t = e; t != null; t = t.getCause()) {
                root = t;
                if (t instanceof ClosedFileException closed) {
                    throw closed;
                }
                if (t instanceof UncheckedIOException io && !(io.getCause() instanceof StoreException)) {
                    throw io.getCause();
                }
            }
            String named = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
            String why = root instanceof BufferUnderflowException ? "a part of it ends early" : named;
            throw new StoreException(what + " is malformed, or not supported: " + why, e);
        }
    }

    /** {@return the file that the addresses are in} */
    FileBytes file() {
        return file;
    }

    /** {@return what it holds as long as it is open, in bytes, at most} */
    long heldBytes() {
        return file.heldBytes() + (file.isRemote() ? BlockCache.heldBytes(file.size()) : 0);
    }

    /** {@return the place in the file that an address means} */
    long place(long address) {
        return base + address;
    }

    /** {@return the address of the object header of the root group} */
    long root() {
        return root;
    }

    /** {@return bytes at an address, little-endian} */
    ByteBuffer read(long address, long length) throws IOException {
        if (address < 0 || length < 0 || length > MOST || address > file.size() - base - length) {
            throw new StoreException(
                    length + " bytes at address " + address + " are not in the file, or too many for metadata");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        pieces.read(base + address, bytes);
        return bytes.flip();
    }

    /** {@return bytes that begin with a signature and end with their checksum, behind the signature} */
    ByteBuffer readChecked(long address, long length, String signature) throws IOException {
        ByteBuffer bytes = read(address, length);
        checkSum(bytes, signature, address);
        return sign(bytes, signature, address);
    }

    /** {@return bytes that begin with a signature, behind it} */
    ByteBuffer readSigned(long address, long length, String signature) throws IOException {
        return sign(read(address, length), signature, address);
    }

    private static ByteBuffer sign(ByteBuffer bytes, String signature, long address) throws StoreException {
        for (int i = 0; i < signature.length(); i++) {
            if (bytes.get() != signature.charAt(i)) {
                throw new StoreException("there is no " + signature + " at address " + address);
            }
        }
        return bytes;
    }

    /** Checks that the last four of the remaining bytes are the checksum of the others. */
    static void checkSum(ByteBuffer bytes, String what, long address) throws StoreException {
        ByteBuffer all = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        byte[] content = new byte[all.remaining() - CHECKSUM];
        all.get(content);
        if (all.getInt() != ChecksumUtils.checksum(content)) {
            throw new StoreException("the checksum of the " + what + " at address " + address + " is wrong");
        }
    }

    @Override
    public ByteBuffer readBufferFromAddress(long address, int length) {
        return map(address, length);
    }

    @Override
    public ByteBuffer map(long address, long length) {
        try {
            return read(address, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ByteBuffer mapNoOffset(long address, long length) {
        return map(address - base, length);
    }

    @Override
    public long getUserBlockSize() {
        return base;
    }

    @Override
    public Superblock getSuperblock() {
        return superblock;
    }

    @Override
    public FileChannel getFileChannel() {
        throw new UnsupportedOperationException("the channel is not handed out");
    }

    @Override
    public int getSizeOfOffsets() {
        return WORD;
    }

    @Override
    public int getSizeOfLengths() {
        return WORD;
    }

    @Override
    public long size() {
        return file.size();
    }

    @Override
    public boolean inMemory() {
        return false;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
