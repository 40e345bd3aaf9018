package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.WriteTraits;
import java.util.ArrayList;
import java.util.List;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.codec.BlockCodecInfo;
import org.janelia.saalfeldlab.n5.codec.CodecInfo;
import org.janelia.saalfeldlab.n5.shard.ShardCodecInfo;

/**
 * Computes the memory that n5 allocates during one call, outside of the buffers of a run.
 *
 * <p>When n5 4.0 reads a block, it has in memory the bytes of the file, the decoded bytes, and the elements in an
 * array; the JDK also keeps a direct buffer of the size of the file. When it writes a block, it has the elements, the
 * elements padded to the whole chunk, their bytes, and the encoded bytes; for a shard also the encoded bytes of all
 * chunks, and 1 KiB for each chunk. Encoded bytes count as 9/8 of decoded ones, more than any compressor makes of
 * random data. Compressors count with their documented maximum at levels up to n5's defaults.
 */
final class N5Memory {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    /** The memory of an entry of the index of a shard, for which n5 creates two objects. */
    private static final long ENTRY = 128;

    private N5Memory() {}

    /** {@return the traits of reading chunks} */
    static ReadTraits readTraits(ArraySpec spec, DatasetAttributes dataset, Dialect dialect) {
        long block = bytes(spec, spec.chunks().chunkShape());
        long encoded = block + block / 8;
        long index = spec.shards().isEmpty() ? 0 : ENTRY * chunks(spec);
        return ReadTraits.of(Granularity.CHUNK)
                .withNativeBytes(2 * block + 2 * encoded + index + 64 * KIB + compressors(dataset, block))
                .withHeldBytes(held(dialect));
    }

    /** {@return the traits of writing chunks or shards} */
    static WriteTraits writeTraits(ArraySpec spec, DatasetAttributes dataset, Dialect dialect) {
        long unit = bytes(spec, spec.writeUnits().chunkShape());
        long encoded = unit + unit / 8;
        long once = spec.shards().isEmpty() ? 3 * unit + 2 * encoded : 3 * unit + 3 * encoded + KIB * chunks(spec);
        return WriteTraits.PLAIN
                .withNativeBytes(once + 64 * KIB + compressors(dataset, unit))
                .withHeldBytes(held(dialect));
    }

    private static long bytes(ArraySpec spec, Shape shape) {
        return shape.elements() * spec.dataType().itemSize();
    }

    /** {@return the number of chunks of a shard} */
    private static long chunks(ArraySpec spec) {
        Shape shard = spec.writeUnits().chunkShape();
        return shard.combine(spec.chunks().chunkShape(), Math::floorDiv).elements();
    }

    /** {@return the default size of the cache that HDF5 keeps for the chunks of an open dataset} */
    private static long held(Dialect dialect) {
        return dialect.isConcurrent() ? 0 : MIB;
    }

    private static long compressors(DatasetAttributes dataset, long block) {
        List<CodecInfo> codecs = new ArrayList<>(List.of(dataset.getDataCodecInfos()));
        BlockCodecInfo outer = dataset.getBlockCodecInfo();
        while (outer instanceof ShardCodecInfo shards) {
            codecs.addAll(List.of(shards.getInnerDataCodecInfos()));
            outer = shards.getInnerBlockCodecInfo();
        }
        return codecs.stream()
                .mapToLong(codec -> compressor(codec.getType(), block))
                .sum();
    }

    private static long compressor(String type, long block) {
        return switch (type) {
            case "raw", "crc32c" -> 0;
            case "gzip", "zlib" -> 512 * KIB;
            case "lz4" -> 512 * KIB;
            case "blosc" -> 3 * block; // copies of input and output, each at most 9/8 of the block, and the split input
            case "bzip2", "bz2" -> 9 * MIB;
            case "zstd" -> 32 * MIB;
            case "xz" -> 96 * MIB;
            default -> 32 * MIB;
        };
    }
}
