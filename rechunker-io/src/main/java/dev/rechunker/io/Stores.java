package dev.rechunker.io;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.HttpKeys;
import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeySchemes;
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
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Opens and creates stores at a path or URI. The format of an existing store is recognised by its contents. */
public final class Stores {
    /** A URI of a file: the directory, the name of the file, and the settings. */
    private static final Pattern FILE = Pattern.compile("([^?]+[^/?])/([^/?]+)/*([?].*)?");

    /** The end of a URI after the name: slashes, then settings. */
    private static final Pattern REST = Pattern.compile("/*([?].*)?$");

    private static final Pattern SLASHES = Pattern.compile("/*$");

    private Stores() {}

    /**
     * {@return the store in a directory, zip file or HDF5 file; arrays can be added to a directory}
     *
     * <p>The format of a directory or zip file is that of the documents in it or, if it has none, in directories up to
     * three levels below. TileDB is recognised by the names in a directory, and an HDF5 file by its signature. The name
     * of the store does not matter.
     *
     * @throws StoreException if nothing exists there, or it is not recognised; the message lists what was looked for
     */
    public static ChunkStore open(Path path) throws IOException {
        return open(path, false);
    }

    /**
     * {@return the store at a path, as {@link #open(Path)}, in which links are followed wherever they lead, as are
     * names of other files in an HDF5 file}
     *
     * <p>For stores that one trusts: a link that another user has made may lead to any file of the one who runs this.
     * What is outside of the directory is only read, never written or deleted.
     *
     * @throws StoreException if nothing exists there, or it is not recognised
     */
    public static ChunkStore openFollowingLinks(Path path) throws IOException {
        return open(path, true);
    }

    private static ChunkStore open(Path path, boolean followLinks) throws IOException {
        Function<Path, DirectoryKeys> directory = followLinks ? DirectoryKeys::followingLinks : DirectoryKeys::new;
        if (!Files.exists(path)) {
            throw new StoreException(path + " does not exist");
        }
        Optional<StoreFormat> format = FormatFinder.of(path, directory);
        if (format.isEmpty()) {
            throw new StoreException(path + " is not a store: " + FormatFinder.missing(path, directory));
        }
        if (format.get() instanceof FileFormat file) {
            return (followLinks ? file.followingOpener() : file.opener()).open(path);
        }
        return format.get() instanceof DirectoryFormat local
                ? local.opener().open(path)
                : ((KeyFormat) format.get()).open(path, directory);
    }

    /**
     * {@return the store at a path or URI}
     *
     * @param place a path, or a URI in the form of {@link #keys}
     * @throws StoreException if nothing exists there, or it is not recognised
     */
    public static ChunkStore open(String place) throws IOException {
        if (!isUri(place)) {
            return open(Path.of(place));
        }
        if (place.regionMatches(true, 0, "file:", 0, "file:".length())) {
            return StoresByUri.openFile(place);
        }
        Matcher file = FILE.matcher(place);
        boolean isNamedLikeFile = file.matches()
                && FormatTable.fileFormats().stream().anyMatch(format -> format.hasEnding(file.group(2)));
        Optional<ChunkStore> found = Optional.empty();
        // A directory may have the name of a file. Some servers refuse to read its name as a file.
        StoreException refused = null;
        try {
            found = isNamedLikeFile ? file(file) : found;
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
        try (keys) {
            if (refused != null) {
                throw refused;
            }
            found = isNamedLikeFile || !file.matches() ? found : file(file);
            if (found.isPresent()) {
                return found.get();
            }
            Optional<OtherFormats.Found> other = file.matches() ? otherFile(file) : Optional.empty();
            throw new StoreException(keys.name() + " is not a store: " + FormatFinder.missing(keys, other));
        }
    }

    /** {@return what a file is that is not a store; empty if that is not known, or there is no such file} */
    private static Optional<OtherFormats.Found> otherFile(Matcher file) throws IOException {
        try (KeyStore above = keysAbove(file)) {
            return OtherFormats.file(above, key(above, file));
        } catch (StoreException e) {
            return Optional.empty(); // the name of a directory may not be a key
        }
    }

    private static KeyStore keysAbove(Matcher file) throws IOException {
        return keys(file.group(1) + Objects.requireNonNullElse(file.group(3), ""));
    }

    private static String key(KeyStore above, Matcher file) throws StoreException {
        return above instanceof HttpKeys ? decoded(file.group(2)) : file.group(2);
    }

    /** {@return the store in a file; empty if its format is not recognised or there is no such file} */
    private static Optional<ChunkStore> file(Matcher file) throws IOException {
        KeyStore above = keysAbove(file);
        try {
            String key = key(above, file);
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

    /** {@return a name in a web address without percent-encoding} */
    private static String decoded(String name) throws StoreException {
        try {
            return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "\"" + name + "\" is malformed: each % in a web address must be followed by two digits, 0 to F");
        }
    }

    /**
     * {@return the URIs of the files and directories that match a pattern, in natural order}
     *
     * <p>A pattern is a URI with stars in its last name, such as {@code s3://bucket/days/ssh-*.nc}. A star matches any
     * characters, or none. Settings may follow as in {@link #keys}. The result can be the sources of a
     * {@link dev.rechunker.io.concat.Concat}.
     *
     * @throws StoreException if nothing matches, if names cannot be listed, as on web servers, or if the URI has stars
     *     in another place or none
     */
    public static List<String> matching(String uri) throws IOException {
        Matcher parts = FILE.matcher(uri);
        if (!isUri(uri)
                || !parts.matches()
                || parts.group(1).contains("*")
                || !parts.group(2).contains("*")) {
            throw new StoreException(
                    "a pattern has stars in the last name of the URI, and nowhere else; for example s3://bucket/days/ssh-*.nc");
        }
        String above = parts.group(1);
        String settings = Objects.requireNonNullElse(parts.group(3), "");
        String wanted = parts.group(2);
        Pattern pattern = Pattern.compile(
                Arrays.stream(wanted.split("[*]", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
                Pattern.DOTALL);
        try (KeyStore keys = keys(above + settings)) {
            if (!keys.isListable()) {
                throw new StoreException(keys.name() + " cannot be listed; name the files one by one");
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
                            + " contains a question mark, which starts the settings in a URI; rename it");
                }
            }
            return found.stream().map(name -> above + "/" + name + settings).toList();
        }
    }

    /** {@return whether a text is a URI, rather than a path} */
    public static boolean isUri(String place) {
        return KeySchemes.isUri(place);
    }

    /**
     * {@return the key store at a URI, for methods such as {@link dev.rechunker.io.zarr.Zarr#open(KeyStore)}}
     *
     * <p>These URIs are supported:
     *
     * <ul>
     *   <li>{@code s3://bucket/path}, followed by
     *       {@code ?endpoint=http://host:port&region=name&anonymous=true&requesterPays=true} or some of these settings;
     *       by default, the settings of the AWS SDK are used
     *   <li>{@code gs://bucket/path}, followed by {@code ?userProject=name&anonymous=true&endpoint=http://host:port} or
     *       some of these settings; by default, Google's application default credentials are used
     *   <li>{@code az://container/path} or {@code abfs://container@account.dfs.core.windows.net/path}, followed by
     *       {@code ?account=name&anonymous=true&endpoint=http://host:port/name} or some of these settings; by default,
     *       the environment has the account, and credentials are its key, a signature, or those of Azure's SDK
     *   <li>{@code hdfs://host:port/path}, and other file systems of Hadoop, by the settings of Hadoop's client
     *   <li>{@code http://host/path} and {@code https://host/path}, which can be read only, followed by
     *       {@code ?redirects=any} if redirects to other servers are to be followed
     *   <li>URIs of an implementation of {@link KeyScheme} on the class path
     * </ul>
     *
     * <p>Credentials are never part of a URI.
     *
     * @throws StoreException if the scheme of the URI is not supported, or a library is not on the class path
     */
    public static KeyStore keys(String uri) throws IOException {
        return KeySchemes.open(uri);
    }

    /** {@return all formats} */
    public static List<StoreFormat> formats() {
        return FormatTable.FORMATS;
    }

    /** {@return the format that has a version of a name, such as {@code zarr3}; empty if there is none} */
    public static Optional<StoreFormat> format(String version) {
        return formats().stream()
                .filter(format -> format.versions().contains(version))
                .findFirst();
    }

    /**
     * {@return the format of the ending of a path or URI; empty if it is not the ending of a format}
     *
     * <p>Case does not matter. Slashes and settings may follow the ending.
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
     * {@return a store to write to, in the format of the ending of the path: {@code .zarr}, {@code .ome.zarr},
     * {@code .zarr.zip}, {@code .ozx}, {@code .n5}, {@code .h5}, {@code .hdf5}, {@code .he5}, {@code .h5ad},
     * {@code .nc}, {@code .nc4}, {@code .nc3}, {@code .cdf}, {@code .tif}, {@code .tiff}, {@code .tdb} or
     * {@code .tiledb}}
     *
     * @throws StoreException if the path has another ending
     */
    public static ChunkStore create(Path path) throws StoreException {
        return formatOf(path.toString())
                .orElseThrow(() -> unknownEnding(path.toString(), formats()))
                .create(path);
    }

    /**
     * {@return a store to write to at a path or URI, in the format of its ending, as in {@link #create(Path)}; HDF5 is
     * written to paths only}
     *
     * @throws StoreException if the ending is another one, or the URI is not supported
     */
    public static ChunkStore create(String place) throws IOException {
        if (!isUri(place)) {
            return create(Path.of(place));
        }
        List<StoreFormat> writable =
                formats().stream().filter(format -> !format.isLocal()).toList();
        return formatOf(place)
                .filter(writable::contains)
                .orElseThrow(() -> unknownEnding("the URI to write to", writable))
                .create(place);
    }

    private static StoreException unknownEnding(String what, List<StoreFormat> formats) {
        List<String> endings =
                formats.stream().flatMap(format -> format.endings().stream()).toList();
        int last = endings.size() - 1;
        return new StoreException("the format of " + what + " is not known from its name; end it with "
                + String.join(", ", endings.subList(0, last)) + " or " + endings.get(last)
                + ", or create the store with the class of its format, such as Zarr.create");
    }

    /**
     * {@return a place for temporary copies that all machines can reach, for {@code spill(...)}; the caller closes it
     * when the runs have ended}
     *
     * @param uri a URI in the form of {@link #keys}, of a place that can be written to
     * @throws StoreException if the URI is not supported, or the place can be read only
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

    /** {@return whether a path has a store that {@link #open} recognises} */
    public static boolean isStore(Path path) throws IOException {
        return Files.exists(path) && FormatFinder.of(path, DirectoryKeys::new).isPresent();
    }
}
