package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.bytes.BoxReader;
import dev.rechunker.io.file.BlockCache;
import dev.rechunker.io.file.ClosedFileException;
import dev.rechunker.io.file.FileBytes;
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
 * The metadata of an HDF5 file, which is read in small pieces. Addresses are relative to the position of the
 * superblock, which may follow a user block. The base address in the superblock is ignored, because tools such as h5jam
 * add and remove user blocks.
 *
 * <p>A piece that is larger than 64 MiB, or extends beyond the end of the file, is refused.
 */
final class FileMetadata implements HdfBackingStorage, Closeable {
    /** The address of an object that does not exist. */
    static final long UNDEFINED = -1;

    /** The size of addresses and lengths, in bytes. Files with another size are refused. */
    static final int WORD = Long.BYTES;

    static final int CHECKSUM = Integer.BYTES;

    private static final int LARGEST_SUPERBLOCK = 128;

    /** The first version of superblocks with a flag for files that are being written. */
    private static final int VERSION_WITH_FLAGS = 3;

    /** The position of the flags in a superblock. */
    private static final int FLAGS = 11;

    private static final int WRITE_ACCESS = 1;
    private static final long MAX_PIECE = 1 << 26;

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
            throw new StoreException(file.name() + " is a part of an HDF5 file that is split into several files,"
                    + " which is not supported; join them with h5repart or h5repack");
        }
    }

    /** Refuses features in the superblock extension because of which addresses would have a different meaning. */
    private void checkExtension() throws IOException {
        if (!(superblock instanceof Superblock.SuperblockV2V3 extended)
                || extended.getSuperblockExtensionAddress() == UNDEFINED) {
            return;
        }
        ObjectHeader extension = ObjectHeader.read(this, extended.getSuperblockExtensionAddress());
        requireWhole(!extension.has(ObjectHeader.DRIVER_INFO));
        if (extension.has(ObjectHeader.CACHE_IMAGE)) {
            throw new StoreException(file.name() + " has metadata in a cache image, which is not supported;"
                    + " copy the file with h5repack, which removes the image");
        }
    }

    /**
     * {@return the metadata of a file; closing it closes the file, which is also closed if this method fails}
     *
     * @throws StoreException if the file is not HDF5, or has features that are not supported
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
                            + " bytes and lengths of " + superblock.getSizeOfLengths()
                            + " bytes; only 8 bytes are supported");
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
     * Refuses files that the HDF5 library refuses, because they are incomplete: objects may be missing, or chunks
     * outdated, without any other sign.
     */
    private static void checkEnded(FileBytes file, long base, ByteBuffer block, Superblock superblock)
            throws StoreException {
        int version = superblock.getVersionOfSuperblock();
        if (version >= VERSION_WITH_FLAGS && (block.get(FLAGS) & WRITE_ACCESS) != 0) {
            throw new StoreException(file.name() + " is being written, or was not closed by the program that wrote it;"
                    + " if that program has ended, h5clear -s removes the mark, but data may be missing");
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

    /** A step that reads data that may be malformed. */
    interface Step<T> {
        T run() throws IOException;
    }

    /**
     * Runs a step; {@return its result}
     *
     * @param what the name of the data, for messages
     * @throws StoreException if the step fails for any reason other than a failure of the storage
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
            throw new StoreException(what + " is malformed or not supported: " + why, e);
        }
    }

    /** {@return the file} */
    FileBytes file() {
        return file;
    }

    /** {@return the memory in use as long as the file is open, at most, in bytes} */
    long heldBytes() {
        return file.heldBytes() + (file.isRemote() ? BlockCache.heldBytes(file.size()) : 0);
    }

    /** {@return the position in the file for an address} */
    long position(long address) {
        return base + address;
    }

    /** {@return the address of the object header of the root group} */
    long root() {
        return root;
    }

    /** {@return the bytes at an address, little-endian} */
    ByteBuffer read(long address, long length) throws IOException {
        if (address < 0 || length < 0 || length > MAX_PIECE || address > file.size() - base - length) {
            throw new StoreException(
                    length + " bytes at address " + address + " are beyond the end of the file, or more than 64 MiB");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        pieces.read(base + address, bytes);
        return bytes.flip();
    }

    /** {@return the bytes at an address, positioned after their signature; checks signature and checksum} */
    ByteBuffer readChecked(long address, long length, String signature) throws IOException {
        ByteBuffer bytes = read(address, length);
        requireChecksum(bytes, signature, address);
        return requireSignature(bytes, signature, address);
    }

    /** {@return the bytes at an address, positioned after their signature; checks the signature} */
    ByteBuffer readSigned(long address, long length, String signature) throws IOException {
        return requireSignature(read(address, length), signature, address);
    }

    private static ByteBuffer requireSignature(ByteBuffer bytes, String signature, long address) throws StoreException {
        for (int i = 0; i < signature.length(); i++) {
            if (bytes.get() != signature.charAt(i)) {
                throw new StoreException("there is no block with signature " + signature + " at address " + address);
            }
        }
        return bytes;
    }

    /** Refuses bytes whose last four are not the checksum of the others. */
    static void requireChecksum(ByteBuffer bytes, String what, long address) throws StoreException {
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
        throw new UnsupportedOperationException("the channel is not available");
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
