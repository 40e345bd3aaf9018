package dev.rechunker.io.n5api;

import com.google.gson.JsonElement;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.RawCompression;
import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;
import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;
import org.janelia.saalfeldlab.n5.shard.DefaultShardCodecInfo;
import org.janelia.saalfeldlab.n5.shard.ShardCodecInfo;
import org.janelia.saalfeldlab.n5.shard.ShardIndex.IndexLocation;
import org.janelia.saalfeldlab.n5.zarr.chunks.ChunkAttributes;
import org.janelia.saalfeldlab.n5.zarr.chunks.DefaultChunkKeyEncoding;
import org.janelia.saalfeldlab.n5.zarr.chunks.RegularChunkGrid;
import org.janelia.saalfeldlab.n5.zarr.codec.PaddedRawBlockCodecInfo;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3Compressor;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3DataType;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3DatasetAttributes;
import org.janelia.saalfeldlab.n5.zarr.v3.ZarrV3KeyValueReader;
import org.jspecify.annotations.Nullable;

/** Zarr 3 as read and written by n5-zarr, with or without shards. */
final class Zarr3Dialect extends Dialect {
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

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
        return true;
    }

    @Override
    ByteOrder byteOrder(ByteOrder wanted) {
        return wanted;
    }

    @Override
    ByteOrder byteOrder(DatasetAttributes dataset) {
        BlockCodecInfo codec = dataset.getBlockCodecInfo();
        while (codec instanceof ShardCodecInfo shards) {
            codec = shards.getInnerBlockCodecInfo();
        }
        boolean isBig = codec instanceof PaddedRawBlockCodecInfo raw && raw.getByteOrder() == ByteOrder.BIG_ENDIAN;
        return isBig ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    /** {@return the fill value, if it is finite and at most that of a long; n5-zarr would change others} */
    @Override
    Optional<FillValue> fill(FillValue wanted, DataType type, ByteOrder order) {
        if (!wanted.isDefined()) {
            return Optional.of(FillValue.zero(type.itemSize()));
        }
        return FillValueJson.toJson(wanted, type, order)
                .filter(json -> json.getAsJsonPrimitive().isNumber())
                .filter(json -> type.kind() == DataType.Kind.FLOAT
                        || json.getAsBigInteger().compareTo(LONGEST) <= 0)
                .map(json -> wanted);
    }

    @Override
    FillValue fill(N5Location location, DatasetAttributes dataset, DataType type) throws IOException {
        JsonElement document = location.call(
                "read zarr.json", () -> ((ZarrV3KeyValueReader) location.n5()).getRawAttributes(location.path()));
        return FillValueJson.parse(location, member(document, "fill_value"), type, byteOrder(dataset));
    }

    @Override
    Set<String> reservedAttributes() {
        return Set.of();
    }

    @Override
    void requireSupported(N5Location location, DatasetAttributes dataset) {}

    @Override
    ArraySpec withAxisNames(ArraySpec spec, DatasetAttributes dataset) {
        String @Nullable [] xFirst = ((ZarrV3DatasetAttributes) dataset).getDimensionNames();
        if (xFirst == null || xFirst.length != spec.shape().rank()) {
            return spec;
        }
        List<String> names = Arrays.asList(xFirst.clone());
        Collections.reverse(names);
        return spec.toBuilder().dimensionNames(names).build();
    }

    @Override
    Map<String, @Nullable Object> attributesWithNames(ArraySpec spec) {
        return spec.attributes();
    }

    @Override
    boolean canStoreNames(ArraySpec spec) {
        return true;
    }

    @Override
    DatasetAttributes dataset(N5Location location, ArraySpec spec, Compression compression) {
        int[] chunk = Blocks.reversedInts(spec.chunks().chunkShape().toArray());
        Optional<int[]> shard =
                spec.shards().map(ChunkGrid::chunkShape).map(shape -> Blocks.reversedInts(shape.toArray()));
        BlockCodecInfo elements = new PaddedRawBlockCodecInfo(
                spec.byteOrder(), spec.fillValue().element(spec.dataType().itemSize()));
        DataCodecInfo[] compressors = compressors(compression);
        return new ZarrV3DatasetAttributes(
                Blocks.reversed(spec.shape().toArray()),
                new ChunkAttributes(new RegularChunkGrid(shard.orElse(chunk)), new DefaultChunkKeyEncoding("/")),
                ZarrV3DataType.fromDataType(N5Types.toN5(spec.dataType()).orElseThrow()),
                FillValueJson.toJson(spec.fillValue(), spec.dataType(), spec.byteOrder())
                        .orElseThrow()
                        .getAsString(),
                names(spec),
                shard.isPresent() ? sharding(chunk, elements, compressors) : elements,
                null,
                shard.isPresent() ? new DataCodecInfo[0] : compressors);
    }

    /**
     * {@return the compressors of n5-zarr}
     *
     * <p>gzip is requested directly, because n5-zarr would misread its settings and store uncompressed blocks.
     *
     * @throws IllegalArgumentException if n5-zarr does not have the compression; it would store uncompressed blocks
     */
    private static DataCodecInfo[] compressors(Compression compression) {
        if (compression instanceof RawCompression) {
            return new DataCodecInfo[0];
        }
        ZarrV3Compressor compressor = compression instanceof GzipCompression gzip
                ? Compressions.gzip(gzip)
                : ZarrV3Compressor.fromCompression(compression);
        if (compressor == null) {
            throw new IllegalArgumentException(
                    "n5-zarr does not have the compression " + Compressions.describe(compression) + " in Zarr 3");
        }
        return new DataCodecInfo[] {compressor};
    }

    private static BlockCodecInfo sharding(int[] chunk, BlockCodecInfo elements, DataCodecInfo[] compressors) {
        BlockCodecInfo index = new PaddedRawBlockCodecInfo(ByteOrder.LITTLE_ENDIAN, new byte[Long.BYTES]);
        return new DefaultShardCodecInfo(chunk, elements, compressors, index, new DataCodecInfo[0], IndexLocation.END);
    }

    private static @Nullable String @Nullable [] names(ArraySpec spec) {
        if (spec.dimensionNames().isEmpty()) {
            return null;
        }
        List<@Nullable String> names = new ArrayList<>(spec.dimensionNames());
        Collections.reverse(names);
        return names.toArray(new String[0]);
    }
}
