package dev.rechunker.bench;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** How long it takes to read and decode each chunk of an array once, and to encode and write each once. */
final class Coding {
    /** What is read at once where any bytes can be. */
    private static final long BAND = 4 << 20;
    /** Chunks are held decoded in batches of about this size. */
    private static final long BATCH = 256 << 20;

    private final int threads;

    Coding(int threads) {
        this.threads = threads;
    }

    /** {@return the seconds of reading and decoding every chunk once, front to back where that is possible} */
    double decode(ArrayReader reader) throws IOException, InterruptedException {
        Granularity granularity = reader.traits().granularity();
        ChunkGrid chunks = granularity == Granularity.BYTES
                ? bands(reader.spec())
                : reader.spec().chunks();
        return Threads.seconds(threads, chunks.count(), () -> {
            Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
            if (granularity == Granularity.STREAM) {
                return chunk -> reader.stream(chunks.regionAt(chunk), run -> {}, scratch);
            }
            ByteBuffer buffer = buffer(reader.spec(), chunks.chunkShape());
            return chunk -> read(reader, chunks.regionAt(chunk), buffer, scratch);
        });
    }

    private static ChunkGrid bands(ArraySpec spec) {
        long[] extents = spec.chunks().largestChunk().toArray();
        long row = spec.dataType().itemSize();
        for (int axis = 1; axis < extents.length; axis++) {
            row *= extents[axis];
        }
        extents[0] = Math.min(extents[0], Math.max(1, BAND / row));
        return ChunkGrid.regular(spec.shape(), Shape.of(extents));
    }

    /**
     * {@return the seconds of encoding and writing every unit once; the elements are read beforehand, batch by batch}
     */
    double encode(ArrayReader elements, ArrayWriter writer) throws IOException, InterruptedException {
        ArraySpec spec = writer.spec();
        ChunkGrid units = spec.writeUnits();
        if (!elements.spec().chunks().equals(units)
                || elements.traits().paddedEdges() != writer.traits().paddedEdges()) {
            throw new IllegalStateException("units of " + units + " are not to be had from chunks of "
                    + elements.spec().chunks());
        }
        long unit = units.chunkShape().elements() * spec.dataType().itemSize();
        List<ByteBuffer> batch = new ArrayList<>();
        long most = Math.min(units.count(), Math.max(threads, BATCH / unit));
        while (batch.size() < most) {
            batch.add(buffer(spec, units.chunkShape()));
        }
        double seconds = 0;
        for (long first = 0; first < units.count(); first += batch.size()) {
            long begin = first;
            long count = Math.min(batch.size(), units.count() - first);
            Threads.seconds(threads, count, () -> {
                Scratch scratch = Scratch.allocate((int) elements.traits().scratchBytes());
                return i -> read(elements, units.regionAt(begin + i), batch.get((int) i), scratch);
            });
            seconds += Threads.seconds(threads, count, () -> {
                Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
                return i -> writer.write(
                        units.regionAt(begin + i), batch.get((int) i).duplicate(), scratch);
            });
        }
        return seconds;
    }

    /** Reads a chunk that is there; the buffer's limit ends up behind its elements. */
    private static void read(ArrayReader reader, Region chunk, ByteBuffer buffer, Scratch scratch) throws IOException {
        long bytes = reader.traits().paddedEdges()
                ? buffer.capacity()
                : chunk.elements() * reader.spec().dataType().itemSize();
        buffer.clear().limit((int) bytes);
        if (!reader.read(chunk, buffer, scratch)) {
            throw new IOException(chunk + " was never written");
        }
        buffer.rewind();
    }

    private static ByteBuffer buffer(ArraySpec spec, Shape chunk) {
        long bytes = chunk.elements() * spec.dataType().itemSize();
        return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(spec.byteOrder());
    }
}
