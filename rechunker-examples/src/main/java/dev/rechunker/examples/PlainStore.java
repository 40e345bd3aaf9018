package dev.rechunker.examples;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import dev.rechunker.store.WriteTraits;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An example of a store, as small as possible: one array in a directory, with a file of little-endian elements for each
 * chunk and a line of text that describes the array: {@code float32 64,512,512 16,128,128}.
 */
// snippet: plain-store
public final class PlainStore implements ChunkStore, FormatRules {
    private static final Map<String, DataType> TYPES = Stream.of(
                    DataType.UINT8, DataType.UINT16, DataType.INT32, DataType.FLOAT32)
            .collect(Collectors.toMap(DataType::name, type -> type));

    /** Reads whole chunks, cropped at the array's ends, without scratch or native memory. */
    private static final ReadTraits READING = ReadTraits.of(ReadTraits.Granularity.CHUNK);

    private static final WriteTraits WRITING = WriteTraits.PLAIN;

    private final Path directory;
    private final Path line;

    /** Names a directory, which need not exist. */
    public PlainStore(Path directory) {
        this.directory = directory;
        this.line = directory.resolve("array.txt");
    }

    @Override
    public String name() {
        return directory.toString();
    }

    @Override
    public String identity() {
        return directory.toAbsolutePath().normalize().toString();
    }

    /** One array, written by many threads at once; chunks are published whole; existing arrays are not changed. */
    @Override
    public Capabilities capabilities() {
        return Capabilities.ofOneArray()
                .withWritable(true)
                .withConcurrentWriters(true)
                .withAtomicPublish(true);
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty() || !Files.exists(line)) {
            return Optional.empty();
        }
        String[] fields = Files.readString(line).split(" ", -1);
        DataType type = TYPES.get(fields[0]);
        if (fields.length != 3 || type == null) {
            throw new StoreException(line + " does not describe an array: " + String.join(" ", fields));
        }
        return Optional.of(new ArrayNode(spec(ChunkGrid.regular(shape(fields[1]), shape(fields[2])), type)));
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        if (node(path).orElse(null) instanceof ArrayNode array) {
            return new Reader(array.spec());
        }
        throw new StoreException("there is no array at " + at(path));
    }

    @Override
    public FormatRules rules() {
        return this;
    }

    /** The fill value is always zero here: a copy of an array with another one writes it out as elements. */
    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        FillValue zero = FillValue.zero(foreign.dataType().itemSize());
        return foreign.toBuilder().fillValue(zero).build();
    }

    /** Refuses what the elements need and cannot be stored. The plan lists what is dropped as losses. */
    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        if (!TYPES.containsValue(wanted.dataType())) {
            throw new UnsupportedArrayException(
                    name() + " does not store " + wanted.dataType() + ", only " + TYPES.keySet());
        }
        if (wanted.shards().isPresent() || !wanted.chunks().isRegular()) {
            throw new StoreException(name() + " stores neither shards nor irregular chunks: " + wanted);
        }
        ArraySpec resolved = spec(wanted.chunks(), wanted.dataType());
        if (wanted.fillValue().isDefined() && !wanted.fillValue().equals(resolved.fillValue())) {
            throw new StoreException(name() + " stores no fill value other than zero: " + wanted.fillValue());
        }
        return resolved;
    }

    private static ArraySpec spec(ChunkGrid chunks, DataType type) {
        return ArraySpec.builder(chunks, type)
                .fillValue(FillValue.zero(type.itemSize()))
                .build();
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) {
        return WRITING;
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        requireRoot(path);
        if (Files.exists(line) && !overwrite) {
            throw new StoreException("there is an array at " + at(path));
        }
        Files.deleteIfExists(line); // first, so that a partly removed array does not exist
        Files.createDirectories(directory);
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "c*.{raw,part}")) {
            for (Path chunk : old) {
                Files.delete(chunk);
            }
        }
        return new Writer(spec);
    }

    private void requireRoot(String path) {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            throw new UnsupportedOperationException(name() + " holds one array, at its root, and none at " + path);
        }
    }

    private static String text(Shape shape) {
        return LongStream.of(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    private static Shape shape(String text) {
        Stream<String> extents = text.isEmpty() ? Stream.of() : Stream.of(text.split(","));
        return Shape.of(extents.mapToLong(Long::parseLong).toArray());
    }

    /** What reading and writing share. Chunk (1, 2) is in the file {@code c.1.2.raw}. */
    private abstract class Chunks implements Closeable {
        final ArraySpec spec;
        private volatile boolean closed;

        Chunks(ArraySpec spec) {
            this.spec = spec;
        }

        Path file(Region chunk) throws IOException {
            requireOpen();
            StringBuilder name = new StringBuilder("c");
            for (int axis = 0; axis < chunk.rank(); axis++) {
                name.append('.')
                        .append(chunk.start(axis) / spec.chunks().chunkShape().extent(axis));
            }
            return directory.resolve(name + ".raw");
        }

        void requireOpen() throws IOException {
            if (closed) {
                throw new IOException(name() + " was closed");
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final class Reader extends Chunks implements ArrayReader {
        Reader(ArraySpec spec) {
            super(spec);
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public ReadTraits traits() {
            return READING;
        }

        @Override
        public boolean read(Region chunk, ByteBuffer target, Scratch scratch) throws IOException {
            Path file = file(chunk);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                if (channel.size() != target.remaining()) {
                    throw new StoreException(
                            file + " has " + channel.size() + " bytes, not " + target.remaining() + ": " + chunk);
                }
                while (target.hasRemaining()) {
                    if (channel.read(target) < 0) {
                        throw new EOFException(file + " became shorter while it was read");
                    }
                }
                return true;
            } catch (NoSuchFileException e) {
                return false; // never written
            }
        }
    }

    private final class Writer extends Chunks implements ArrayWriter {
        Writer(ArraySpec spec) {
            super(spec);
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public WriteTraits traits() {
            return WRITING;
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            Path file = file(unit);
            Path part = Files.createTempFile(directory, "c", ".part");
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                while (data.hasRemaining()) {
                    channel.write(data);
                }
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void commit() throws IOException {
            requireOpen();
            Path part = directory.resolve("c.part");
            Files.writeString(
                    part,
                    String.join(
                            " ",
                            spec.dataType().name(),
                            text(spec.shape()),
                            text(spec.chunks().chunkShape())));
            Files.move(part, line, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
// end snippet
