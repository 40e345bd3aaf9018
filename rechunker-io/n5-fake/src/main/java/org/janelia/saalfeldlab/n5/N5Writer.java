package org.janelia.saalfeldlab.n5;

/** Writes groups, datasets and their blocks. */
public interface N5Writer extends N5Reader {
    <T> void setAttribute(String path, String key, T value);

    boolean removeAttribute(String path, String key);

    void createGroup(String path);

    boolean remove(String path);

    DatasetAttributes createDataset(String path, DatasetAttributes attributes);

    default DatasetAttributes createDataset(
            String path, long[] dimensions, int[] blockSize, DataType type, Compression compression) {
        return createDataset(path, new DatasetAttributes(dimensions, blockSize, type, compression));
    }

    <T> void writeChunk(String path, DatasetAttributes attributes, DataBlock<T> chunk);

    @SuppressWarnings("unchecked") // the signature is n5's
    <T> void writeChunks(String path, DatasetAttributes attributes, DataBlock<T>... chunks);
}
