package org.janelia.saalfeldlab.n5;

import java.net.URI;

/** Reads groups, datasets and their blocks. */
public interface N5Reader extends AutoCloseable {
    URI getURI();

    <T> T getAttribute(String path, String key, Class<T> type);

    DatasetAttributes getDatasetAttributes(String path);

    default DatasetAttributes getConvertedDatasetAttributes(DatasetAttributes attributes) {
        return attributes;
    }

    <T> DataBlock<T> readChunk(String path, DatasetAttributes attributes, long... position);

    boolean exists(String path);

    boolean datasetExists(String path);

    @Override
    void close();
}
