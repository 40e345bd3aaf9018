package dev.rechunker.io.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.KeyStoreContract;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Containers of Azure fulfil the contract of a key store, on an emulator. */
@Tag("reference")
class AzureKeysTest {
    private static AzureServer server;

    @BeforeAll
    static void start() throws Exception {
        server = AzureServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static KeyStore keys(String place) throws StoreException {
        return Azure.keys(place, AzureServer.SETTINGS::get);
    }

    @Nested
    class Below extends KeyStoreContract {
        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            String place = server.place(server.address(), "some/prefix");
            try (KeyStore other = keys(place.replace("some/prefix", ""))) {
                other.put("some/prefixed", ByteBuffer.allocate(1));
            }
            KeyStore store = keys(place);
            for (Map.Entry<String, byte[]> value : values.entrySet()) {
                store.put(value.getKey(), ByteBuffer.wrap(value.getValue()));
            }
            return store;
        }
    }

    /** A list of more than one page. */
    @Test
    void pagesAreFollowed() throws IOException {
        String place = server.place(server.address(), "");
        try (KeyStore store = keys(place)) {
            List<String> names = new ArrayList<>();
            for (int i = 1000; i < 2003; i++) {
                names.add(String.valueOf(i));
            }
            names.parallelStream().forEach(name -> {
                try {
                    store.put("d/" + name, ByteBuffer.allocate(1));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertEquals(names, store.list("d").values());
            store.deleteBelow("d", name -> !name.equals("2002"));
            assertEquals(List.of("2002"), store.list("d").values());
        }
    }

    @Test
    void missingContainersAndPermissionsAreNamed() throws IOException {
        String place = server.place(server.address(), "x");
        try (KeyStore store = keys(place.replaceFirst("az://c", "az://d"))) {
            String missing = String.valueOf(
                    assertThrows(StoreException.class, () -> store.open("k")).getMessage());
            assertTrue(missing.startsWith("az://d") && missing.contains("ContainerNotFound"), missing);
        }
        try (KeyStore store = keys(place + "&anonymous=true")) {
            String forbidden =
                    String.valueOf(assertThrows(StoreException.class, () -> store.put("k", ByteBuffer.allocate(1)))
                            .getMessage());
            assertTrue(forbidden.contains("requests without credentials are not permitted"), forbidden);
        }
    }
}
