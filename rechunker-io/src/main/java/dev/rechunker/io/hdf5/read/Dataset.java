package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import io.jhdf.object.message.DataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessageV4;
import io.jhdf.object.message.DataLayoutMessage.ContiguousDataLayoutMessage;
import io.jhdf.object.message.DataSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The metadata that is needed to read a dataset.
 *
 * @param type the type of elements
 * @param chunks the chunks; one chunk with all elements if the dataset is not chunked
 * @param layout the location of elements in the file
 * @param filters the filters of chunks
 * @param fill the value of elements that were never written
 * @param elements the type of elements in place of which something else is stored
 */
record Dataset(
        ElementType type,
        ChunkGrid chunks,
        StoredLayout layout,
        StoredFilters filters,
        Fill fill,
        Optional<StoredElements> elements) {
    private static final int NULL_SPACE = 2;
    private static final int COMPACT = 0;
    private static final int CHUNKED = 2;
    private static final int VIRTUAL = 3;
    private static final int PLAIN_EDGES = 1;
    private static final int FILTERED_SINGLE = 2;

    /**
     * The value of elements that were never written.
     *
     * @param value the value; undefined if the file says so
     * @param isDefault whether the file states no value, so that it is zero
     */
    record Fill(FillValue value, boolean isDefault) {
        private static final Fill UNDEFINED = new Fill(FillValue.UNDEFINED, false);

        private static Fill zero(int itemSize) {
            return new Fill(FillValue.zero(itemSize), true);
        }
    }

    /** {@return whether an object is a dataset} */
    static boolean is(ObjectHeader header) {
        return header.has(ObjectHeader.DATASPACE) && header.has(ObjectHeader.DATATYPE);
    }

    /**
     * {@return the metadata in a dataset's header}
     *
     * @throws StoreException if the dataset has a feature that is not supported; the message names the feature
     */
    static Dataset read(FileMetadata file, ObjectHeader header) throws IOException {
        ByteBuffer message = datatype(file, header);
        Optional<StoredElements> elements = StoredElements.of(message);
        ElementType type = elements.isPresent() ? elements.get().stored() : ElementType.read(message);
        DataSpace space = space(file, header);
        if (space.getType() == NULL_SPACE) {
            throw new StoreException("it has a null dataspace, that is, no elements; this is not supported");
        }
        Shape shape = Shape.of(space.getDimensionsAsLong());
        int itemSize = type.type().itemSize();
        long bytes = Math.multiplyExact(shape.elements(), (long) itemSize);
        StoredFilters filters = header.has(ObjectHeader.FILTERS)
                ? StoredFilters.read(requireUnshared(header, ObjectHeader.FILTERS, "filters"), itemSize)
                : StoredFilters.NONE;
        ByteBuffer layout = inVersion4(requireUnshared(header, ObjectHeader.LAYOUT, "layout"));
        long at = header.require(ObjectHeader.LAYOUT, "layout").address();
        Fill fill = fill(header, itemSize);
        if (classOf(layout) == CHUNKED) {
            return chunked(type, shape, space, filters, fill, layout, file).of(elements);
        }
        Shape single =
                Shape.of(Arrays.stream(shape.toArray()).map(n -> Math.max(1, n)).toArray());
        ChunkGrid chunks = ChunkGrid.regular(shape, single);
        Math.multiplyExact(single.elements(), (long) itemSize); // an empty array may have a chunk that is too large
        boolean isElsewhere = classOf(layout) == VIRTUAL || header.has(ObjectHeader.EXTERNAL);
        if (isElsewhere && elements.isPresent()) {
            throw new StoreException(
                    "its elements refer to others, or do not use all bits, and are in other datasets or files,"
                            + " which is not supported");
        }
        if (classOf(layout) == VIRTUAL) {
            List<VirtualMapping> mappings = VirtualMapping.read(file, layout.getLong(2), layout.getInt(2 + Long.BYTES));
            return new Dataset(
                    type,
                    chunks,
                    new StoredLayout.Virtual(mappings, unlimitedAxes(space)),
                    StoredFilters.NONE,
                    fill,
                    elements);
        }
        if (!filters.isEmpty()) {
            throw new StoreException("it has filters, but no chunks");
        }
        if (header.has(ObjectHeader.EXTERNAL)) {
            ByteBuffer list = requireUnshared(header, ObjectHeader.EXTERNAL, "list of other files");
            ExternalFiles files = ExternalFiles.read(file, list, classOf(layout), bytes);
            return new Dataset(type, chunks, new StoredLayout.External(files), filters, fill, elements);
        }
        StoredLayout whole = new StoredLayout.Whole(whole(file, layout, at, bytes));
        return new Dataset(type, chunks, whole, filters, fill, elements);
    }

    private static Set<Integer> unlimitedAxes(DataSpace space) {
        return IntStream.range(0, space.getDimensionsAsLong().length)
                .filter(axis -> space.isMaxSizesPresent() && space.getMaxSizes()[axis] < 0)
                .boxed()
                .collect(Collectors.toSet());
    }

    /** {@return the same dataset with other chunks} */
    Dataset withChunks(ChunkGrid others) {
        return new Dataset(type, others, layout, filters, fill, elements);
    }

    private static DataSpace space(FileMetadata file, ObjectHeader header) throws StoreException {
        return DataSpace.readDataSpace(
                requireUnshared(header, ObjectHeader.DATASPACE, "dataspace"), file.getSuperblock());
    }

    /** {@return the extents of a dataset} */
    static Shape shape(FileMetadata file, ObjectHeader header) throws StoreException {
        return Shape.of(space(file, header).getDimensionsAsLong());
    }

    /** {@return whether an axis of a dataset is unlimited} */
    static boolean isUnlimited(FileMetadata file, ObjectHeader header, int axis) throws StoreException {
        DataSpace space = space(file, header);
        return space.isMaxSizesPresent() && space.getMaxSizes()[axis] < 0;
    }

    /** {@return the datatype message of a dataset} */
    static ByteBuffer datatype(FileMetadata file, ObjectHeader header) throws IOException {
        ObjectHeader.Message message = header.require(ObjectHeader.DATATYPE, "datatype");
        long named = namedType(file, header);
        return named == FileMetadata.UNDEFINED ? message.body() : ObjectAttributes.named(file, named);
    }

    /** {@return the address of the named type of a dataset; {@link FileMetadata#UNDEFINED} if it has no name} */
    static long namedType(FileMetadata file, ObjectHeader header) throws IOException {
        ObjectHeader.Message message = header.require(ObjectHeader.DATATYPE, "datatype");
        return message.isShared() ? ObjectAttributes.addressOfNamed(file, message.body()) : FileMetadata.UNDEFINED;
    }

    /** {@return this dataset with other elements in place of what is stored} */
    Dataset withElements(StoredElements others) {
        return of(Optional.of(others));
    }

    /** {@return this dataset with another type of the same size} */
    Dataset withType(ElementType other) {
        return new Dataset(other, chunks, layout, filters, fill, elements);
    }

    private Dataset of(Optional<StoredElements> variable) {
        return new Dataset(type, chunks, layout, filters, fill, variable);
    }

    private static ByteBuffer requireUnshared(ObjectHeader header, int type, String what) throws StoreException {
        ObjectHeader.Message message = header.require(type, what);
        if (message.isShared()) {
            throw new StoreException("its " + what + " is in a table of shared messages, which is not supported");
        }
        return message.body();
    }

    /**
     * {@return a layout message of at most version 4, which has the same fields as version 5; in this, sizes of chunks
     * in an index have 8 bytes, which the index says itself}
     */
    private static ByteBuffer inVersion4(ByteBuffer layout) {
        return layout.get(0) == 5 ? copy(layout).put(0, (byte) 4) : layout;
    }

    private static ByteBuffer copy(ByteBuffer layout) {
        return ByteBuffer.allocate(layout.remaining())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(layout.duplicate())
                .flip();
    }

    private static int classOf(ByteBuffer layout) throws StoreException {
        int version = layout.get(0);
        if (version < 1 || version > 4) {
            throw new StoreException("a data layout of version " + version + " is not supported");
        }
        int layoutClass = layout.get(version < 3 ? 2 : 1);
        return layoutClass;
    }

    /**
     * {@return the address of the elements of a dataset that is not chunked; in a compact layout, they are in the
     * message}
     */
    private static long whole(FileMetadata file, ByteBuffer layout, long at, long bytes) throws StoreException {
        long address;
        long size;
        if (classOf(layout) == COMPACT) {
            boolean old = layout.get(0) < 3;
            int dimensions = old ? layout.get(1) & 0xFF : 0;
            int sizeAt = old ? 8 + Integer.BYTES * dimensions : 2;
            size = old ? layout.getInt(sizeAt) : layout.getShort(sizeAt) & 0xFFFF;
            address = at + sizeAt + (old ? Integer.BYTES : Short.BYTES);
        } else if (DataLayoutMessage.createDataLayoutMessage(layout, file.getSuperblock(), new BitSet())
                instanceof ContiguousDataLayoutMessage contiguous) {
            address = contiguous.getAddress();
            size = contiguous.getSize() < 0 ? bytes : contiguous.getSize();
        } else {
            throw new StoreException("its data layout is not supported");
        }
        if (address != FileMetadata.UNDEFINED && size < bytes) {
            throw new StoreException("its elements take " + bytes + " bytes, but only " + size + " bytes are stored");
        }
        return bytes == 0 ? FileMetadata.UNDEFINED : address;
    }

    private static Dataset chunked(
            ElementType type,
            Shape shape,
            DataSpace space,
            StoredFilters filters,
            Fill fill,
            ByteBuffer layout,
            FileMetadata file)
            throws StoreException {
        int edges = layout.get(0) < 4 ? 0 : layout.get(2) & PLAIN_EDGES;
        DataLayoutMessage message = DataLayoutMessage.createDataLayoutMessage(
                withoutSizeOfMissingChunk(layout), file.getSuperblock(), new BitSet());
        List<Long> max = Arrays.stream(space.getMaxSizes()).boxed().toList();
        int[] extents;
        int itemSize;
        StoredLayout.Chunks chunks;
        if (message instanceof ChunkedDataLayoutMessage old) {
            extents = old.getChunkDimensions();
            itemSize = old.getSize();
            chunks = new StoredLayout.Chunks(StoredLayout.Index.TREE_1, old.getBTreeAddress(), max, false, 0, 0);
        } else {
            ChunkedDataLayoutMessageV4 v4 = (ChunkedDataLayoutMessageV4) message;
            int[] all = v4.getChunkDimensions();
            extents = Arrays.copyOf(all, all.length - 1);
            itemSize = all[all.length - 1];
            boolean isSingle = v4.isFilteredSingleChunk();
            chunks = new StoredLayout.Chunks(
                    StoredLayout.Index.of(v4.getIndexingType()),
                    v4.getAddress(),
                    max,
                    edges != 0,
                    isSingle ? v4.getSizeOfFilteredSingleChunk() : -1,
                    isSingle ? mask(v4.getFilterMaskFilteredSingleChunk()) : 0);
        }
        if (extents.length != shape.rank() || itemSize != type.type().itemSize()) {
            throw new StoreException("its chunks have " + extents.length + " axes and elements of " + itemSize
                    + " bytes, but the dataset has " + shape.rank() + " axes and elements of "
                    + type.type().itemSize() + " bytes");
        }
        Shape chunk = Shape.of(Arrays.stream(extents).asLongStream().toArray());
        if (chunk.isEmpty()) {
            throw new StoreException("its chunks are empty: " + chunk);
        }
        return new Dataset(type, ChunkGrid.regular(shape, chunk), chunks, filters, fill, Optional.empty());
    }

    /**
     * {@return the layout message, with size 0 for a single filtered chunk that was never written; the HDF5 library
     * stores the size 2^32 - 1, which jhdf refuses}
     */
    private static ByteBuffer withoutSizeOfMissingChunk(ByteBuffer layout) {
        if (layout.get(0) < 4 || (layout.get(2) & FILTERED_SINGLE) == 0) {
            return layout;
        }
        int sizeAt = 5 + (layout.get(3) & 0xFF) * (layout.get(4) & 0xFF) + 1;
        if (layout.getLong(sizeAt + Long.BYTES + Integer.BYTES) != FileMetadata.UNDEFINED) {
            return layout;
        }
        return copy(layout).putLong(sizeAt, 0);
    }

    private static int mask(BitSet bits) {
        long[] words = bits.toLongArray();
        return words.length == 0 ? 0 : (int) words[0];
    }

    /** {@return the fill value in a header} */
    private static Fill fill(ObjectHeader header, int itemSize) throws StoreException {
        Optional<ObjectHeader.Message> message = header.find(ObjectHeader.FILL);
        Optional<ObjectHeader.Message> older = header.find(ObjectHeader.OLD_FILL);
        if (message.isEmpty() && older.isEmpty()) {
            return Fill.zero(itemSize);
        }
        if (message.orElseGet(older::orElseThrow).isShared()) {
            throw new StoreException("its fill value is in a table of shared messages, which is not supported");
        }
        ByteBuffer body = message.orElseGet(older::orElseThrow).body();
        if (message.isPresent()) {
            int version = body.get();
            if (version < 1 || version > 3) {
                throw new StoreException("a fill value of version " + version + " is not supported");
            }
            int flags = body.get();
            if (version < 3) {
                body.get();
                flags = body.get() == 0 ? 16 : 32;
            }
            if ((flags & 16) != 0) {
                return Fill.UNDEFINED;
            }
            if ((flags & 32) == 0) {
                return Fill.zero(itemSize);
            }
        }
        int size = body.getInt();
        if (size == 0) {
            return Fill.zero(itemSize);
        }
        if (size != itemSize) {
            throw new StoreException("its fill value has " + size + " bytes, but its elements have " + itemSize);
        }
        byte[] element = new byte[size];
        body.get(element);
        return new Fill(FillValue.of(element), false);
    }
}
