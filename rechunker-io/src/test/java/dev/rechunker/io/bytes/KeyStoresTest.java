package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The stores of this package fulfil the contract. */
class KeyStoresTest {
    private static <S extends KeyStore> S filled(S store, Map<String, byte[]> values) throws IOException {
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            store.put(value.getKey(), ByteBuffer.wrap(value.getValue()));
        }
        return store;
    }

    @Nested
    class Directory extends KeyStoreContract {
        @TempDir
        Path temporary;

        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            return filled(new DirectoryKeys(temporary.resolve(UUID.randomUUID().toString())), values);
        }
    }

    @Nested
    class Memory extends KeyStoreContract {
        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            return filled(new MemoryKeys(), values);
        }
    }

    @Nested
    class Zip extends KeyStoreContract {
        @TempDir
        Path temporary;

        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            Path file = temporary.resolve(UUID.randomUUID() + ".zip");
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
                for (Map.Entry<String, byte[]> value : values.entrySet()) {
                    zip.putNextEntry(new ZipEntry(value.getKey()));
                    zip.write(value.getValue());
                    zip.closeEntry();
                }
            }
            return ZipKeys.open(file);
        }
    }

    @Nested
    class Http extends KeyStoreContract {
        private final WebServer server = new WebServer();

        @AfterEach
        void stop() {
            server.close();
        }

        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            values.forEach((key, value) -> server.put("/data root/" + key, value));
            return HttpKeys.at(server.address() + "/data%20root/");
        }
    }
}
