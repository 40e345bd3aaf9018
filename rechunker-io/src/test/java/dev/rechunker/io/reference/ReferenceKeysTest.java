package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.KeyStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** References fulfil the contract of key stores. */
class ReferenceKeysTest extends KeyStoreContract {
    @TempDir
    Path temporary;

    @Override
    protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
        Path document = ReferencedStore.write(temporary.resolve(UUID.randomUUID() + ".json"), values);
        return ReferenceKeys.open(new Origin.Local(document, false, ""));
    }
}
