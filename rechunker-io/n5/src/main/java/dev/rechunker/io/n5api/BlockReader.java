package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.jspecify.annotations.Nullable;

/** Reads a dataset with n5: block by block or, if it has shards, chunk by chunk. */
final class BlockReader implements ArrayReader {
    private final N5Location location;
    private final DatasetAttributes dataset;
    private final ArraySpec spec;
    private final ReadTraits traits;
    private volatile boolean closed;

    private BlockReader(N5Location location, DatasetAttributes dataset, ArraySpec spec) {
        this.location = location;
        this.dataset = dataset;
        this.spec = spec;
        this.traits = N5Memory.readTraits(spec, dataset, location.dialect());
    }

    /**
     * {@return a reader of a dataset}
     *
     * @throws StoreException if there is no dataset, or its blocks are too large for a Java array
     */
    static BlockReader open(N5Location location) throws IOException {
        DatasetAttributes dataset = location.requireDataset();
        ArraySpec spec = location.dialect().spec(location, dataset);
        Blocks.requireSize(location, spec, spec.chunks());
        return new BlockReader(location, dataset, spec);
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        if (closed) {
            throw new IllegalStateException("the reader of " + location + " was closed");
        }
        long[] position = Blocks.position(spec.chunks(), region);
        Blocks.requireRemaining(target, region, spec);
        DataBlock<?> block = block(position);
        if (block == null) {
            return false;
        }
        try {
            Blocks.unpack(block, region.shape(), spec, target);
        } catch (StoreException e) {
            throw new StoreException(location + ": " + e.getMessage(), e);
        }
        return true;
    }

    private @Nullable DataBlock<?> block(long[] position) throws IOException {
        return location.call(
                "read the block at " + Arrays.toString(position),
                () -> location.n5().<Object>readChunk(location.path(), dataset, position.clone()));
    }

    @Override
    public void close() {
        closed = true;
    }
}
