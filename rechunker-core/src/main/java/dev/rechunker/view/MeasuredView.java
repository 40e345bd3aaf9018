package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A view of a store in which elements of variable length have a known size: that of the longest element of their array,
 * which is found by reading the array when it is first asked for, and kept.
 */
public final class MeasuredView extends ForwardingStore {
    /** The lengths of each array that was measured or written, by path. */
    private final Map<String, ElementLengths> known = new ConcurrentHashMap<>();

    private final Object searching = new Object();
    private final ScanLimits limits;

    private MeasuredView(ChunkStore store, ScanLimits limits) {
        super(store);
        this.limits = limits;
    }

    /**
     * {@return a location in the view of its store; the location itself if the store has no such elements or is a view
     * already}
     *
     * @param most the memory that measuring may take, in bytes, with one thread
     */
    public static StoreLocation at(StoreLocation location, long most) {
        return at(location, new ScanLimits(most, 1));
    }

    /**
     * {@return the same}
     *
     * @param limits what measuring may take
     */
    public static StoreLocation at(StoreLocation location, ScanLimits limits) {
        ChunkStore store = location.store();
        return store instanceof MeasuredView || store.variableLength().isEmpty()
                ? location
                : new MeasuredView(store, limits).at(location.path());
    }

    /**
     * {@return a location in the view of its store, in which some arrays need not be measured}
     *
     * @param most the memory that measuring others may take, in bytes
     * @param known the lengths of these arrays, by path
     */
    public static StoreLocation at(StoreLocation location, long most, Map<String, ElementLengths> known) {
        StoreLocation measured = at(location, most);
        if (measured.store() instanceof MeasuredView view) {
            view.known.putAll(known);
        }
        return measured;
    }

    /**
     * {@return the lengths of the elements of a store that have been measured or are known, by the path of the array}
     */
    public static Map<String, ElementLengths> lengths(ChunkStore store) {
        return store instanceof MeasuredView view ? new TreeMap<>(view.known) : Map.of();
    }

    /**
     * {@return a location in a view of its store in which the longest element of some arrays has a given length, so
     * that they are not measured} A longer element ends a read with {@link StoreException}.
     *
     * @param longest the length of the longest element of these arrays, in bytes, by path
     */
    public static StoreLocation lengthened(StoreLocation location, Map<String, Integer> longest) {
        if (longest.isEmpty()) {
            return location;
        }
        MeasuredView view;
        if (location.store() instanceof MeasuredView measured) {
            view = new MeasuredView(measured.delegate(), measured.limits);
            view.known.putAll(measured.known);
        } else {
            view = new MeasuredView(location.store(), new ScanLimits(0, 1));
        }
        longest.forEach((path, length) ->
                view.known.merge(path, ElementLengths.upTo(length), (measured, other) -> measured.withLongest(length)));
        return view.at(location.path());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Optional<Node> node = super.node(path);
        if (node.isPresent() && node.get() instanceof ArrayNode array && hasLengths(array.spec())) {
            return Optional.of(new ArrayNode(measured(path, array.spec())));
        }
        return node;
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ArrayReader reader = super.openReader(path);
        if (!hasLengths(reader.spec())) {
            return reader;
        }
        ArraySpec measured = measured(path, reader.spec());
        if (measured.equals(reader.spec())) {
            return reader;
        }
        reader.close();
        ElementLengths lengths = known.get(path);
        if (lengths == null) {
            lengths = ElementLengths.upTo(measured.dataType().longest());
        }
        return super.openReader(path, lengths.longest(), lengths.ofChunk());
    }

    private static boolean hasLengths(ArraySpec spec) {
        return spec.dataType().isVariable() || !spec.dataType().isMeasured();
    }

    /** {@return a writer of an array, which is read with elements of the same size from now on} */
    @Override
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        ArrayWriter writer = opening.open();
        DataType type = writer.spec().dataType();
        if (type.isVariable() && type.isMeasured()) {
            known.put(path, ElementLengths.upTo(type.longest()));
        }
        return writer;
    }

    /** {@return a view of what was finished, in which elements have the same size as in this one} */
    @Override
    public Optional<ChunkStore> openFinished() throws IOException {
        return super.openFinished().map(store -> {
            MeasuredView view = new MeasuredView(store, limits);
            view.known.putAll(known);
            return view;
        });
    }

    private ArraySpec measured(String path, ArraySpec spec) throws IOException {
        DataType type = spec.dataType();
        ElementLengths lengths = known.get(path);
        if (type.isMeasured()) {
            return lengths == null || lengths.longest() <= type.longest()
                    ? spec
                    : spec.toBuilder().dataType(type.upTo(lengths.longest())).build();
        }
        if (lengths == null) {
            lengths = search(path, spec);
        }
        if (type.isVariable()) {
            return spec.toBuilder().dataType(type.upTo(lengths.longest())).build();
        }
        try (ArrayReader reader = super.openReader(path, lengths.longest(), lengths.ofChunk())) {
            return reader.spec(); // only the store knows which fields become longer
        }
    }

    /** Reads one array at a time: each read may take all of the memory. */
    private ElementLengths search(String path, ArraySpec spec) throws IOException {
        synchronized (searching) {
            ElementLengths lengths = known.get(path);
            if (lengths == null) {
                lengths = new LengthSearch(delegate(), path, limits)
                        .lengths()
                        .withLongest(spec.missingValue().contents().length);
                known.put(path, lengths);
            }
            return lengths;
        }
    }

    /** {@return the description of the store itself} */
    @Override
    public Optional<StoreDescriptor> descriptor() {
        return delegate().descriptor();
    }
}
