package dev.rechunker.bench;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The input of a workload: an array that is made from computed elements.
 *
 * @param name the name, to which the shape is added in the name of its file
 * @param shape the shape of the array
 * @param chunks the chunks; for a dataset without chunks, the regions in which it is written
 * @param type the type of the elements
 * @param values the elements
 * @param container the format
 * @param codec the codecs, in the form of {@code copy --codec}
 * @param shards the shards that the chunks are in; empty for none
 */
public record Input(
        String name,
        Shape shape,
        Shape chunks,
        DataType type,
        Values values,
        Container container,
        String codec,
        Optional<Shape> shards) {
    /** Creates an input without shards. */
    public Input(
            String name, Shape shape, Shape chunks, DataType type, Values values, Container container, String codec) {
        this(name, shape, chunks, type, values, container, codec, Optional.empty());
    }

    /** The most memory for making and comparing arrays, which is more than two of the largest chunks of either side. */
    static final ByteSize BOUND = ByteSize.parse("1GB");

    /** {@return the size of all elements in bytes} */
    public long bytes() {
        return shape.elements() * type.itemSize();
    }

    /** {@return the grid of its chunks} */
    public ChunkGrid grid() {
        return ChunkGrid.regular(shape, chunks);
    }

    /** {@return whether the dataset has chunks} */
    public boolean isChunked() {
        return container != Container.HDF5_CONTIGUOUS;
    }

    /** {@return shards in the form of {@code copy --shards}} */
    static String shardText(Optional<Shape> shards) {
        return shards.map(shard -> Tool.extents(shard.toArray(), ",")).orElse("none");
    }

    /** {@return its path in a directory of inputs} */
    Path path(Path directory) {
        String extents = shape.toString().replaceAll("[^0-9]+", "x").replaceAll("^x|x$", "");
        String sharded =
                shards.map(shard -> "-in-" + Tool.extents(shard.toArray(), "x")).orElse("");
        return container.in(directory, name + "-" + extents + sharded);
    }

    /**
     * Makes the input, unless it exists. An unfinished input is made again, as arrays exist only once they are
     * complete.
     */
    void make(Path directory) throws IOException, InterruptedException {
        Path path = path(directory);
        if (Files.exists(path) && Stores.isStore(path)) {
            return;
        }
        ArraySpec spec = ArraySpec.builder(grid(), type)
                .fillValue(FillValue.zero(type.itemSize()))
                .build();
        StoreLocation target = container.create(path);
        try (ChunkStore source = new ComputedStore(spec, values);
                ChunkStore store = target.store()) {
            Rechunker.Job job = Rechunker.from(source)
                    .to(store.at(container.node()))
                    .chunks("keep")
                    .maxMem(BOUND)
                    .executor(new ForkJoinExecutor())
                    .overwrite()
                    .writeEmptyChunks()
                    .shards(shardText(shards))
                    .codec(codec);
            (isChunked() ? job : job.format(container.format())).execute();
        }
    }
}
