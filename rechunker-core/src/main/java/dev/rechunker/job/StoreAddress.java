package dev.rechunker.job;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.StoreProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A store that is named rather than given, and a node in it.
 *
 * @param uri where the store is, without a fragment
 * @param inner the path of the node
 */
public record StoreAddress(URI uri, String inner) {
    /** A letter and a colon are a drive of Windows. */
    private static final Pattern URI_FORM = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:.*", Pattern.DOTALL);

    private static final Pattern LEADING_SLASHES = Pattern.compile("^/+");

    /** {@return the place that a text names: {@code path}, {@code path#inner/array}, or a URI with such a fragment} */
    public static StoreAddress of(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("\"\" names no store; write \"path\" or \"path#inner/array\"");
        }
        try {
            if (URI_FORM.matcher(text).matches() && !exists(text)) {
                return of(new URI(text));
            }
            int sign = exists(text) ? -1 : text.lastIndexOf('#');
            return sign <= 0
                    ? of(Path.of(text))
                    : new StoreAddress(Path.of(text.substring(0, sign)).toUri(), inner(text.substring(sign + 1)));
        } catch (InvalidPathException | URISyntaxException e) {
            throw new IllegalArgumentException("\"" + text + "\" names no store: " + e.getMessage(), e);
        }
    }

    /** A number sign is part of a path if there is such a file. */
    private static boolean exists(String text) {
        try {
            return Files.exists(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    public static StoreAddress of(Path path) {
        return new StoreAddress(path.toUri(), "");
    }

    public static StoreAddress of(URI uri) {
        if (!uri.isAbsolute()) {
            throw new IllegalArgumentException(uri + " has no scheme; write file:/..., or give a path");
        }
        String text = uri.toString();
        int sign = text.indexOf('#');
        return sign < 0
                ? new StoreAddress(uri, "")
                : new StoreAddress(URI.create(text.substring(0, sign)), inner(uri.getFragment()));
    }

    /** A slash at the start, as HDF5's paths have it, means the root. */
    private static String inner(String text) {
        return LEADING_SLASHES.matcher(text).replaceFirst("");
    }

    /** {@return the node as a source, whose store is open only while it is used} */
    public StoreLocation toRead() throws IOException {
        StoreProvider provider = provider();
        return new StoreOnDemand(() -> provider.open(uri)).at(inner);
    }

    /** {@return a new store, to be closed} */
    public ChunkStore toWrite() throws IOException {
        return provider().create(uri);
    }

    private StoreProvider provider() throws StoreException {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        TreeSet<String> known = new TreeSet<>();
        for (StoreProvider provider : providers()) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        throw new StoreException(
                known.isEmpty()
                        ? uri + " cannot be opened: nothing on the class path knows formats; add"
                                + " dev.rechunker:rechunker-io to it, or give a store instead of its place"
                        : uri + " cannot be opened: what is on the class path knows places of " + known + ", not of "
                                + scheme);
    }

    /** {@return the store that a descriptor describes, open} */
    static ChunkStore open(StoreDescriptor descriptor) throws IOException {
        for (StoreProvider provider : providers()) {
            Optional<ChunkStore> store = provider.open(descriptor);
            if (store.isPresent()) {
                return store.get();
            }
        }
        throw new StoreException("nothing on the class path opens a store of kind \"" + descriptor.kind()
                + "\"; formats come from dev.rechunker:rechunker-io");
    }

    /** {@return the place for spills that a descriptor describes, open} */
    static SpillStore openSpill(StoreDescriptor descriptor) throws IOException {
        for (StoreProvider provider : providers()) {
            Optional<SpillStore> store = provider.openSpill(descriptor);
            if (store.isPresent()) {
                return store.get();
            }
        }
        throw new StoreException("nothing on the class path opens a place for spills of kind \"" + descriptor.kind()
                + "\"; those of object stores come from dev.rechunker:rechunker-io");
    }

    /** {@return those beside this class, and those that the thread's own class loader knows, as plugins have one} */
    private static List<StoreProvider> providers() {
        List<StoreProvider> providers = new ArrayList<>();
        ServiceLoader.load(StoreProvider.class, StoreAddress.class.getClassLoader())
                .forEach(providers::add);
        ServiceLoader.load(StoreProvider.class).forEach(providers::add);
        return providers;
    }
}
