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

/** Reads a dataset by n5, block by block; of a shard, its chunks. */
final class BlockReader implements ArrayReader {
    private final Place place;
    private final DatasetAttributes dataset;
    private final ArraySpec spec;
    private final ReadTraits traits;
    private volatile boolean closed;

    private BlockReader(Place place, DatasetAttributes dataset, ArraySpec spec) {
        this.place = place;
        this.dataset = dataset;
        this.spec = spec;
        this.traits = Needs.toRead(spec, dataset, place.dialect());
    }

    /**
     * {@return a reader of what is there}
     *
     * @throws StoreException if there is no dataset, or one whose blocks are too large for one array of Java
     */
    static BlockReader open(Place place) throws IOException {
        DatasetAttributes dataset = place.requireDataset();
        ArraySpec spec = place.dialect().spec(place, dataset);
        Blocks.requireSize(place, spec, spec.chunks());
        return new BlockReader(place, dataset, spec);
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
            throw new IllegalStateException("the reader of " + place + " was closed");
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
            throw new StoreException(place + ": " + e.getMessage(), e);
        }
        return true;
    }

    private @Nullable DataBlock<?> block(long[] position) throws IOException {
        return place.ask(
                "read the block at " + Arrays.toString(position),
                () -> place.n5().<Object>readChunk(place.path(), dataset, position.clone()));
    }

    @Override
    public void close() {
        closed = true;
    }
}
