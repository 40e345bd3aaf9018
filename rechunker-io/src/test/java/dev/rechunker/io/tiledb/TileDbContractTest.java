package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.ChunkStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Tests the contract of a store with a new directory, as long as the store that writes it is open. */
class TileDbContractTest extends ChunkStoreContract {
    private static final int MOST_TILES = 12;

    private int stores;

    @TempDir
    Path temporary;

    @Override
    protected ChunkStore createStore() {
        return new StaysOpen(TileDb.create(temporary.resolve("new-" + stores++ + ".tdb")));
    }

    /** Reads what is not finished, which another store does not see. */
    @Override
    protected ChunkStore reopen(ChunkStore store) {
        return store;
    }

    @Override
    protected void afterUse(ChunkStore store) throws IOException {
        ((StaysOpen) store).closeAfterUse();
    }

    /** Tiles that were never written read as the fill value. */
    @Override
    protected boolean knowsMissing() {
        return false;
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        return isSupported(spec);
    }

    /** Tiles that are larger than the array become smaller. Many tiles take long, as each is several files. */
    private static boolean isSupported(ArraySpec spec) {
        try {
            return TileDbSpec.resolve("test", spec).chunks().equals(spec.chunks())
                    && spec.chunks().count() <= MOST_TILES;
        } catch (StoreException e) {
            return false;
        }
    }

    /** A store that stays open until the end of a test, because a closed one discards what is not finished. */
    private static final class StaysOpen extends ForwardingStore {
        StaysOpen(ChunkStore store) {
            super(store);
        }

        void closeAfterUse() throws IOException {
            super.close();
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
        public void close() {}
    }
}
