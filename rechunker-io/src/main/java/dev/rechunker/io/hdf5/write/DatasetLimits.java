package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;

/** Refuses arrays that exceed a limit of HDF5 or of Java, with a message that says which. */
final class DatasetLimits {
    /** The size of a fill value message without the value. */
    static final int FILL_HEADER = 6;

    private static final int MAX_RANK = 32;
    private static final long MAX_EXTENT = 0xFFFFFFFFL;
    private static final int MAX_BUFFER = Integer.MAX_VALUE - 8;

    private DatasetLimits() {}

    /** Refuses grids that HDF5 does not have, and chunks that do not fit in a buffer. */
    static void requireGrid(String where, ArraySpec wanted, boolean isContiguous) throws StoreException {
        if (!wanted.chunks().isRegular()) {
            throw new StoreException(where + " has chunks of "
                    + wanted.chunks().chunkText()
                    + ", but irregular chunks are not supported by HDF5; choose one size for"
                    + " each axis, such as " + wanted.chunks().chunkShape());
        }
        if (wanted.shards().isPresent()) {
            throw new StoreException(where + " has shards, which HDF5 does not support; use shards \"none\"");
        }
        if (wanted.shape().rank() > MAX_RANK) {
            throw new StoreException(
                    where + " has " + wanted.shape().rank() + " axes; HDF5 supports at most " + MAX_RANK);
        }
        ChunkGrid chunks = wanted.chunks();
        boolean isClipped = isContiguous || wanted.dataType().isVariable();
        Shape unit = isClipped ? chunks.largestChunk() : chunks.chunkShape();
        long bytes =
                Math.multiplyExact(unit.elements(), (long) wanted.dataType().itemSize());
        if (!wanted.shape().isEmpty()) {
            requireBuffer(where, bytes);
        }
        if (chunks.count() > MAX_BUFFER) {
            throw new StoreException(where + " has " + chunks.count() + " chunks; at most " + MAX_BUFFER
                    + " can be written to HDF5; use larger chunks");
        }
        wanted.bytes();
    }

    /** Refuses buffers that Java cannot have. */
    static void requireBuffer(String where, long bytes) throws StoreException {
        if (bytes > MAX_BUFFER) {
            throw new StoreException(
                    where + " has chunks of " + ByteSize.of(bytes) + "; chunks must be smaller than 2 GiB (2.15 GB)");
        }
    }

    /** Refuses chunks that HDF5 does not support. */
    static void requireChunks(String where, ArraySpec wanted) throws StoreException {
        Shape chunk = wanted.chunks().chunkShape();
        long bytes = DatasetSpec.elementSize(wanted);
        for (int axis = 0; axis < chunk.rank(); axis++) {
            bytes = Math.multiplyExact(bytes, chunk.extent(axis));
        }
        if (bytes > MAX_EXTENT) {
            throw new StoreException(where + " has chunks of " + chunk + ", " + ByteSize.of(bytes)
                    + "; chunks must be smaller than 4 GiB (4.29 GB)");
        }
    }

    /** Refuses fill values and missing values that cannot be stored. */
    static void requireFill(String where, DatasetSpec array) throws StoreException {
        DataType type = array.spec().dataType();
        if (!type.isVariable()) {
            if (array.isFillStated() && FILL_HEADER + type.itemSize() > HeaderBuilder.MAX_MESSAGE) {
                throw new StoreException(where + ": its fill value has " + type.itemSize()
                        + " bytes; HDF5 supports at most " + (HeaderBuilder.MAX_MESSAGE - FILL_HEADER)
                        + ", unless all are zero");
            }
            return;
        }
        for (FillValue value : List.of(array.spec().fillValue(), array.spec().missingValue())) {
            try {
                ElementHeap.requireStorable(type, ByteBuffer.wrap(value.contents()));
            } catch (StoreException e) {
                throw new StoreException(where + " has a fill value that HDF5 cannot store: " + e.getMessage(), e);
            }
        }
    }
}
