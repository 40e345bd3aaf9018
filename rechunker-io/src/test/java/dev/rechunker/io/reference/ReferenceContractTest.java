package dev.rechunker.io.reference;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.io.TempDir;

/** Stores of references to Zarr 3 fulfil the contract of a store that can only be read. */
class ReferenceContractTest extends ChunkStoreContract {
    private final IdentityHashMap<ChunkStore, Path> documents = new IdentityHashMap<>();

    @TempDir
    Path temporary;

    private ChunkStore open(Path document) throws IOException {
        ChunkStore store = References.open(document);
        documents.put(store, document);
        return store;
    }

    @Override
    protected ChunkStore createStore() throws IOException {
        Path document = Files.createTempFile(temporary, "a", ".json");
        return open(ReferencedStore.write(document, Map.of()));
    }

    @Override
    protected ChunkStore reopen(ChunkStore store) throws IOException {
        return open(documents.getOrDefault(store, temporary));
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        try (ChunkStore zarr = Zarr.create(temporary.resolve("any.zarr"))) {
            zarr.resolve(spec);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
        Path directory = Files.createTempDirectory(temporary, "zarr");
        try (ChunkStore zarr = Zarr.create(directory)) {
            data.write(zarr, "some/where", written);
        }
        Path document = Files.createTempFile(temporary, "a", ".json");
        return open(ReferencedStore.write(document, ReferencedStore.valuesIn(directory)));
    }
}
