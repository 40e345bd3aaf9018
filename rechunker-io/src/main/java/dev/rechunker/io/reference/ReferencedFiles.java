package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.HttpKeys;
import dev.rechunker.io.bytes.KeySchemes;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Finds the files that a document of references names: by paths relative to it, by other paths, or by URIs. Each
 * directory, bucket and server is opened once.
 *
 * <p>A document on this machine may name files in its directory and below, and others only if that was allowed. One in
 * a bucket or on a web server can name no file of this machine.
 */
final class ReferencedFiles implements Closeable {
    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://(.*)", Pattern.DOTALL);
    private static final Pattern PLACE = Pattern.compile("([^/]+)/(.+)", Pattern.DOTALL);

    /** The most buckets and servers: each has a client of its own. */
    private static final int MOST_PLACES = 1000;

    private static final int LONGEST = 1500;

    /** The most characters of a name in a directory. */
    private static final int LONGEST_PART = 255;

    private static final String REDIRECTS = "redirects=any";

    private final Origin origin;
    private final Map<String, KeyStore> opened = new LinkedHashMap<>();
    private final List<File> files = new ArrayList<>();
    private final Set<KeyStore> places = new LinkedHashSet<>();

    /**
     * A file.
     *
     * @param keys the key store that it is in
     * @param key its key
     */
    record File(KeyStore keys, String key) {
        String name() {
            return keys.name() + "/" + key;
        }
    }

    private ReferencedFiles(Origin origin) {
        this.origin = origin;
    }

    /**
     * {@return the files of a document}
     *
     * @throws StoreException if a file must not be read, or the place that it is in is not supported
     */
    static ReferencedFiles open(Origin origin, List<String> names) throws IOException {
        ReferencedFiles files = new ReferencedFiles(origin);
        try {
            for (String name : names) {
                File file = files.find(name);
                files.files.add(file);
                files.places.add(file.keys());
            }
            return files;
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /** {@return the file with a number} */
    File get(int number) {
        return files.get(number);
    }

    /** {@return all files} */
    List<File> all() {
        return files;
    }

    /** {@return the key stores in which there are files} */
    Set<KeyStore> places() {
        return places;
    }

    private File find(String name) throws IOException {
        int longest = Arrays.stream(name.split("/", -1))
                .mapToInt(String::length)
                .max()
                .orElse(0);
        if (name.length() > LONGEST
                || (longest > LONGEST_PART && !URI.matcher(name).matches())) {
            throw new StoreException(origin.name() + " refers to \"" + Template.shown(shown(name))
                    + "\", a name that is too long for a file");
        }
        Matcher uri = URI.matcher(name);
        if (name.contains("::")) {
            throw new StoreException(origin.name() + " has chained URLs such as \"" + Template.shown(shown(name))
                    + "\", which are not followed; name the files themselves");
        }
        if (!uri.matches()) {
            return origin instanceof Origin.Local local ? local(local, name) : beside((Origin.Remote) origin, name);
        }
        String scheme = uri.group(1).toLowerCase(Locale.ROOT);
        if (!scheme.equals("file") && !scheme.equals("local")) {
            return remote(scheme.equals("gcs") ? "gs" : scheme, uri.group(2), name);
        }
        if (origin instanceof Origin.Local local) {
            String path = uri.group(2).startsWith("localhost/") ? uri.group(2).substring(9) : uri.group(2);
            return local(local, path.matches("/[A-Za-z]:[/\\\\].*") ? path.substring(1) : path);
        }
        throw ofThisMachine(name);
    }

    private StoreException ofThisMachine(String name) {
        return new StoreException(origin.name() + " refers to \"" + Template.shown(name)
                + "\", a file of the machine that reads it; such references are followed from files on this machine"
                + " only, so download it first");
    }

    /** {@return a URL without what may be secret in it, for messages} */
    private static String shown(String url) {
        return url.replaceFirst("[?#].*", "").replaceAll("//[^/@]*@", "//");
    }

    private File local(Origin.Local local, String name) throws IOException {
        Path directory = parent(local.file().toAbsolutePath().normalize());
        Path path;
        try {
            path = directory.resolve(name).normalize();
        } catch (InvalidPathException e) {
            throw new StoreException(
                    local.name() + ": \"" + Template.shown(name) + "\" cannot be the name of a file: " + e.getReason(),
                    e);
        }
        Set<Path> directories =
                new LinkedHashSet<>(List.of(directory, parent(local.file().toRealPath())));
        for (Path inside : directories) {
            if (path.startsWith(inside) && !path.equals(inside)) {
                return file(local, inside, inside.relativize(path));
            }
        }
        Path parent = parent(path);
        if (!local.followLinks() || parent.equals(path)) {
            throw new StoreException(local.name() + " refers to \"" + Template.shown(name)
                    + "\", which is outside of its directory, and is only read with --follow-links or, in Java,"
                    + " Stores.openFollowingLinks");
        }
        return file(local, parent, parent.relativize(path));
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private File file(Origin.Local local, Path directory, Path inside) {
        String key = StreamSupport.stream(inside.spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
        KeyStore keys = opened.computeIfAbsent(
                directory.toString(),
                any -> local.followLinks() ? DirectoryKeys.followingLinks(directory) : new DirectoryKeys(directory));
        return new File(keys, key);
    }

    /** {@return a file in the key store of the document, by a path that is relative to it} */
    private File beside(Origin.Remote remote, String name) throws StoreException {
        if (name.startsWith("/")) {
            throw ofThisMachine(name);
        }
        Deque<String> parts = new ArrayDeque<>();
        String directory = remote.key().substring(0, remote.key().lastIndexOf('/') + 1);
        for (String part : (directory + name).split("/", -1)) {
            if (part.equals("..") && parts.pollLast() == null) {
                throw new StoreException(remote.name() + " refers to \"" + Template.shown(name)
                        + "\", which is outside of " + remote.keys().name() + ", and is not read; name it by its URL");
            }
            if (!part.equals(".") && !part.equals("..")) {
                parts.add(part);
            }
        }
        return new File(remote.keys(), String.join("/", parts));
    }

    private File remote(String scheme, String rest, String name) throws IOException {
        boolean isWeb = scheme.equals("http") || scheme.equals("https");
        Matcher parts = PLACE.matcher(rest);
        if (!parts.matches()) {
            throw new StoreException(origin.name() + " refers to \"" + Template.shown(shown(name))
                    + "\", which names no file; a URL has the form scheme://place/path");
        }
        if (isWeb && (rest.contains("?") || rest.contains("#"))) {
            throw new StoreException(origin.name() + " refers to \"" + Template.shown(shown(name))
                    + "\" with a query or fragment, which might be secret and is not supported;"
                    + " name files by addresses without one");
        }
        String root = scheme + "://" + parts.group(1);
        String key = parts.group(2);
        KeyStore known = opened.get(root);
        if (known == null) {
            known = open(root, isWeb, scheme);
            opened.put(root, known);
        }
        return new File(known, isWeb ? decoded(key) : key);
    }

    private KeyStore open(String root, boolean isWeb, String scheme) throws IOException {
        if (opened.size() == MOST_PLACES) {
            throw new StoreException(origin.name() + " refers to more than " + MOST_PLACES + " buckets and servers");
        }
        if (isWeb
                && origin instanceof Origin.Remote remote
                && remote.keys() instanceof HttpKeys
                && !HttpKeys.mayLead(remote.keys().name(), root)) {
            throw new StoreException(origin.name() + " refers to " + root
                    + ", which fewer machines can reach than the server that it comes from; download it first if that"
                    + " is what you want");
        }
        StringJoiner settings = new StringJoiner("&", "?", "").setEmptyValue("");
        boolean isSameKind = !(origin instanceof Origin.Remote remote)
                || remote.keys().address().orElse("").startsWith(scheme + "://");
        for (String setting : origin.settings().split("&")) {
            if (!setting.isEmpty() && (isWeb ? setting.equals(REDIRECTS) : isSameKind && !setting.equals(REDIRECTS))) {
                settings.add(setting);
            }
        }
        try {
            return KeySchemes.open(root + settings);
        } catch (StoreException e) {
            throw new StoreException(origin.name() + " refers to files that cannot be read: " + e.getMessage(), e);
        }
    }

    private String decoded(String path) throws StoreException {
        try {
            return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    origin.name() + " refers to \"" + Template.shown(path)
                            + "\", in which a % is not followed by two digits, 0 to F",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (KeyStore keys : opened.values()) {
            try {
                keys.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
