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
 * The memory that n5 holds during one call, outside of any buffer of ours.
 *
 * <p>To read a block, n5 4.0 holds at once the bytes of its file, those of the decoded block, and its elements in an
 * array; and the JDK keeps a direct buffer as large as the bytes read at once. To write one it holds the elements, the
 * same padded to the whole chunk, their bytes, and the encoded bytes; of a shard, all that its chunks are encoded to,
 * and a KiB for what it notes of each. Encoded bytes are counted as an eighth more than decoded ones, which is more
 * than any compressor makes of noise. The state of a compressor is its documented maximum at the levels up to n5's
 * defaults.
 */
final class Needs {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    /** An entry of a shard's index, of which n5 makes two objects. */
    private static final long ENTRY = 128;

    private Needs() {}

    static ReadTraits toRead(ArraySpec spec, DatasetAttributes dataset, Dialect dialect) {
        long block = bytes(spec, spec.chunks().chunkShape());
        long encoded = block + block / 8;
        long index = spec.shards().isEmpty() ? 0 : ENTRY * chunks(spec);
        return ReadTraits.of(Granularity.CHUNK)
                .withNativeBytes(2 * block + 2 * encoded + index + 64 * KIB + compressors(dataset, block))
                .withHeldBytes(held(dialect));
    }

    static WriteTraits toWrite(ArraySpec spec, DatasetAttributes dataset, Dialect dialect) {
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

    /** {@return how many chunks a shard has} */
    private static long chunks(ArraySpec spec) {
        Shape shard = spec.writeUnits().chunkShape();
        return shard.combine(spec.chunks().chunkShape(), Math::floorDiv).elements();
    }

    /** {@return what HDF5 keeps of chunks of a dataset that is open, by default} */
    private static long held(Dialect dialect) {
        return dialect.atOnce() ? 0 : MIB;
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
            case "blosc" -> 3 * block; // both sides of it are copied, at most an eighth larger, and split
            case "bzip2", "bz2" -> 9 * MIB;
            case "zstd" -> 32 * MIB;
            case "xz" -> 96 * MIB;
            default -> 32 * MIB;
        };
    }
}
