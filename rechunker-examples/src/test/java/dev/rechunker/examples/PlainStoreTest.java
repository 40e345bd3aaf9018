package dev.rechunker.examples;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChunkStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/** {@link PlainStore} keeps the contract of stores. */
// snippet: plain-store-test
class PlainStoreTest extends ChunkStoreContract {
    private static final Set<String> TYPES = Set.of("uint8", "uint16", "int32", "float32");

    @TempDir
    Path temp = Path.of("");

    @Override
    protected ChunkStore createStore() throws IOException {
        return new PlainStore(Files.createTempDirectory(temp, "store"));
    }

    @Override
    protected ChunkStore reopen(ChunkStore store) {
        return new PlainStore(Path.of(store.name()));
    }

    /** Only what it can hold as it is. */
    @Override
    protected boolean supports(ArraySpec spec) {
        return TYPES.contains(spec.dataType().name())
                && spec.chunks().isRegular()
                && spec.shards().isEmpty()
                && spec.attributes().isEmpty()
                && spec.dimensionNames().isEmpty()
                && (!spec.fillValue().isDefined()
                        || spec.fillValue()
                                .equals(FillValue.zero(spec.dataType().itemSize())));
    }
}
// end snippet
