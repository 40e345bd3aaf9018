package org.janelia.saalfeldlab.n5.zarr;

import com.google.gson.JsonElement;
import java.util.Collection;
import java.util.List;

/** What {@code .zarray} says; axes as Zarr has them. */
public class ZArrayAttributes {
    private final long[] shape;
    private final int[] chunks;
    private final DType type;
    private final ZarrCompressor compressor;
    private final JsonElement fillValue;
    private final char order;
    private final String separator;
    private final Collection<Filter> filters;

    public ZArrayAttributes(
            int format,
            long[] shape,
            int[] chunks,
            DType type,
            ZarrCompressor compressor,
            JsonElement fillValue,
            char order,
            String separator,
            Collection<Filter> filters) {
        this.shape = shape;
        this.chunks = chunks;
        this.type = type;
        this.compressor = compressor;
        this.fillValue = fillValue;
        this.order = order;
        this.separator = separator;
        this.filters = List.copyOf(filters);
    }

    long[] getShape() {
        return shape;
    }

    int[] getChunks() {
        return chunks;
    }

    public DType getDType() {
        return type;
    }

    ZarrCompressor getCompressor() {
        return compressor;
    }

    public JsonElement getFillValueJson() {
        return fillValue;
    }

    char getOrder() {
        return order;
    }

    String getDimensionSeparator() {
        return separator;
    }

    public Collection<Filter> getFilters() {
        return filters;
    }
}
