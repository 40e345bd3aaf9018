package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.util.List;
import java.util.Map;

/** Specs of arrays that tests write. */
final class Specs {
    static final DataType RECORD = DataType.opaque(14, "[[\"a\",\"<i4\"],[\"b\",\"|S2\"],[\"c\",\">f4\",[2]]]");

    static final List<DataType> TYPES = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.COMPLEX64,
            DataType.COMPLEX128,
            DataType.bytes(5),
            DataType.unicode(3),
            DataType.datetime64("ns"),
            DataType.datetime64("25s"),
            DataType.timedelta64("D"),
            DataType.opaque(3, ""));

    private Specs() {}

    static ArraySpec.Builder spec(DataType type, long[] shape, long... chunk) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type);
    }

    static ArraySpec.Builder cube(DataType type) {
        return spec(type, new long[] {7, 9, 10}, 3, 4, 5);
    }

    static CodecSpec codec(String name, Object... options) {
        CodecSpec spec = CodecSpec.of(name);
        for (int i = 0; i < options.length; i += 2) {
            spec = spec.with((String) options[i], options[i + 1]);
        }
        return spec;
    }

    /** {@return lists of codecs that both versions have, for elements of type uint16} */
    static Map<String, List<CodecSpec>> shared() {
        return Map.ofEntries(
                Map.entry("raw", List.of()),
                Map.entry("blosc", List.of(codec("blosc", "cname", "lz4", "clevel", 5L, "shuffle", "shuffle"))),
                Map.entry("bit", List.of(codec("blosc", "cname", "zstd", "clevel", 3L, "shuffle", "bitshuffle"))),
                Map.entry("zstd", List.of(codec("zstd", "level", 1L))),
                Map.entry("gzip", List.of(codec("gzip", "level", 1L))),
                Map.entry("zlib", List.of(codec("zlib", "level", 1L))),
                Map.entry("lz4", List.of(codec("lz4", "acceleration", 1L))),
                Map.entry("bz2", List.of(codec("bz2", "level", 1L))),
                Map.entry("shuffle", List.of(codec("shuffle", "elementsize", 2L), codec("zlib", "level", 1L))),
                Map.entry("delta", List.of(codec("delta", "dtype", "<u2"), codec("zstd", "level", 1L))),
                Map.entry("order", List.of(V2Codecs.reversed(3), codec("gzip", "level", 1L))));
    }
}
