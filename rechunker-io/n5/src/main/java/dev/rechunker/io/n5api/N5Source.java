package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A dataset of an {@code N5Reader}, as a store of one array, at its root. Closing it leaves the reader open. */
final class N5Source extends ReadOnlyStore {
    private final Place place;
    private final boolean alwaysByN5;

    N5Source(Place place) throws IOException {
        this(place, false);
    }

    /**
     * Creates it.
     *
     * @param alwaysByN5 whether n5 reads even what our own reader could
     */
    N5Source(Place place, boolean alwaysByN5) throws IOException {
        this.place = place;
        this.alwaysByN5 = alwaysByN5;
        openReader("").close();
    }

    @Override
    public String name() {
        return place.toString();
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofOneArray().withRemote(place.isRemote());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            return Optional.empty();
        }
        try (ArrayReader reader = openReader(path)) {
            return Optional.of(new ArrayNode(reader.spec()));
        }
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            throw new StoreException("there is no array at " + at(path) + ", but one at its root");
        }
        BlockReader live = BlockReader.open(place);
        Optional<ArrayReader> own = alwaysByN5 ? Optional.empty() : own(live.spec());
        return own.orElse(live);
    }

    /** {@return our own reader, if it sees the same array as n5 does} */
    private Optional<ArrayReader> own(ArraySpec live) throws IOException {
        Optional<ChunkStore> ours = place.ours();
        if (ours.isEmpty()) {
            return Optional.empty();
        }
        try {
            ArrayReader reader = ours.get().openReader(place.path());
            if (isSame(reader.spec(), live)) {
                return Optional.of(reader);
            }
            reader.close();
            return Optional.empty();
        } catch (StoreException e) {
            return Optional.empty(); // n5 has what our own reader has not
        }
    }

    /** Not the same are arrays of Zarr in another order than C: n5 turns the axes of some of them. */
    private static boolean isSame(ArraySpec own, ArraySpec live) {
        return own.chunks().equals(live.chunks())
                && own.shards().equals(live.shards())
                && own.dataType().equals(live.dataType())
                && own.codecs().stream().noneMatch(codec -> codec.name().equals("transpose"));
    }

    @Override
    public String identity() {
        return place.identity();
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return place.places();
    }

    /** Does nothing: the reader is the caller's. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
