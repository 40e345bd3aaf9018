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

/**
 * An array to be copied.
 *
 * @param name what it is called; its shape is added to the name of its file
 * @param shape extents, in elements
 * @param chunks its chunks; of a dataset without chunks, the regions by which it is written
 * @param type of its elements
 * @param values its elements
 * @param container what it is stored in
 * @param codec its codecs, as {@code copy --codec} takes them
 */
public record Input(
        String name, Shape shape, Shape chunks, DataType type, Values values, Container container, String codec) {
    /** What making and comparing arrays may hold: two of the largest chunks on either side, and more. */
    static final ByteSize BOUND = ByteSize.parse("1GB");

    /** {@return the bytes of all elements} */
    public long bytes() {
        return shape.elements() * type.itemSize();
    }

    /** {@return its chunks} */
    public ChunkGrid grid() {
        return ChunkGrid.regular(shape, chunks);
    }

    /** {@return whether it has chunks} */
    public boolean isChunked() {
        return container != Container.HDF5_CONTIGUOUS;
    }

    /** {@return where it is, in a directory of inputs} */
    Path path(Path directory) {
        String extents = shape.toString().replaceAll("[^0-9]+", "x").replaceAll("^x|x$", "");
        return container.in(directory, name + "-" + extents);
    }

    /** Makes it, unless it is there: an array comes into being when it is complete; what is unfinished is made anew. */
    void make(Path directory) throws IOException, InterruptedException {
        Path path = path(directory);
        if (Files.exists(path) && Stores.isStore(path)) {
            return;
        }
        ArraySpec spec = ArraySpec.builder(grid(), type)
                .fillValue(FillValue.zero(type.itemSize()))
                .build();
        StoreLocation target = container.create(path);
        try (ChunkStore source = new MadeStore(spec, values);
                ChunkStore store = target.store()) {
            Rechunker.Job job = Rechunker.from(source)
                    .to(store.at(container.node()))
                    .chunks("keep")
                    .maxMem(BOUND)
                    .executor(new ForkJoinExecutor())
                    .overwrite()
                    .writeEmptyChunks()
                    .codec(codec);
            (isChunked() ? job : job.format(container.format())).execute();
        }
    }
}
