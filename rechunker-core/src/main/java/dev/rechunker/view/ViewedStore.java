package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of a store in which steps change how arrays are seen: axes in another order, elements selected,
 * values of another type. Each {@link ArrayView} decides which arrays it concerns; others are unchanged.
 */
public final class ViewedStore extends ArraysView {
    /** The kind of the descriptor of a view. */
    public static final String KIND = "view";

    private static final String STORE = "of";
    private static final String PATH = "path";
    private static final String STEPS = "steps";

    private final String root;
    private final List<ViewStep> steps;
    private final List<ArrayView> views;

    private ViewedStore(ChunkStore store, String root, List<ViewStep> steps, List<ArrayView> views) {
        super(store);
        this.root = root;
        this.steps = List.copyOf(steps);
        this.views = List.copyOf(views);
    }

    /**
     * {@return the view of a source with these steps, each of which applies to what the ones before have made}
     *
     * <p>Closing its store does not close that of the source.
     *
     * @param limits what finding out about the source may take
     * @throws IllegalArgumentException if a step does not fit the source
     * @throws IOException if the source cannot be read
     */
    public static StoreLocation at(StoreLocation source, List<? extends ViewStep> steps, ScanLimits limits)
            throws IOException {
        List<ViewStep> all = new ArrayList<>();
        List<ArrayView> views = new ArrayList<>();
        StoreLocation seen = source;
        Optional<ArraySpec> array = Nodes.array(source);
        Map<String, ArraySpec> arrays = array.isPresent() ? Map.of("", array.get()) : Nodes.arrays(source);
        for (ViewStep step : steps) {
            arrays = views.isEmpty() ? arrays : seen(views.get(views.size() - 1), source, arrays);
            ArrayView view = step.bind(seen, arrays, limits);
            views.add(view);
            all.add(view.settled().orElse(step));
            seen = new ViewedStore(source.store(), source.path(), all, views).at(source.path());
        }
        return seen;
    }

    /** {@return what arrays become, without those of a group that cannot be seen so, as {@link Nodes#arrays}} */
    private static Map<String, ArraySpec> seen(ArrayView view, StoreLocation source, Map<String, ArraySpec> arrays)
            throws IOException {
        Map<String, ArraySpec> seen = new LinkedHashMap<>();
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            try {
                seen.put(array.getKey(), view.of(source.resolve(array.getKey()).path(), array.getValue()));
            } catch (StoreException notPossible) {
                if (array.getKey().isEmpty()) {
                    throw notPossible;
                }
            }
        }
        return seen;
    }

    /** {@return the steps, with what was found out about the source, so that they are bound without looking again} */
    public List<ViewStep> steps() {
        return steps;
    }

    /** Opens a store by its descriptor. */
    @FunctionalInterface
    public interface Opener {
        /** {@return the store that a descriptor describes} */
        ChunkStore open(StoreDescriptor descriptor) throws IOException;
    }

    /**
     * {@return the view that a descriptor of the kind {@value #KIND} describes; closing it closes the store}
     *
     * @throws StoreException if the descriptor is not valid, or does not fit what is stored
     */
    public static ChunkStore open(StoreDescriptor descriptor, Opener opener) throws IOException {
        if (!(descriptor.settings().get(STORE) instanceof Map<?, ?> of
                && descriptor.settings().get(STEPS) instanceof List<?> listed)) {
            throw new StoreException("the descriptor of a view has no store or no steps");
        }
        ChunkStore store = opener.open(StoreDescriptor.of(of));
        try {
            List<ViewStep> steps = new ArrayList<>();
            for (Object item : listed) {
                if (!(item instanceof List<?> pair && pair.size() == 2)) {
                    throw new StoreException("a step of a view has no name or no text: " + item);
                }
                steps.add(ViewSteps.of(String.valueOf(pair.get(0)), String.valueOf(pair.get(1))));
            }
            StoreLocation view = at(store.at(descriptor.text(PATH)), steps, ScanLimits.usual());
            return new Owned(store, view.store());
        } catch (IllegalArgumentException e) {
            store.close();
            throw new StoreException("the view in a descriptor does not fit: " + e.getMessage(), e);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    @Override
    String suffix() {
        return views.stream().map(ArrayView::text).collect(Collectors.joining("; ", "[", "]"));
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        Optional<Node> stored = stored().node(path);
        if (stored.isEmpty()) {
            return stored;
        }
        Node node = stored.get();
        for (ArrayView view : views) {
            node = seen(view, path, node);
        }
        return Optional.of(node);
    }

    private static Node seen(ArrayView view, String path, Node node) throws IOException {
        if (node instanceof ArrayNode array) {
            return new ArrayNode(view.of(path, array.spec()));
        }
        GroupNode group = (GroupNode) node;
        return new GroupNode(view.ofGroup(path, group.spec()), group.consolidated());
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        List<String> omissions = new ArrayList<>(stored().omissions(path));
        Optional<Node> stored = stored().node(path);
        if (stored.isEmpty()) {
            return omissions;
        }
        Node node = stored.get();
        for (ArrayView view : views) {
            omissions.addAll(view.omissions(path, node));
            node = seen(view, path, node);
        }
        return omissions;
    }

    @Override
    ArrayReader viewed(String path, ArrayReader stored) throws IOException {
        ArrayReader reader = stored;
        for (ArrayView view : views) {
            reader = view.of(path, reader);
        }
        return reader;
    }

    @Override
    public Optional<Path> localDirectory() {
        return stored().localDirectory();
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return stored().descriptor().map(of -> {
            Map<String, @Nullable Object> settings = new LinkedHashMap<>();
            settings.put(STORE, of.toData());
            settings.put(PATH, root);
            settings.put(
                    STEPS,
                    steps.stream()
                            .map(step -> List.of(step.name(), step.text()))
                            .toList());
            return new StoreDescriptor(KIND, settings);
        });
    }

    /** A view that closes its store. */
    private static final class Owned extends ForwardingStore {
        private final ChunkStore store;

        Owned(ChunkStore store, ChunkStore view) {
            super(view);
            this.store = store;
        }

        @Override
        public Optional<StoreDescriptor> descriptor() {
            return delegate().descriptor();
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }
}
