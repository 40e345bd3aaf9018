package dev.rechunker.io.imagej;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import ij.ImagePlus;
import java.util.List;
import java.util.Optional;

/**
 * An image of ImageJ as a store: a group with OME metadata that contains the array {@code 0}. Created by
 * {@link ImagePlusArrays#of}.
 *
 * <p>{@link #close()} does nothing: the image belongs to the caller.
 */
public final class ImagePlusSource extends ReadOnlyStore {
    private final ImagePlus image;
    private final ImagePlusMetadata metadata;
    private final ArraySpec spec;

    ImagePlusSource(ImagePlus image) {
        this.image = image;
        this.metadata = ImagePlusMetadata.of(image);
        this.spec = PlaneReader.spec(image, metadata.layout());
    }

    @Override
    public String name() {
        return "image " + image.getTitle() + " of ImageJ";
    }

    @Override
    public Optional<Node> node(String path) {
        ChunkStore.requirePath(path);
        if (path.isEmpty()) {
            return Optional.of(new GroupNode(GroupSpec.of(metadata.image().attributes()), false));
        }
        return path.equals(ImagePlusMetadata.LEVEL) ? Optional.of(new ArrayNode(spec)) : Optional.empty();
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return path.isEmpty() ? List.of(ImagePlusMetadata.LEVEL) : List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        ChunkStore.requirePath(path);
        if (!path.equals(ImagePlusMetadata.LEVEL)) {
            throw new StoreException(
                    "there is no array at " + at(path) + ", but one at " + at(ImagePlusMetadata.LEVEL));
        }
        return new PlaneReader(name(), image, metadata.layout(), spec);
    }

    @Override
    public List<String> omissions(String path) {
        ChunkStore.requirePath(path);
        return path.isEmpty() ? metadata.omissions() : List.of();
    }

    @Override
    public String identity() {
        return "imagej:" + Integer.toHexString(System.identityHashCode(image));
    }

    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
