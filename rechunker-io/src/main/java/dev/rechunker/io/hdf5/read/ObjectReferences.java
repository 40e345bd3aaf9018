package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * References to objects, which become texts; see {@link ReferencePath}.
 *
 * @param origin what is needed to resolve references; null if they are only described
 */
record ObjectReferences(@Nullable Origin origin) implements StoredElements {
    /** References that are only described. */
    static final ObjectReferences DESCRIBED = new ObjectReferences(null);

    private static final ElementType STORED =
            new ElementType(DataType.opaque(Long.BYTES, ""), ByteOrder.LITTLE_ENDIAN, ReferencePath.hints());

    /**
     * Where references are.
     *
     * @param paths the paths of objects
     * @param dataset the address of the dataset
     * @param group the path of its group
     */
    record Origin(ObjectPaths paths, long dataset, String group) {
        byte[] text(long address) throws IOException {
            Optional<String> path = paths.of(address);
            if (path.isEmpty()) {
                if (!new ObjectReference(address).isNull()) {
                    paths.addUnresolved(dataset);
                }
                return new byte[0];
            }
            return ReferencePath.of(group, path.get()).getBytes(StandardCharsets.UTF_8);
        }
    }

    @Override
    public ElementType stored() {
        return STORED;
    }

    @Override
    public DataType type() {
        return DataType.text();
    }

    @Override
    public DataType type(int longest) {
        return DataType.text().upTo(longest);
    }

    @Override
    public Optional<String> change() {
        return Optional.of("references to objects that are not copied will lead to nothing");
    }

    @Override
    public long heldBytes() throws IOException {
        return Objects.requireNonNull(origin).paths.heldBytes();
    }

    @Override
    public long scratchBytes(DataType type) {
        return 0;
    }

    @Override
    public Resolver resolver(FileMetadata file, DataType type, LongAdder bytesRead, Scratch scratch) {
        Origin from = Objects.requireNonNull(origin);
        return (stored, target) -> {
            byte[] text = from.text(stored.getLong());
            target.putInt(text.length);
            if (type.isMeasured()) {
                put(text, type.longest(), target);
            }
        };
    }

    private static void put(byte[] text, int longest, ByteBuffer target) throws StoreException {
        if (text.length > longest) {
            throw new StoreException("a reference has a path of " + text.length + " bytes, but the longest had "
                    + longest + " when the plan was made; the file has changed, so make a new plan");
        }
        target.put(text).put(new byte[longest - text.length]);
    }
}
