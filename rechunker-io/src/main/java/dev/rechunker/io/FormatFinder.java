package dev.rechunker.io;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Recognises the format of a store by its contents: by the names of its documents, or by the signature of a file. */
final class FormatFinder {
    private static final byte[] ZIP_SIGNATURE = {'P', 'K', 3, 4};
    private static final int FIRST_BYTES = 1 << 12;
    private static final int DEPTH = 3;
    private static final int VISITS = 1000;

    private FormatFinder() {}

    /**
     * {@return the format of a file or directory; empty if it is not recognised}
     *
     * @param directory makes the keys of a directory
     * @throws StoreException if the path is neither a file nor a directory
     */
    static Optional<StoreFormat> of(Path path, Function<Path, DirectoryKeys> directory) throws IOException {
        if (Files.isDirectory(path)) {
            for (DirectoryFormat format : FormatTable.directoryFormats()) {
                if (format.isIn(path)) {
                    return Optional.of(format);
                }
            }
            return of(directory.apply(path)).map(Function.identity());
        }
        if (!Files.isRegularFile(path)) {
            throw new StoreException(
                    path + " is neither a file nor a directory, but a pipe or a device, which is not read");
        }
        if (isZip(path)) {
            return ofZip(path).map(Function.identity());
        }
        for (FileFormat format : recognised()) {
            if (format.signature().orElseThrow().fileCheck().isIn(path)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /** {@return the format of the store in a key store; empty if it is not recognised} */
    static Optional<KeyFormat> of(KeyStore keys) throws IOException {
        return find(keys, "", DEPTH, new int[1]);
    }

    /** {@return the format of the file under a key; empty if it is not recognised, or there is no such key} */
    static Optional<FileFormat> of(KeyStore keys, String key) throws IOException {
        Optional<ByteSource> found = keys.open(key, new Span(0, FIRST_BYTES));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = found.get()) {
            for (FileFormat format : recognised()) {
                if (format.signature().orElseThrow().valueCheck().isIn(source)) {
                    return Optional.of(format);
                }
            }
            return Optional.empty();
        }
    }

    /** {@return the formats of files that are recognised} */
    private static List<FileFormat> recognised() {
        return FormatTable.fileFormats().stream()
                .filter(format -> format.signature().isPresent())
                .toList();
    }

    /**
     * {@return what a file or directory without a store is, or what was not found in it, for a message}
     *
     * @param directory makes the keys of a directory
     */
    static String missing(Path path, Function<Path, DirectoryKeys> directory) throws IOException {
        if (Files.isDirectory(path)) {
            return missing(directory.apply(path), Optional.empty());
        }
        String missing = "it does not have " + signatures() + ", and is not a zip file that contains " + documents();
        if (isZip(path)) {
            try (ZipKeys zip = ZipKeys.open(path)) {
                return OtherFormats.zip(zip).sentence(missing);
            }
        }
        return OtherFormats.file(path).map(found -> found.sentence(missing)).orElse(missing);
    }

    /**
     * {@return what a directory of a key store is that has no store, or what was not found in it, for a message}
     *
     * @param file what the file of the same name is; empty if there is none, or that is not known
     */
    static String missing(KeyStore keys, Optional<OtherFormats.Found> file) throws IOException {
        String missing = (keys.isListable() ? "neither it nor a directory in it contains " : "it does not contain ")
                + documents()
                + (keys.local().isPresent() ? "" : ", and it does not have " + signatures());
        Optional<OtherFormats.Found> known =
                file.isPresent() || !keys.isListable() ? file : OtherFormats.directory(keys);
        return known.map(found -> found.sentence(missing)).orElse(missing);
    }

    private static String documents() {
        return FormatTable.keyFormats().stream()
                .filter(format -> !format.documents().isEmpty())
                .map(format ->
                        (format.documents().size() == 1 ? format.documents().get(0) : "one of " + format.documents())
                                + " (" + format.title() + ")")
                .collect(Collectors.joining(" or "));
    }

    private static String signatures() {
        return recognised().stream()
                .map(format -> format.signature().orElseThrow().description())
                .collect(Collectors.joining(" or "));
    }

    private static Optional<KeyFormat> find(KeyStore keys, String prefix, int depth, int[] visits) throws IOException {
        for (KeyFormat format : FormatTable.keyFormats()) {
            for (String name : format.documents()) {
                if (exists(keys, prefix + name)) {
                    return Optional.of(format);
                }
            }
        }
        if (depth == 0 || ++visits[0] > VISITS || !keys.isListable()) {
            return Optional.empty();
        }
        for (String child : keys.list(prefix.replaceAll("/$", "")).directories()) {
            Optional<KeyFormat> format = findBelow(keys, prefix + child + "/", depth - 1, visits);
            if (format.isPresent() || visits[0] > VISITS) {
                return format;
            }
        }
        return Optional.empty();
    }

    /**
     * Searches below a directory. On this machine, directories that a store must not contain are skipped, such as
     * links.
     */
    private static Optional<KeyFormat> findBelow(KeyStore keys, String prefix, int depth, int[] visits)
            throws IOException {
        try {
            return find(keys, prefix, depth, visits);
        } catch (StoreException e) {
            if (keys.isRemote()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static boolean exists(KeyStore keys, String key) throws IOException {
        Optional<ByteSource> source = keys.open(key);
        if (source.isPresent()) {
            source.get().close();
        }
        return source.isPresent();
    }

    private static boolean isZip(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer start = ByteBuffer.allocate(ZIP_SIGNATURE.length);
            while (start.hasRemaining() && channel.read(start) > 0) {}
            return start.flip().equals(ByteBuffer.wrap(ZIP_SIGNATURE));
        }
    }

    /** {@return the format of the document nearest to the root of a zip file} */
    private static Optional<KeyFormat> ofZip(Path path) throws IOException {
        try (ZipKeys zip = ZipKeys.open(path)) {
            Optional<KeyFormat> found = Optional.empty();
            long least = Long.MAX_VALUE;
            for (String entry : (Iterable<String>) zip.entries()::iterator) {
                long depth = entry.chars().filter(c -> c == '/').count();
                Optional<KeyFormat> format = depth < least ? ofDocument(entry) : Optional.empty();
                if (format.isPresent()) {
                    found = format;
                    least = depth;
                }
            }
            return found;
        }
    }

    /** {@return the format that has documents of the last name of a key; empty if there is none} */
    private static Optional<KeyFormat> ofDocument(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        return FormatTable.keyFormats().stream()
                .filter(format -> format.documents().contains(name))
                .findFirst();
    }
}
