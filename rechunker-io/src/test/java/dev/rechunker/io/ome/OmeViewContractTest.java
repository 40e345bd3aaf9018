package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongPredicate;

/** The view of a source fulfils the contract of a store that can only be read. */
class OmeViewContractTest extends ChunkStoreContract {
    private static ChunkStore view(MemoryStore source) {
        return new OmeView(source.at(""), OmeVersion.V0_5, ImageCalibration.NONE);
    }

    @Override
    protected ChunkStore createStore() {
        return view(new MemoryStore());
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        return spec.writeUnits().count() < 1000;
    }

    @Override
    protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
        MemoryStore source = new MemoryStore();
        data.write(source, path(), written);
        source.writeGroup("", Map.of("ome", Map.of("version", "0.5")));
        return view(source);
    }
}
