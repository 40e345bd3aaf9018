package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DataType;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.N5Writer;

/** Writes a dataset with n5: block by block or, if it has shards, shard by shard. */
final class BlockWriter implements ArrayWriter {
    private final N5Location location;
    private final N5Writer n5;
    private final ArraySpec spec;
    private final DatasetAttributes dataset;
    private final DataType type;
    private final WriteTraits traits;
    private final N5Target.Publication publication;
    private volatile boolean committed;
    private volatile boolean closed;

    BlockWriter(
            N5Location location,
            N5Writer n5,
            ArraySpec spec,
            DatasetAttributes dataset,
            N5Target.Publication publication) {
        this.location = location;
        this.n5 = n5;
        this.spec = spec;
        this.dataset = dataset;
        this.type = N5Types.toN5(spec.dataType()).orElseThrow();
        this.traits = N5Memory.writeTraits(spec, dataset, location.dialect());
        this.publication = publication;
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public WriteTraits traits() {
        return traits;
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
        requireOpen();
        long[] position = Blocks.position(spec.writeUnits(), unit);
        Blocks.requireRemaining(data, unit, spec);
        DataBlock<?>[] chunks = chunks(unit, data);
        location.run("write the block at " + Arrays.toString(position), () -> write(chunks));
    }

    /**
     * Writes a block, or all chunks of a shard in one call, so that its file is written once.
     *
     * <p>{@code writeBlock} accepts a whole shard, but n5 4.0.2 then loses elements of shards at the end of the array,
     * because all chunks get the size of the last one.
     */
    @SuppressWarnings("unchecked") // all chunks have the same type
    private void write(DataBlock<?>[] chunks) {
        if (spec.shards().isEmpty()) {
            n5.writeChunk(location.path(), dataset, chunks[0]);
        } else {
            n5.writeChunks(location.path(), dataset, (DataBlock<Object>[]) chunks);
        }
    }

    private DataBlock<?>[] chunks(Region unit, ByteBuffer data) {
        Region indexes = spec.chunks().chunksTouching(unit);
        ChunkGrid each = ChunkGrid.regular(indexes.shape(), Shape.of(ones(unit.rank())));
        DataBlock<?>[] chunks = new DataBlock<?>[Math.toIntExact(indexes.elements())];
        for (int i = 0; i < chunks.length; i++) {
            long[] index = each.index(i);
            for (int axis = 0; axis < index.length; axis++) {
                index[axis] += indexes.start(axis);
            }
            Region chunk = spec.chunks().region(index);
            chunks[i] = Blocks.pack(type, chunk, Blocks.reversed(index), unit, data, spec);
        }
        return chunks;
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    @Override
    public void commit() throws IOException {
        requireOpen();
        publication.publish();
        committed = true;
    }

    private void requireOpen() {
        if (closed || committed) {
            throw new IllegalStateException(
                    "the writer of " + location + " was " + (committed ? "committed" : "closed"));
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed && !committed) {
            closed = true;
            publication.withdraw();
        }
        closed = true;
    }
}
