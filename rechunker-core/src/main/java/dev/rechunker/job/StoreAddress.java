package dev.rechunker.job;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.StoreProvider;
import dev.rechunker.view.ViewedStore;
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
 * The address of a node: the URI of its store, and its path.
 *
 * @param uri the location of the store, without a fragment
 * @param inner the path of the node in the store
 */
public record StoreAddress(URI uri, String inner) {
    /** Matches URIs; a scheme has at least two letters, as a single one is a drive of Windows. */
    private static final Pattern URI_FORM = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:.*", Pattern.DOTALL);

    private static final Pattern LEADING_SLASHES = Pattern.compile("^/+");

    /**
     * {@return the address that a text states: {@code path}, {@code path#inner/array}, or a URI with such a fragment}
     */
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
        } catch (URISyntaxException e) { // its message has the whole text, which may contain secrets
            throw new IllegalArgumentException("the location of a store that starts with "
                    + text.substring(0, text.indexOf(':') + 1) + " is malformed at character " + e.getIndex());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("\"" + text + "\" names no store: " + e.getMessage(), e);
        }
    }

    /** {@return whether a text is the path of a file; a number sign is then a part of the path} */
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
            throw new IllegalArgumentException(
                    StoreLocation.withoutSecrets(uri.toString()) + " has no scheme; write file:/..., or give a path");
        }
        String text = uri.toString();
        int sign = text.indexOf('#');
        return sign < 0
                ? new StoreAddress(uri, "")
                : new StoreAddress(URI.create(text.substring(0, sign)), inner(uri.getFragment()));
    }

    /** {@return the path of a node, without the slashes at its beginning that paths in HDF5 have} */
    private static String inner(String text) {
        return LEADING_SLASHES.matcher(text).replaceFirst("");
    }

    /** {@return the node as a source; its store is opened when it is read, and closed afterwards} */
    public StoreLocation toRead() throws IOException {
        StoreProvider provider = provider();
        return new StoreOnDemand(() -> provider.open(uri)).at(inner);
    }

    /** {@return the node as a target; the caller closes its store} */
    public StoreLocation toWrite() throws IOException {
        return provider().create(uri).at(inner);
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
                        ? uri
                                + " cannot be opened: no formats are on the class path; add dev.rechunker:rechunker-io to it, or pass"
                                + " a store instead of its location"
                        : uri + " cannot be opened: the formats on the class path support the URI schemes " + known
                                + ", but not " + scheme);
    }

    /** {@return the store that a descriptor describes} */
    static ChunkStore open(StoreDescriptor descriptor) throws IOException {
        if (descriptor.kind().equals(ViewedStore.KIND)) {
            return ViewedStore.open(descriptor, StoreAddress::open);
        }
        for (StoreProvider provider : providers()) {
            Optional<ChunkStore> store = provider.open(descriptor);
            if (store.isPresent()) {
                return store.get();
            }
        }
        throw new StoreException("nothing on the class path opens a store of kind \"" + descriptor.kind()
                + "\"; formats come from dev.rechunker:rechunker-io");
    }

    /** {@return the store for spills that a descriptor describes} */
    static SpillStore openSpill(StoreDescriptor descriptor) throws IOException {
        for (StoreProvider provider : providers()) {
            Optional<SpillStore> store = provider.openSpill(descriptor);
            if (store.isPresent()) {
                return store.get();
            }
        }
        throw new StoreException("nothing on the class path opens a store for spills of kind \"" + descriptor.kind()
                + "\"; object stores are supported by dev.rechunker:rechunker-io");
    }

    /** {@return the providers that the loader of this class finds, and those that the thread's class loader finds} */
    private static List<StoreProvider> providers() {
        List<StoreProvider> providers = new ArrayList<>();
        ServiceLoader.load(StoreProvider.class, StoreAddress.class.getClassLoader())
                .forEach(providers::add);
        ServiceLoader.load(StoreProvider.class).forEach(providers::add);
        return providers;
    }
}
