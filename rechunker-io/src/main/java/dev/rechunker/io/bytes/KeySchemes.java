package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens key stores by URIs: of web servers, and of each {@link KeyScheme} on the class path. */
public final class KeySchemes {
    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://");

    private KeySchemes() {}

    /** {@return whether a text is a URI, rather than a path} */
    public static boolean isUri(String place) {
        return URI.matcher(place).lookingAt();
    }

    /**
     * {@return the key store at a URI}
     *
     * @throws StoreException if the scheme of the URI is not supported, or a library is not on the class path; the
     *     message does not repeat parts of the URI that may be secret
     */
    public static KeyStore open(String uri) throws IOException {
        Matcher start = URI.matcher(uri);
        if (!start.lookingAt()) {
            throw new StoreException("\"" + uri + "\" is not a URI, such as s3://bucket/path");
        }
        String scheme = start.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("http") || scheme.equals("https")) {
            return HttpKeys.at(uri);
        }
        for (KeyScheme known : ServiceLoader.load(KeyScheme.class, KeySchemes.class.getClassLoader())) {
            if (known.schemes().contains(scheme)) {
                return known.open(uri);
            }
        }
        throw new StoreException("URIs that start with " + scheme + ":// are not supported; use "
                + String.join(
                        ", ", schemes().stream().map(known -> known + "://").toList()));
    }

    /** {@return the supported schemes of URIs} */
    public static Set<String> schemes() {
        Set<String> schemes = new TreeSet<>(List.of("http", "https"));
        for (KeyScheme known : ServiceLoader.load(KeyScheme.class, KeySchemes.class.getClassLoader())) {
            schemes.addAll(known.schemes());
        }
        return schemes;
    }
}
