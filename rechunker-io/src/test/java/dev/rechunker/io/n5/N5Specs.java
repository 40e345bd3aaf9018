package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Arrays that N5 can store. */
final class N5Specs {
    static final List<DataType> TYPES = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64);

    private N5Specs() {}

    static ArraySpec.Builder spec(DataType type, long[] shape, long... chunk) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type);
    }

    static ArraySpec.Builder cube(DataType type) {
        return spec(type, new long[] {7, 9, 10}, 3, 4, 5);
    }

    /** {@return a list of codecs for each codec of N5} */
    static List<List<CodecSpec>> codecs() {
        List<List<CodecSpec>> codecs = new ArrayList<>(List.of(List.of()));
        for (String text : List.of(
                "gzip:level=1",
                "zlib:level=9",
                "bz2:level=1",
                "lzma:preset=0",
                "lz4block:blocksize=4096",
                "zstd:level=-3",
                "blosc:cname=blosclz,shuffle=noshuffle",
                "blosc:cname=lz4,shuffle=shuffle",
                "blosc:cname=lz4hc,clevel=9",
                "blosc:cname=snappy",
                "blosc:cname=zlib,shuffle=bitshuffle",
                "blosc:cname=zstd,blocksize=512")) {
            codecs.add(CodecSpec.parse(text));
        }
        return codecs;
    }

    /** {@return an array with a random type, shape, block size and codec} */
    static ArraySpec random(Cases random) {
        DataType type = TYPES.get(random.random().nextInt(TYPES.size()));
        Shape shape = random.shape((int) random.between(1, 6));
        List<List<CodecSpec>> codecs = codecs();
        return ArraySpec.builder(random.regularGrid(shape), type)
                .codecs(codecs.get(random.random().nextInt(codecs.size())))
                .build();
    }

    static ArraySpec found(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    /** {@return elements whose last bytes are their index in C order, big-endian} */
    static Data ramp(ArraySpec spec) {
        return Data.of(spec, (position, element) -> {
            byte[] word = ByteBuffer.allocate(Long.BYTES).putLong(position).array();
            System.arraycopy(word, Long.BYTES - element.length, element, 0, element.length);
        });
    }
}
