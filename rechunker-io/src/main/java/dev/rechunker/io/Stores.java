package dev.rechunker.io;

import dev.rechunker.io.bytes.HttpKeys;
import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.concat.NaturalOrder;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The door that opens what is at a path or behind a URI, whatever format it is of. */
public final class Stores {
    /** The place above, the name, and the settings behind it. */
    private static final Pattern FILE = Pattern.compile("(.+[^/])/([^/?]+)/*([?].*)?");

    /** The settings behind the name in a URI, and slashes before them or at the end. */
    private static final Pattern REST = Pattern.compile("/*([?].*)?$");

    private static final Pattern SLASHES = Pattern.compile("/*$");

    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://");

    private Stores() {}

    /**
     * {@return what is in a directory, zip file or HDF5 file, to be read; to directories arrays can be added too}
     *
     * <p>A directory is of the format whose documents it holds, itself or, where it has none, some levels below; so is
     * a zip file. A file is HDF5 by its signature, whatever its name.
     *
     * @throws StoreException if there is nothing, or nothing that is recognised; the message lists what was looked for
     */
    public static ChunkStore open(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new StoreException(path + " does not exist");
        }
        StoreFormat format = FormatFinder.of(path)
                .orElseThrow(() -> new StoreException(path + " is no store: " + FormatFinder.missing(path)));
        return format instanceof FileFormat file ? file.opener().open(path) : ((KeyFormat) format).open(path);
    }

    /**
     * {@return what is at a path or in a place that a URI names}
     *
     * @param place a path, or a URI in the form of {@link #keys}
     * @throws StoreException if there is nothing, or nothing that is recognised
     */
    public static ChunkStore open(String place) throws IOException {
        if (!isUri(place)) {
            return open(Path.of(place));
        }
        Matcher file = FILE.matcher(place);
        boolean isNamed =
                file.matches() && FormatTable.fileFormats().stream().anyMatch(format -> format.isCalled(file.group(2)));
        Optional<ChunkStore> found = Optional.empty();
        StoreException refused = null; // a directory may be called like a file, and servers answer that as they like
        try {
            found = isNamed ? file(file) : found;
        } catch (StoreException e) {
            refused = e;
        }
        if (found.isPresent()) {
            return found.get();
        }
        KeyStore keys = keys(place);
        try {
            Optional<KeyFormat> format = FormatFinder.of(keys);
            if (format.isPresent()) {
                return format.get().opener().open(keys);
            }
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
        keys.close();
        if (refused != null) {
            throw refused;
        }
        return (isNamed || !file.matches() ? found : file(file))
                .orElseThrow(() -> new StoreException(keys.name() + " is no store: " + FormatFinder.missing(keys)));
    }

    /** {@return a file of some format by its URI, or empty if there is none} */
    private static Optional<ChunkStore> file(Matcher file) throws IOException {
        String settings = Objects.requireNonNullElse(file.group(3), "");
        KeyStore above = keys(file.group(1) + settings);
        try {
            String key = above instanceof HttpKeys ? decoded(file.group(2)) : file.group(2);
            Optional<FileFormat> format = key.contains("/") ? Optional.empty() : FormatFinder.of(above, key);
            if (format.isPresent()) {
                return Optional.of(format.get().valueOpener().open(above, key));
            }
        } catch (IOException | RuntimeException e) {
            above.close();
            throw e;
        }
        above.close();
        return Optional.empty();
    }

    /** {@return a name as it is, of which an address has what has a meaning there behind per cent signs} */
    private static String decoded(String name) throws StoreException {
        try {
            return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "\"" + name + "\" is malformed: behind each % of an address are two digits, 0 to F");
        }
    }

    /**
     * {@return the URIs of what there is that matches one with stars in its last name, in natural order}
     *
     * <p>A star stands for any characters, also for none: {@code s3://bucket/days/ssh-*.nc}, with settings behind it as
     * in {@link #keys}. Each can be opened as a source of a {@link dev.rechunker.io.concat.Concat}.
     *
     * @throws StoreException if there is none, its names cannot be listed, as on the web, or stars are elsewhere
     */
    public static List<String> matching(String uri) throws IOException {
        Matcher parts = FILE.matcher(uri);
        if (!isUri(uri)
                || !parts.matches()
                || parts.group(1).contains("*")
                || !parts.group(2).contains("*")) {
            throw new StoreException("there are to be stars in the last name of the URI, and nowhere else");
        }
        String above = parts.group(1);
        String settings = Objects.requireNonNullElse(parts.group(3), "");
        String wanted = parts.group(2);
        Pattern pattern = Pattern.compile(
                Arrays.stream(wanted.split("[*]", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
        try (KeyStore keys = keys(above + settings)) {
            if (!keys.isListable()) {
                throw new StoreException(keys.name() + " cannot be asked which names there are; name them one by one");
            }
            Listing listing = keys.list("");
            List<String> found = Stream.concat(listing.values().stream(), listing.directories().stream())
                    .distinct()
                    .filter(name -> pattern.matcher(name).matches())
                    .sorted(NaturalOrder.INSTANCE)
                    .toList();
            if (found.isEmpty()) {
                throw new StoreException("nothing in " + keys.name() + " matches \"" + wanted + "\"");
            }
            for (String name : found) {
                if (name.contains("?")) {
                    throw new StoreException("\"" + name + "\" in " + keys.name()
                            + " cannot be said in a URI, where settings follow a question mark");
                }
            }
            return found.stream().map(name -> above + "/" + name + settings).toList();
        }
    }

    /** {@return whether a text names a place by a URI, rather than by a path} */
    public static boolean isUri(String place) {
        return URI.matcher(place).lookingAt();
    }

    /**
     * {@return what is, or will be, in the place that a URI names, as an argument for the doors of formats}
     *
     * <p>{@code s3://bucket/path}, with {@code ?endpoint=http://host:port&region=name&anonymous=true} as far as the
     * settings of the AWS SDK do not say it; {@code http://host/path} and {@code https://host/path}, to be read only;
     * and what an implementation of {@link KeyScheme} on the class path takes. Credentials are not part of a URI.
     *
     * @throws StoreException if nobody takes it, or a library is not on the class path
     */
    public static KeyStore keys(String uri) throws IOException {
        Matcher start = URI.matcher(uri);
        if (!start.lookingAt()) {
            throw new StoreException("\"" + uri + "\" is no URI");
        }
        String scheme = start.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("http") || scheme.equals("https")) {
            return HttpKeys.at(uri);
        }
        for (KeyScheme known : ServiceLoader.load(KeyScheme.class, Stores.class.getClassLoader())) {
            if (known.scheme().equals(scheme)) {
                return known.open(uri);
            }
        }
        throw new StoreException("places that start with " + scheme + ":// are not understood; those with s3://,"
                + " http:// and https:// are");
    }

    /** {@return all formats} */
    public static List<StoreFormat> formats() {
        return FormatTable.FORMATS;
    }

    /** {@return the format that has a version of this name, such as {@code zarr3}; empty if none has} */
    public static Optional<StoreFormat> format(String version) {
        return formats().stream()
                .filter(format -> format.versions().contains(version))
                .findFirst();
    }

    /**
     * {@return the format that the ending of a path or URI names; empty if it names none}
     *
     * <p>Letters may be of either case, and slashes and settings may follow.
     */
    public static Optional<StoreFormat> formatOf(String place) {
        Pattern rest = isUri(place) ? REST : SLASHES;
        String name = rest.matcher(place).replaceFirst("").toLowerCase(Locale.ROOT);
        StoreFormat found = null;
        int longest = 0;
        for (StoreFormat format : formats()) {
            for (String ending : format.endings()) {
                if (name.endsWith(ending) && ending.length() > longest) {
                    found = format;
                    longest = ending.length();
                }
            }
        }
        return Optional.ofNullable(found);
    }

    /**
     * {@return a store to write to, in the format that the ending of the path says: {@code .zarr}, {@code .ome.zarr},
     * {@code .n5}, {@code .h5} or {@code .hdf5}}
     *
     * @throws StoreException if the ending is another one
     */
    public static ChunkStore create(Path path) throws StoreException {
        return formatOf(path.toString())
                .orElseThrow(() -> unclear(path.toString(), formats()))
                .create(path);
    }

    /**
     * {@return a store to write to at a path or in a place that a URI names, in the format that its ending says: one of
     * those of {@link #create(Path)}, of which HDF5 is for paths only}
     *
     * @throws StoreException if the ending is another one, or nobody takes the URI
     */
    public static ChunkStore create(String place) throws IOException {
        if (!isUri(place)) {
            return create(Path.of(place));
        }
        List<StoreFormat> writable =
                formats().stream().filter(format -> !format.isFile()).toList();
        return formatOf(place)
                .filter(writable::contains)
                .orElseThrow(() -> unclear("the place to write to", writable))
                .create(place);
    }

    private static StoreException unclear(String what, List<StoreFormat> formats) {
        List<String> endings =
                formats.stream().flatMap(format -> format.endings().stream()).toList();
        int last = endings.size() - 1;
        return new StoreException(what + " does not say its format; let it end with "
                + String.join(", ", endings.subList(0, last)) + " or " + endings.get(last)
                + ", or create the store by the door of its format");
    }

    /**
     * {@return a place for the temporary copy of a run that every machine reaches, for {@code spill(...)}; to be closed
     * when the runs are done}
     *
     * @param uri in the form of {@link #keys}, of a place that can be written to
     * @throws StoreException if nobody takes it, or it can only be read
     */
    public static SpillStore temporary(String uri) throws IOException {
        KeyStore keys = keys(uri);
        try {
            return KeySpill.of(keys);
        } catch (StoreException e) {
            keys.close();
            throw e;
        }
    }

    /** {@return the schemes of URIs that are understood} */
    static Set<String> schemes() {
        Set<String> schemes = new TreeSet<>(List.of("http", "https"));
        for (KeyScheme known : ServiceLoader.load(KeyScheme.class, Stores.class.getClassLoader())) {
            schemes.add(known.scheme());
        }
        return schemes;
    }

    /** {@return whether there is something at a path that {@link #open} recognises} */
    public static boolean isStore(Path path) throws IOException {
        return Files.exists(path) && FormatFinder.of(path).isPresent();
    }
}
