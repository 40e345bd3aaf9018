package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.testing.ChunkStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Tests the contract of a store with a new HDF5 file, as long as the store that writes it is open. */
class Hdf5TargetContractTest extends ChunkStoreContract {
    private int stores;

    @TempDir
    Path temporary;

    @Override
    protected ChunkStore createStore() {
        return new StaysOpen(target(temporary.resolve(stores++ + ".h5")));
    }

    ChunkStore target(Path file) {
        return Hdf5.create(file);
    }

    @Override
    protected void afterUse(ChunkStore store) throws IOException {
        ((StaysOpen) store).closeAfterUse();
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        boolean hasType = switch (spec.dataType().kind()) {
            case UNICODE -> false;
            default -> true;
        };
        return hasType && spec.chunks().isRegular() && spec.shards().isEmpty();
    }

    /** A store that stays open until the end of a test, because a closed store does not read what it has written. */
    private static final class StaysOpen extends ForwardingStore {
        StaysOpen(ChunkStore store) {
            super(store);
        }

        void closeAfterUse() throws IOException {
            super.close();
        }

        @Override
        public void close() {}
    }
}
