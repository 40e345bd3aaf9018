package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.hdf5.format.ReferredRegion;
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
 * References to objects or to regions of datasets, which become texts; see {@link ReferencePath}.
 *
 * @param isRegion whether they are references to regions
 * @param origin what is needed to resolve references; null if they are only described
 */
record ObjectReferences(boolean isRegion, @Nullable Origin origin) implements StoredElements {
    private static final int REGION_BYTES = Long.BYTES + ReferredRegion.MOST_BYTES;

    /** {@return references of a datatype message, which are only described} */
    static ObjectReferences described(ByteBuffer message) {
        return new ObjectReferences(ObjectReference.isRegion(message), null);
    }

    /** {@return these references, which can be resolved} */
    ObjectReferences from(Origin place) {
        return new ObjectReferences(isRegion, place);
    }

    /**
     * Where references are.
     *
     * @param paths the paths of objects
     * @param dataset the address of the dataset
     * @param group the path of its group
     */
    record Origin(ObjectPaths paths, long dataset, String group) {
        byte[] text(ObjectReference reference) throws IOException {
            Optional<String> path = paths.of(reference.address());
            if (path.isEmpty()) {
                if (!reference.isNull()) {
                    paths.addUnresolved(dataset);
                }
                return new byte[0];
            }
            return reference.text(ReferencePath.of(group, path.get())).getBytes(StandardCharsets.UTF_8);
        }
    }

    @Override
    public ElementType stored() {
        int size = isRegion ? ObjectReference.REGION_SIZE : Long.BYTES;
        return new ElementType(DataType.opaque(size, ""), ByteOrder.LITTLE_ENDIAN, ReferencePath.hints(isRegion));
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
        return isRegion ? HeapObjects.SCRATCH_BYTES + REGION_BYTES + ReferredRegion.WORK_BYTES : 0;
    }

    @Override
    public Resolver resolver(FileMetadata file, DataType type, LongAdder bytesRead, Scratch scratch) {
        Origin from = Objects.requireNonNull(origin);
        References references = isRegion
                ? regions(new HeapObjects(file, bytesRead, scratch), scratch.take(REGION_BYTES))
                : stored -> ObjectReference.to(stored.getLong());
        return (stored, target) -> {
            byte[] text = from.text(references.next(stored));
            target.putInt(text.length);
            if (type.isMeasured()) {
                put(text, type.longest(), target);
            }
        };
    }

    /** Reads references one after the other. */
    private interface References {
        ObjectReference next(ByteBuffer stored) throws IOException;
    }

    private static References regions(HeapObjects heap, ByteBuffer contents) {
        return stored -> {
            long address = stored.getLong();
            int number = stored.getInt();
            if (address == 0 || address == FileMetadata.UNDEFINED) {
                return ObjectReference.to(0);
            }
            contents.clear().order(ByteOrder.LITTLE_ENDIAN);
            heap.readWhole(address, number, contents);
            return ObjectReference.toRegion(contents.flip());
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
