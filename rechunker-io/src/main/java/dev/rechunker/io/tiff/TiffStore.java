package dev.rechunker.io.tiff;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A read-only store with the images of a TIFF file, and of the files beside it that it names. */
final class TiffStore extends ReadOnlyStore {
    static final String KIND = "tiff";

    private final FileBytes bytes;
    private final Contents contents;

    TiffStore(FileBytes bytes, Contents contents) {
        this.bytes = bytes;
        this.contents = contents;
    }

    /** {@return the store of a file; closing it closes the file, which is also closed if this method fails} */
    static TiffStore open(FileBytes bytes) throws IOException {
        try {
            return new TiffStore(bytes, TiffImages.of(new TiffFile(bytes)));
        } catch (StoreException e) {
            bytes.close();
            String message = String.valueOf(e.getMessage());
            throw message.contains(bytes.name()) ? e : new StoreException(bytes.name() + ": " + message, e);
        } catch (IOException | RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return bytes.name();
    }

    @Override
    public String identity() {
        return KIND + " " + bytes.place();
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return bytes.descriptor(KIND);
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofHierarchy().withRemote(bytes.isRemote());
    }

    @Override
    public List<DataPlace> places(String path) {
        List<DataPlace> places = new ArrayList<>();
        places.add(bytes.place().below(path));
        for (TiffFile file : contents.files()) {
            if (file.bytes() != bytes) {
                places.add(file.bytes().place());
            }
        }
        return places;
    }

    @Override
    public Optional<Path> localDirectory() {
        return bytes.localDirectory();
    }

    private Optional<Item> find(String path) {
        ChunkStore.requirePath(path);
        return contents.find(path);
    }

    private String name(String path) {
        return NodePaths.inStore(name(), path);
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Item item = find(path).orElse(null);
        if (item instanceof Item.Refused refused) {
            throw refused.exception(name(path));
        }
        if (item instanceof Item.Group group) {
            return Optional.of(new GroupNode(group.spec(), false));
        }
        return item == null ? Optional.empty() : Optional.of(new ArrayNode(spec(item)));
    }

    private static ArraySpec spec(Item array) {
        return array instanceof Item.Pages pages ? pages.array().spec() : ((Item.Line) array).spec();
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return contents.children(path);
    }

    @Override
    public List<String> omissions(String path) {
        ChunkStore.requirePath(path);
        return contents.losses(path);
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        Item item = find(path).orElseThrow(() -> new StoreException(name(path) + " does not exist"));
        if (item instanceof Item.Pages pages) {
            long held = contents.files().stream().mapToLong(TiffFile::heldBytes).sum();
            long reading = contents.files().stream()
                    .mapToLong(file -> file.bytes().readingBytes())
                    .max()
                    .orElse(0);
            return new TiffReader(name(path), pages.array(), held, reading);
        }
        if (item instanceof Item.Line line) {
            return new LineReader(line);
        }
        if (item instanceof Item.Refused refused) {
            throw refused.exception(name(path));
        }
        throw new StoreException(name(path) + " is a group, not an array");
    }

    @Override
    public void close() throws IOException {
        for (TiffFile file : contents.files()) {
            file.bytes().close();
        }
        bytes.close();
    }

    @Override
    public String toString() {
        return "TIFF " + name();
    }
}
