package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.bytes.MemorySource;
import dev.rechunker.io.bytes.ReadOnlyKeys;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.reference.ReferenceTable.Inline;
import dev.rechunker.io.reference.ReferenceTable.Range;
import dev.rechunker.io.reference.ReferenceTable.Target;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a document of references. The value of a key is in the document, or is a range of a file that the
 * document names. Only a key that the document lacks has no value: one that refers to a missing file is refused.
 */
final class ReferenceKeys extends ReadOnlyKeys {
    private final Origin origin;
    private final ReferenceTable table;
    private final ReferencedFiles files;

    /** The locations of all files; null as long as nothing needs them. */
    private volatile @Nullable List<DataPlace> placesOfFiles;

    private ReferenceKeys(Origin origin, ReferenceTable table, ReferencedFiles files) {
        super("a document of references");
        this.origin = origin;
        this.table = table;
        this.files = files;
    }

    /** {@return the keys of a document} */
    static ReferenceKeys open(Origin origin) throws IOException {
        ReferenceTable table;
        try (InputStream in = ReferenceSignature.decompressed(origin.open())) {
            table = ReferenceDocument.read(origin.name(), in);
        }
        return new ReferenceKeys(origin, table, ReferencedFiles.open(origin, table.files()));
    }

    @Override
    public String name() {
        return origin.name();
    }

    @Override
    public String identity() {
        try {
            return "references " + origin.place();
        } catch (IOException e) {
            return "references " + origin.name();
        }
    }

    @Override
    public DataPlace place(String prefix) throws IOException {
        Keys.checkPrefix(name(), prefix);
        return origin.place().below(prefix);
    }

    /** {@return the place of the values below a prefix, and those of all files: any of them may have a part of them} */
    @Override
    public List<DataPlace> places(String prefix) throws IOException {
        List<DataPlace> known = placesOfFiles;
        if (known == null) {
            known = new ArrayList<>();
            for (ReferencedFiles.File file : files.all()) {
                known.add(file.keys().place(file.key()));
            }
            placesOfFiles = known;
        }
        List<DataPlace> places = new ArrayList<>(List.of(place(prefix)));
        places.addAll(known);
        return places;
    }

    @Override
    public Optional<StoreDescriptor> descriptor(String kind) {
        return origin.descriptor();
    }

    @Override
    public Optional<Path> localDirectory() {
        return origin instanceof Origin.Local local
                ? Optional.ofNullable(local.file().toAbsolutePath().getParent())
                : Optional.empty();
    }

    @Override
    public boolean isRemote() {
        return files.places().stream().anyMatch(KeyStore::isRemote);
    }

    @Override
    public boolean readsParts() {
        return files.places().stream().allMatch(KeyStore::readsParts);
    }

    @Override
    public long heldBytes() {
        return table.heldBytes()
                + files.places().stream().mapToLong(KeyStore::heldBytes).sum();
    }

    @Override
    public long sourceBytes() {
        return files.places().stream().mapToLong(KeyStore::sourceBytes).max().orElse(0);
    }

    @Override
    public Listing list(String prefix) throws IOException {
        Keys.checkPrefix(name(), prefix);
        return table.list(prefix);
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        return open(key, Span.ALL);
    }

    @Override
    public Optional<ByteSource> open(String key, Span first) throws IOException {
        Keys.check(name(), key);
        Optional<Target> target = table.find(key);
        if (target.isEmpty()) {
            return Optional.empty();
        }
        if (target.get() instanceof Inline inline) {
            return Optional.of(inline(key, inline.bytes()));
        }
        Range range = (Range) target.get();
        if (range.length() == 0) {
            return Optional.of(inline(key, ByteBuffer.allocate(0)));
        }
        ReferencedFiles.File file = files.get(range.file());
        if (range.length() == ReferenceTable.WHOLE) {
            return Optional.of(open(key, file, first));
        }
        if (range.offset() > Long.MAX_VALUE - range.length()) {
            throw new StoreException(name() + ": \"" + key + "\" refers to bytes beyond 2^63 of " + file.name());
        }
        ByteSource whole = open(key, file, part(first, range));
        if (whole.size() < range.offset() + range.length()) {
            whole.close();
            throw new StoreException(name() + ": \"" + key + "\" refers to " + range.length() + " bytes from byte "
                    + range.offset() + " of " + file.name() + ", which has only " + whole.size()
                    + " bytes; it was cut off or replaced since the references were made");
        }
        return Optional.of(new RangeOfSource(name() + ": \"" + key + "\"", whole, range));
    }

    /** {@return the part of a file that has the first part of a range} */
    private static Span part(Span first, Range range) {
        if (first.from() < 0) {
            long count = Math.min(first.length(), range.length());
            return new Span(range.offset() + range.length() - count, count);
        }
        long from = Math.min(first.from(), range.length() - 1);
        return new Span(range.offset() + from, Math.min(first.length(), range.length() - from));
    }

    /** {@return an open file} Names of local files may be percent-encoded, as some programs do. */
    private ByteSource open(String key, ReferencedFiles.File file, Span first) throws IOException {
        Optional<ByteSource> found = file.keys().open(file.key(), first);
        if (found.isEmpty() && !file.keys().isRemote() && file.key().contains("%")) {
            String decoded;
            try {
                decoded = URLDecoder.decode(file.key().replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                decoded = file.key();
            }
            found = file.keys().open(decoded, first);
        }
        return found.orElseThrow(() -> new StoreException(name() + ": \"" + key + "\" refers to " + file.name()
                + ", which does not exist; make the file available there, or make the references again"));
    }

    @Override
    public void close() throws IOException {
        try (files) {
            if (origin instanceof Origin.Remote remote) {
                remote.keys().close();
            }
        }
    }

    @Override
    public String toString() {
        return "references " + name();
    }

    /** {@return a value in the document} */
    private static ByteSource inline(String key, ByteBuffer bytes) {
        return new MemorySource("\"" + key + "\"", bytes);
    }

    /** A range of a file. */
    private record RangeOfSource(String name, ByteSource whole, Range range) implements ByteSource {
        @Override
        public long size() {
            return range.length();
        }

        @Override
        public Optional<String> tag() {
            return whole.tag();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            if (target.remaining() > size() - offset) {
                throw new EOFException(name + " has " + size() + " bytes, but " + target.remaining()
                        + " are needed from byte " + offset);
            }
            whole.read(range.offset() + offset, target);
        }

        @Override
        public void close() throws IOException {
            whole.close();
        }
    }
}
