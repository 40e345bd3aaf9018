package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.tiff.Tiff;
import dev.rechunker.io.tree.AssembledStore;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A new file of TIFF. Its tiles are chunks of Zarr in a directory, of which {@link #finish} makes the file. */
final class CogStore extends AssembledStore {
    private static final String DATA = "band_data";

    private final AssembledKeys keys;
    private final Map<String, ArraySpec> images = new ConcurrentHashMap<>();
    private final Map<String, Integer> levels = new ConcurrentHashMap<>();

    CogStore(AssembledKeys keys, ChunkStore tiles) {
        super(keys, tiles);
        this.keys = keys;
    }

    @Override
    protected ChunkStore open() throws IOException {
        return Tiff.open(keys.file());
    }

    @Override
    public StoreLocation arrange(StoreLocation source) throws IOException {
        return CogView.of(source).at("");
    }

    @Override
    public boolean takesCoordinates() {
        return true;
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return CogSpec.adopt(foreign);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        return CogSpec.image(name(), stored(CogSpec.resolve(name(), wanted)));
    }

    private ArraySpec stored(ArraySpec image) throws StoreException {
        return delegate().resolve(CogSpec.stored(name(), image));
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) {
        return GroupSpec.EMPTY;
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (hasBegun()) {
            Optional<Node> node = delegate().node(path);
            return node.isPresent() && node.get() instanceof ArrayNode array
                    ? Optional.of(new ArrayNode(CogSpec.image(name(), array.spec())))
                    : node;
        }
        if (keys.exists() && !path.isEmpty()) {
            throw alreadyExists();
        }
        return keys.exists() ? Optional.of(new GroupNode(GroupSpec.EMPTY, false)) : Optional.empty();
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!hasBegun() && keys.exists()) {
            throw alreadyExists();
        }
        return hasBegun() ? delegate().children(path) : List.of();
    }

    @Override
    public List<String> omissions(String path) {
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (hasBegun()) {
            ArrayReader reader = delegate().openReader(path);
            return TileReader.of(reader, CogSpec.image(name(), reader.spec()));
        }
        ChunkStore file = finished().orElseThrow(() -> new StoreException(name() + " does not exist"));
        boolean isPlaced = file.node(DATA).isPresent();
        int level = level(path);
        String place = !isPlaced ? Integer.toString(level) : level == 0 ? DATA : "overview_" + level + "/" + DATA;
        ArrayReader reader = file.openReader(place);
        ArraySpec image = images.get(path);
        return TileReader.of(reader, image == null ? reader.spec() : image);
    }

    /** {@return the number of the level that an array is in the finished file} */
    private int level(String path) {
        Integer known = levels.get(path);
        String leaf = NodePaths.leaf(path);
        return known != null ? known : leaf.matches("\\d{1,3}") ? Integer.parseInt(leaf) : 0;
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return Optional.of(TileReader.traits(resolved));
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        return counted(delegate().writeTraits(stored(resolved)), resolved);
    }

    /** {@return traits that count what {@link #finish} takes when data are in memory no more} */
    private WriteTraits counted(WriteTraits traits, ArraySpec image) throws StoreException {
        try {
            long held = TileEncoder.heldBytes(image, CogSpec.format(name(), image));
            return traits.withHeldBytes(Math.max(traits.heldBytes(), held));
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        ArrayWriter tiles = opening.open();
        ArraySpec image = CogSpec.image(name(), tiles.spec());
        images.put(path, image);
        WriteTraits traits = counted(tiles.traits(), image);
        return new Writer(tiles) {
            @Override
            public ArraySpec spec() {
                return image;
            }

            @Override
            public WriteTraits traits() {
                return traits;
            }
        };
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        return super.create(path, stored(resolve(spec)), overwrite);
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        return super.resume(path, stored(resolve(spec)));
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        return super.join(path, stored(resolve(spec)));
    }

    @Override
    protected void requireFreeWhenBegun(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        delegate().requireFree(path, stored(resolved), overwrite);
    }

    @Override
    protected void assemble() throws IOException {
        List<CogFile.Level> found = new ArrayList<>();
        addLevels("", found);
        found.sort(Comparator.comparingLong(
                (CogFile.Level level) -> -level.image().shape().elements()));
        if (found.isEmpty()) {
            throw new StoreException(name() + " has no image, so there is no file to write");
        }
        for (int level = 0; level < found.size(); level++) {
            levels.put(found.get(level).path(), level);
        }
        CogFile file = new CogFile(name(), keys, found);
        keys.assemble((tree, to) -> file.write(to));
    }

    private void addLevels(String path, List<CogFile.Level> found) throws IOException {
        if (delegate().node(path).orElse(null) instanceof ArrayNode array) {
            ArraySpec image = CogSpec.image(name(), array.spec());
            found.add(new CogFile.Level(path, image, CogSpec.format(name(), image)));
            return;
        }
        for (String child : delegate().children(path)) {
            addLevels(NodePaths.below(path, child), found);
        }
    }

    @Override
    public String toString() {
        return "COG " + name();
    }
}
