package dev.rechunker.io.imglib2;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.NativeType;
import org.jspecify.annotations.Nullable;

/**
 * An image to be written, as a store of one array, at its root. Created by {@link ImgArrays#into} and
 * {@link ImgArrays#create}.
 *
 * <p>An image has no chunks, names of axes or attributes. The store keeps them itself, and returns them once the array
 * exists; the image is not changed by them. Codecs and shards are not supported.
 */
public final class ImgTarget<T extends NativeType<T>> implements ChunkStore, FormatRules {
    private static final Capabilities CAPABILITIES =
            Capabilities.ofOneArray().withWritable(true).withConcurrentWriters(true);

    private final Function<Shape, RandomAccessibleInterval<T>> maker;
    private final @Nullable RandomAccessibleInterval<T> given;
    private final Pixels pixels;
    private final String name;
    private final String identity;
    private volatile @Nullable Written<T> written;

    /** The array after the commit. */
    private record Written<T>(ArraySpec spec, RandomAccessibleInterval<T> image) {}

    private ImgTarget(
            Function<Shape, RandomAccessibleInterval<T>> maker,
            @Nullable RandomAccessibleInterval<T> given,
            T type,
            String name,
            String identity) {
        this.maker = maker;
        this.given = given;
        this.pixels = Pixels.of(type);
        this.name = name;
        this.identity = identity;
    }

    static <T extends NativeType<T>> ImgTarget<T> into(RandomAccessibleInterval<T> image) {
        PixelBlocks.requireAxes(image);
        return new ImgTarget<>(
                shape -> image, image, image.getType(), ImgSource.name(image), ImgSource.identity(image));
    }

    static <T extends NativeType<T>> ImgTarget<T> create(Function<Shape, RandomAccessibleInterval<T>> maker, T type) {
        return new ImgTarget<>(maker, null, type, "new image", "imglib2:new-" + UUID.randomUUID());
    }

    /**
     * {@return the image that was written}
     *
     * @throws IllegalStateException if nothing has been copied to it yet
     */
    public RandomAccessibleInterval<T> img() {
        Written<T> there = written;
        if (there == null) {
            throw new IllegalStateException("nothing has been copied to " + name + " yet");
        }
        return there.image;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Optional<Node> node(String path) {
        ChunkStore.requirePath(path);
        return Optional.ofNullable(written).filter(there -> path.isEmpty()).map(there -> new ArrayNode(there.spec));
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        ChunkStore.requirePath(path);
        Written<T> there = written;
        if (there == null || !path.isEmpty()) {
            throw new StoreException("there is no array at " + at(path));
        }
        return new ImgReader<>(there.spec, there.image, false);
    }

    @Override
    public FormatRules rules() {
        return this;
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return foreign.toBuilder().shards(null).codecs(List.of()).build();
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        Optional<String> mismatch = pixels.mismatch(wanted.dataType());
        if (mismatch.isPresent()) {
            throw new StoreException("in " + name + ", " + mismatch.get());
        }
        if (given != null && !PixelBlocks.shape(given).equals(wanted.shape())) {
            throw new StoreException(name + " has the shape " + PixelBlocks.shape(given)
                    + " in C order, but the array has " + wanted.shape() + "; use an image of the same size");
        }
        if (given == null && (wanted.shape().rank() == 0 || wanted.shape().isEmpty())) {
            throw new StoreException(
                    "ImgLib2 cannot create an image without pixels or axes; the array has the shape " + wanted.shape());
        }
        if (wanted.shards().isPresent()) {
            throw new StoreException(name + " has no shards, but shards of "
                    + wanted.shards().get().chunkShape() + " were requested; request none");
        }
        if (!wanted.codecs().isEmpty()) {
            throw new StoreException(name + " has no codecs, but " + wanted.codecs() + " were requested; request none");
        }
        return wanted;
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) {
        return ImgWriter.traits(pixels);
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        requireRoot(path);
        ArraySpec resolved = resolve(spec);
        if (written != null && !overwrite) {
            throw new StoreException(name + " already contains an array");
        }
        written = null;
        RandomAccessibleInterval<T> image = maker.apply(resolved.shape());
        ImgWriter<T> writer = new ImgWriter<>(resolved, image, () -> written = new Written<>(resolved, image));
        writer.fill();
        return writer;
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        requireRoot(path);
        throw new StoreException(name + " contains one array and cannot be a group; copy a single array of the group");
    }

    private void requireRoot(String path) {
        if (!path.isEmpty()) {
            throw new UnsupportedOperationException(
                    name + " contains one array, at its root; nothing can be written at " + path);
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    /** Does nothing: the image belongs to the caller. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }
}
