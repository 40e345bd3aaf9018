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

/** Measurements of the time to read and decode, or encode and write, each chunk of an array once. */
final class Coding {
    /** The size of a read in bytes if any bytes can be read. */
    private static final long BAND = 4 << 20;
    /** The approximate size in bytes of the batches in which decoded chunks are kept in memory. */
    private static final long BATCH = 256 << 20;

    private final int threads;

    Coding(int threads) {
        this.threads = threads;
    }

    /** {@return the seconds to read and decode every chunk once, streamed if that is possible} */
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

    /** {@return the seconds to encode and write every unit once, without those to read the elements} */
    double encode(ArrayReader elements, ArrayWriter writer) throws IOException, InterruptedException {
        ArraySpec spec = writer.spec();
        ChunkGrid units = spec.writeUnits();
        if (!elements.spec().chunks().equals(units)
                || elements.traits().paddedEdges() != writer.traits().paddedEdges()) {
            throw new IllegalStateException("write units of " + units + " cannot be read from chunks of "
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

    /** Reads an existing chunk into a buffer, whose limit is set to the end of the elements. */
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
