package dev.rechunker.io.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.KeyStoreContract;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Buckets of Google Cloud Storage fulfil the contract of a key store, on an emulator. */
@Tag("reference")
class GcsKeysTest {
    private static GcsServer server;

    @BeforeAll
    static void start() throws Exception {
        server = GcsServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Nested
    class Below extends KeyStoreContract {
        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            String place = server.place("some/prefix");
            try (KeyStore other = Stores.keys(place.replace("some/prefix", ""))) {
                other.put("some/prefixed", ByteBuffer.allocate(1));
            }
            return filled(Stores.keys(place), values);
        }
    }

    private static KeyStore filled(KeyStore store, Map<String, byte[]> values) throws IOException {
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            store.put(value.getKey(), ByteBuffer.wrap(value.getValue()));
        }
        return store;
    }

    /** Listing takes more than one page, and deleting more than one batch. */
    @Test
    void pagesAreFollowed() throws IOException {
        try (KeyStore store = Stores.keys(server.place("p"))) {
            List<String> names = new ArrayList<>();
            for (int i = 1000; i < 2005; i++) {
                store.put("d/" + i, ByteBuffer.allocate(1));
                names.add(String.valueOf(i));
            }
            assertEquals(names, store.list("d").values());
            store.deleteBelow("d", name -> !name.equals("2004"));
            assertEquals(List.of("2004"), store.list("d").values());
        }
    }

    /** A value of more than 32 parts is composed in two steps. Its parts are deleted, those of a given up one, too. */
    @Test
    void largeValuesLeaveNoParts() throws IOException {
        String place = server.place("");
        try (KeyStore store = Stores.keys(place)) {
            int parts = 35;
            try (var value = store.createInParts("d/large", parts)) {
                for (int i = 0; i < parts; i++) {
                    value.put(i, List.of(ByteBuffer.wrap(new byte[] {(byte) i, 1})));
                }
                value.commit();
            }
            try (var source = store.open("d/large").orElseThrow()) {
                ByteBuffer bytes = ByteBuffer.allocate(2 * parts);
                assertEquals(bytes.capacity(), source.size());
                source.read(0, bytes);
                for (int i = 0; i < parts; i++) {
                    assertEquals(i, bytes.get(2 * i));
                }
            }
            try (var value = store.createInParts("d/abandoned", 2)) {
                value.put(0, List.of(ByteBuffer.allocate(1)));
            }
        }
        HttpRequest list = HttpRequest.newBuilder(URI.create(server.address() + "/storage/v1/b/"
                        + place.substring("gs://".length(), place.indexOf("/?")) + "/o"))
                .build();
        try {
            String all = HttpClient.newHttpClient()
                    .send(list, HttpResponse.BodyHandlers.ofString())
                    .body();
            assertTrue(all.contains("\"d/large\"") && !all.contains("rechunker-part"), all);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
