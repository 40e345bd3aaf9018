package dev.rechunker.io.n5api;

import com.google.gson.JsonElement;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.StoreException;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.RawCompression;
import org.janelia.saalfeldlab.n5.zarr.DType;
import org.janelia.saalfeldlab.n5.zarr.ZArrayAttributes;
import org.janelia.saalfeldlab.n5.zarr.ZarrCompressor;
import org.janelia.saalfeldlab.n5.zarr.ZarrDatasetAttributes;
import org.janelia.saalfeldlab.n5.zarr.ZarrKeyValueReader;
import org.jspecify.annotations.Nullable;

/** Zarr 2 as read and written by n5-zarr. */
final class Zarr2Dialect extends Dialect {
    private static final String NAMES = "_ARRAY_DIMENSIONS";

    @Override
    boolean isZarr() {
        return true;
    }

    @Override
    boolean isConcurrent() {
        return true;
    }

    @Override
    boolean hasShards() {
        return false;
    }

    @Override
    ByteOrder byteOrder(ByteOrder wanted) {
        return wanted;
    }

    @Override
    ByteOrder byteOrder(DatasetAttributes dataset) {
        String type = zarray(dataset).getDType().toString();
        return type.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private static ZArrayAttributes zarray(DatasetAttributes dataset) {
        return ((ZarrDatasetAttributes) dataset).getZArrayAttributes();
    }

    @Override
    Optional<FillValue> fill(FillValue wanted, DataType type, ByteOrder order) {
        return FillValueJson.toJson(wanted, type, order).map(json -> wanted);
    }

    @Override
    FillValue fill(N5Location location, DatasetAttributes dataset, DataType type) throws StoreException {
        return FillValueJson.parse(location, zarray(dataset).getFillValueJson(), type, byteOrder(dataset));
    }

    @Override
    Set<String> reservedAttributes() {
        return Set.of();
    }

    /** Refuses filters, which n5-zarr ignores, and unknown types, which n5-zarr reads as {@code uint8}. */
    @Override
    void requireSupported(N5Location location, DatasetAttributes dataset) throws StoreException {
        ZArrayAttributes zarray = zarray(dataset);
        if (!zarray.getFilters().isEmpty()) {
            throw new StoreException(location + " has filters, which n5 ignores; open it with Zarr.open");
        }
        String type = zarray.getDType().toString();
        String known = code(N5Types.fromN5(location, dataset.getDataType()));
        if (!type.substring(1).equals(known) && !type.equals("|b1")) {
            throw new StoreException(location + " has elements of type " + type + ", which n5 reads as "
                    + dataset.getDataType() + "; open it with Zarr.open");
        }
    }

    /** {@return the name of a type in Zarr 2 without the byte order, such as {@code u2}} */
    private static String code(DataType type) {
        return (type.kind() == Kind.FLOAT ? "f" : type.kind() == Kind.INT ? "i" : "u") + type.itemSize();
    }

    @Override
    @Nullable
    JsonElement attributes(N5Reader n5, String path) {
        return ((ZarrKeyValueReader) n5).getZAttributes(path);
    }

    @Override
    ArraySpec withAxisNames(ArraySpec spec, DatasetAttributes dataset) {
        if (!((ZarrDatasetAttributes) dataset).isRowMajor()
                || !(spec.attributes().get(NAMES) instanceof List<?> names)
                || names.size() != spec.shape().rank()
                || !names.stream().allMatch(String.class::isInstance)) {
            return spec;
        }
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(spec.attributes());
        rest.remove(NAMES);
        return spec.toBuilder()
                .dimensionNames(names.stream().map(String.class::cast).toList())
                .attributes(rest)
                .build();
    }

    @Override
    Map<String, @Nullable Object> attributesWithNames(ArraySpec spec) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
        if (!spec.dimensionNames().isEmpty()) {
            attributes.put(NAMES, spec.dimensionNames());
        }
        return attributes;
    }

    @Override
    boolean canStoreNames(ArraySpec spec) {
        return !spec.attributes().containsKey(NAMES) && !spec.dimensionNames().contains(null);
    }

    @Override
    DatasetAttributes dataset(N5Location location, ArraySpec spec, Compression compression) {
        DataType type = spec.dataType();
        DatasetAttributes plain = new N5Dialect(true).dataset(location, spec, compression);
        String separator = ((ZarrKeyValueReader) location.n5())
                .getConvertedDatasetAttributes(plain)
                .getDimensionSeparator();
        String order = type.itemSize() == 1 ? "|" : spec.byteOrder() == ByteOrder.BIG_ENDIAN ? ">" : "<";
        return new ZarrDatasetAttributes(new ZArrayAttributes(
                2,
                spec.shape().toArray(),
                Blocks.ints(spec.chunks().chunkShape().toArray()),
                new DType(order + code(type), List.of()),
                compressor(compression),
                FillValueJson.toJson(spec.fillValue(), type, spec.byteOrder()).orElseThrow(),
                'C',
                separator,
                List.of()));
    }

    /**
     * {@return the compressor of n5-zarr}
     *
     * @throws IllegalArgumentException if n5-zarr does not have the compression; it would store uncompressed blocks
     */
    private static ZarrCompressor compressor(Compression compression) {
        ZarrCompressor compressor = ZarrCompressor.fromCompression(compression);
        if (compressor == null
                || (compressor instanceof ZarrCompressor.Raw && !(compression instanceof RawCompression))) {
            throw new IllegalArgumentException(
                    "n5-zarr does not have the compression " + Compressions.describe(compression) + " in Zarr 2");
        }
        return compressor;
    }
}
