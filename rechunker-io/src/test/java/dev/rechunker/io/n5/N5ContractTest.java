package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChunkStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import org.junit.jupiter.api.io.TempDir;

/** N5 fulfils the contract of a store. */
class N5ContractTest extends ChunkStoreContract {
    private final IdentityHashMap<ChunkStore, Path> places = new IdentityHashMap<>();

    @TempDir
    Path temporary;

    @Override
    protected ChunkStore createStore() {
        Path place = temporary.resolve("store" + places.size());
        ChunkStore store = N5.create(place);
        places.put(store, place);
        return store;
    }

    @Override
    protected ChunkStore reopen(ChunkStore store) throws IOException {
        Path place = places.getOrDefault(store, temporary);
        ChunkStore again = Files.exists(place) ? N5.open(place) : N5.create(place);
        places.put(again, place);
        return again;
    }

    @Override
    protected boolean supports(ArraySpec spec) {
        DataType type = spec.dataType();
        boolean known = switch (type.kind()) {
            case INT, UINT -> true;
            case FLOAT -> type.itemSize() > 2;
            default -> false;
        };
        FillValue zero = FillValue.zero(type.itemSize());
        return known
                && spec.shape().rank() > 0
                && spec.chunks().isRegular()
                && spec.shards().isEmpty()
                && (!spec.fillValue().isDefined() || spec.fillValue().equals(zero));
    }
}
