package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;

/** Whole arrays in memory, dense and in C order, through the store interface. */
final class Elements {
    private Elements() {}

    /** {@return all elements of an array, in its byte order} */
    static byte[] read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return read(reader);
        }
    }

    static byte[] read(ArrayReader reader) throws IOException {
        ArraySpec spec = reader.spec();
        int itemSize = spec.dataType().itemSize();
        ByteBuffer whole = ByteBuffer.allocate((int) spec.bytes());
        boolean padded = reader.traits().paddedEdges();
        Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
        ChunkGrid chunks = spec.chunks();
        for (long i = 0; i < chunks.count(); i++) {
            Region region = chunks.regionAt(i);
            long[] extents = (padded ? chunks.nominalShape(region) : region.shape()).toArray();
            ByteBuffer chunk = ByteBuffer.allocateDirect(bytes(extents, itemSize));
            if (!reader.read(region, chunk, scratch)) {
                fill(chunk, spec);
            }
            StridedCopy.copy(
                    chunk,
                    0,
                    StridedCopy.denseStrides(extents, itemSize),
                    whole,
                    offset(spec, region),
                    StridedCopy.denseStrides(spec.shape().toArray(), itemSize),
                    region.shape().toArray(),
                    itemSize,
                    1);
        }
        return whole.array();
    }

    private static int bytes(long[] extents, int itemSize) {
        long bytes = itemSize;
        for (long extent : extents) {
            bytes *= extent;
        }
        return Math.toIntExact(bytes);
    }

    static long offset(ArraySpec spec, Region region) {
        long[] strides =
                StridedCopy.denseStrides(spec.shape().toArray(), spec.dataType().itemSize());
        long offset = 0;
        for (int axis = 0; axis < strides.length; axis++) {
            offset += region.start(axis) * strides[axis];
        }
        return offset;
    }

    static void fill(ByteBuffer buffer, ArraySpec spec) {
        byte[] element = spec.fillValue().element(spec.dataType().itemSize());
        buffer.clear();
        while (buffer.hasRemaining()) {
            buffer.put(element);
        }
        buffer.clear();
    }

    /** Writes the units of an array whose ordinals {@code wanted} accepts, and commits. */
    static void write(ArrayWriter writer, byte[] elements, LongPredicate wanted) throws IOException {
        ArraySpec spec = writer.spec();
        int itemSize = spec.dataType().itemSize();
        Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
        ChunkGrid units = spec.writeUnits();
        long[] extents = units.chunkShape().toArray();
        ByteBuffer whole = ByteBuffer.wrap(elements);
        for (long i = 0; i < units.count(); i++) {
            if (wanted.test(i)) {
                Region region = units.regionAt(i);
                ByteBuffer unit = ByteBuffer.allocateDirect(bytes(extents, itemSize));
                fill(unit, spec);
                StridedCopy.copy(
                        whole,
                        offset(spec, region),
                        StridedCopy.denseStrides(spec.shape().toArray(), itemSize),
                        unit,
                        0,
                        StridedCopy.denseStrides(extents, itemSize),
                        region.shape().toArray(),
                        itemSize,
                        1);
                writer.write(region, unit, scratch);
            }
        }
        writer.commit();
    }

    static void write(ChunkStore store, String path, ArraySpec spec, byte[] elements) throws IOException {
        try (ArrayWriter writer = store.create(path, store.resolve(spec), false)) {
            write(writer, elements, unit -> true);
        }
    }

    /** {@return elements of random bytes; the first third is the fill value} */
    static byte[] random(ArraySpec spec, long seed) {
        byte[] elements = new byte[(int) spec.bytes()];
        new Random(seed).nextBytes(elements);
        byte[] fill = spec.fillValue().element(spec.dataType().itemSize());
        if (spec.dataType().kind() == DataType.Kind.BOOL) {
            for (int i = 0; i < elements.length; i++) {
                elements[i] &= 1;
            }
        }
        for (int i = 0; i < elements.length / 3; i++) {
            elements[i] = fill[i % fill.length];
        }
        return elements;
    }

    /** {@return the paths of the arrays at a path and below it} */
    static List<String> arrays(ChunkStore store, String path) throws IOException {
        if (store.node(path).orElseThrow() instanceof ArrayNode) {
            return List.of(path);
        }
        List<String> arrays = new ArrayList<>();
        for (String name : store.children(path)) {
            arrays.addAll(arrays(store, NodePaths.below(path, name)));
        }
        return arrays;
    }

    static boolean isByteGranular(ArrayReader reader) {
        return reader.traits().granularity() == ReadTraits.Granularity.BYTES;
    }
}
