package dev.rechunker.io.imglib2;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.NativeType;

/**
 * An image as a store of one array, at its root. Created by {@link ImgArrays#of}.
 *
 * <p>{@link #close()} does nothing: the image belongs to the caller.
 */
public final class ImgSource<T extends NativeType<T>> extends ReadOnlyStore {
    private final RandomAccessibleInterval<T> image;
    private final ArraySpec spec;
    private final boolean lazy;

    ImgSource(RandomAccessibleInterval<T> image) {
        PixelBlocks.requireAxes(image);
        ViewChain chain = ViewChain.of(image);
        Shape shape = PixelBlocks.shape(image);
        Optional<ChunkGrid> cells = chain.cells(image);
        this.image = image;
        this.lazy = chain.isLazy() && cells.isPresent();
        ChunkGrid whole = ChunkGrid.regular(shape, shape.combine(shape, (extent, same) -> Math.max(1, extent)));
        DataType type = Pixels.of(image.getType()).dataType();
        this.spec = ArraySpec.builder(
                        cells.filter(grid -> lazy || grid.isRegular()).orElse(whole), type)
                .fillValue(FillValue.zero(type.itemSize()))
                .build();
    }

    private ImgSource(RandomAccessibleInterval<T> image, ArraySpec spec, boolean lazy) {
        this.image = image;
        this.spec = spec;
        this.lazy = lazy;
    }

    /**
     * {@return the source with names of its axes, x first as in ImgLib2: {@code axes("x", "y", "z")}; the array has
     * them in C order, {@code z, y, x}}
     *
     * @throws IllegalArgumentException if the number of names is not that of axes
     */
    public ImgSource<T> axes(String... namesXFirst) {
        List<String> names = new ArrayList<>(List.of(namesXFirst));
        Collections.reverse(names);
        return new ImgSource<>(image, spec.toBuilder().dimensionNames(names).build(), lazy);
    }

    @Override
    public String name() {
        return name(image);
    }

    /** {@return the name of an image, for messages} */
    static String name(RandomAccessibleInterval<?> image) {
        return "image " + Shape.of(image.dimensionsAsLongArray()) + " (x first)";
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofOneArray();
    }

    @Override
    public Optional<Node> node(String path) {
        ChunkStore.requirePath(path);
        return path.isEmpty() ? Optional.of(new ArrayNode(spec)) : Optional.empty();
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            throw new StoreException("there is no array at " + at(path) + ", but one at its root");
        }
        return new ImgReader<>(spec, image, lazy);
    }

    @Override
    public String identity() {
        return identity(image);
    }

    /** {@return a text that is equal for all known views of one image} */
    static String identity(RandomAccessibleInterval<?> image) {
        return "imglib2:"
                + Integer.toHexString(
                        System.identityHashCode(ViewChain.of(image).root()));
    }

    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
