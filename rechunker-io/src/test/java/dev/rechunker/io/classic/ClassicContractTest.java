package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.ChunkStoreContract;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** Tests the contract of a store with a new file, as long as the store that writes it is open. */
class ClassicContractTest extends ChunkStoreContract {
    private int stores;

    @TempDir
    Path temporary;

    @Override
    protected ChunkStore createStore() {
        return new OneArray(NetcdfClassic.create(temporary.resolve(stores++ + ".nc3")));
    }

    @Override
    protected void afterUse(ChunkStore store) throws IOException {
        ((OneArray) store).closeAfterUse();
    }

    @Override
    protected boolean knowsMissing() {
        return false;
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        return isSupported(spec);
    }

    private static boolean isSupported(ArraySpec spec) {
        DataType type = spec.dataType();
        // The format is big-endian, and so is the fill value.
        boolean hasFill = spec.byteOrder() == ByteOrder.BIG_ENDIAN
                || type.wordSize() == 1
                || !spec.fillValue().isDefined()
                || spec.fillValue().equals(FillValue.zero(type.itemSize()));
        boolean hasFlags = spec.attributes().containsValue(true); // become int8
        return (ExternalType.of(type).isPresent()
                        || Set.of(Kind.BOOL, Kind.BYTES).contains(type.kind()))
                && !spec.shape().isEmpty()
                && spec.chunks().isRegular()
                && spec.shards().isEmpty()
                && spec.codecs().isEmpty()
                && hasFill
                && !hasFlags;
    }

    /** A store with the array {@code a} of a file, which stays open until the end of a test. */
    private static final class OneArray extends ForwardingStore {
        private static final String NAME = "a";

        OneArray(ChunkStore store) {
            super(store);
        }

        private static String path(String path) {
            ChunkStore.requirePath(path);
            return path.isEmpty() ? NAME : path + "/" + NAME;
        }

        /** Refuses what this test leaves out, as the contract asks of what is not supported. */
        @Override
        public ArraySpec resolve(ArraySpec wanted) throws StoreException {
            if (!isSupported(wanted)) {
                throw new StoreException("this is not tested: " + wanted);
            }
            return super.resolve(wanted);
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofOneArray()
                    .withWritable(true)
                    .withConcurrentWriters(true)
                    .withAtomicPublish(true);
        }

        @Override
        public Optional<Node> node(String path) throws IOException {
            return super.node(path(path));
        }

        @Override
        public List<String> children(String path) {
            ChunkStore.requirePath(path);
            return List.of();
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            return super.openReader(path(path));
        }

        @Override
        public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
            super.requireFree(path(path), resolved, overwrite);
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
            if (!path.isEmpty()) {
                refuse(path);
            }
            return super.create(path(path), spec, overwrite);
        }

        @Override
        public void writeGroup(String path, GroupSpec group, boolean overwrite) {
            refuse(path);
        }

        private static void refuse(String path) {
            ChunkStore.requirePath(path);
            throw new UnsupportedOperationException("there is one array, not " + path);
        }

        void closeAfterUse() throws IOException {
            super.close();
        }

        @Override
        public void close() {}
    }
}
