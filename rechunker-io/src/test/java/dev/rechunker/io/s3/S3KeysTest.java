package dev.rechunker.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.rechunker.io.bytes.BucketAddress;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.KeyStoreContract;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets fulfil the contract of a key store, on a real server. */
class S3KeysTest {
    private static S3Server server;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Nested
    class Whole extends KeyStoreContract {
        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            return filled(server.keys(server.bucket(), ""), values);
        }
    }

    @Nested
    class Below extends KeyStoreContract {
        @Override
        protected KeyStore storeOf(Map<String, byte[]> values) throws IOException {
            String bucket = server.bucket();
            server.keys(bucket, "").put("some/prefixed", ByteBuffer.allocate(1));
            return filled(server.keys(bucket, "some/prefix"), values);
        }
    }

    private static KeyStore filled(KeyStore store, Map<String, byte[]> values) throws IOException {
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            store.put(value.getKey(), ByteBuffer.wrap(value.getValue()));
        }
        return store;
    }

    /** Listing takes more than one page, and deleting more than one request. */
    @Test
    void pagesAreFollowed() throws IOException {
        KeyStore store = server.keys(server.bucket(), "p");
        List<String> names = new ArrayList<>();
        for (int i = 1000; i < 2005; i++) {
            store.put("d/" + i, ByteBuffer.allocate(1));
            names.add(String.valueOf(i));
        }
        assertEquals(names, store.list("d").values());
        store.deleteBelow("d", name -> !name.equals("2004"));
        assertEquals(List.of("2004"), store.list("d").values());
    }

    /** A listing that is known to be incomplete is refused. */
    @ParameterizedTest
    @CsvSource({
        "'', incomplete listing (IsTruncated) without a NextContinuationToken",
        "<NextContinuationToken/>, incomplete listing (IsTruncated) without a NextContinuationToken",
        "<NextContinuationToken>again</NextContinuationToken>, never ends: it repeats a NextContinuationToken",
        "<NextContinuationToken>%d</NextContinuationToken>, never ends: it repeats a NextContinuationToken"
    })
    @Timeout(60)
    void incompleteAndEndlessListingsAreRefused(String continuation, String expected) throws IOException {
        AtomicInteger pages = new AtomicInteger();
        HttpServer faulty = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        faulty.createContext("/", exchange -> {
            try (exchange) {
                int page = pages.getAndIncrement();
                byte[] answer = ("<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>s/" + page
                                + "</Key></Contents>"
                                + continuation.formatted(page < 5 ? page : 5 + page % 7) + "</ListBucketResult>")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        faulty.start();
        try (KeyStore store = S3.keys("s3://bucket/s?anonymous=true&endpoint=http://127.0.0.1:"
                + faulty.getAddress().getPort())) {
            String refused = refusal(() -> store.list(""));
            assertTrue(refused.contains("s3://bucket/s: the server returned") && refused.contains(expected), refused);
            assertTrue(pages.get() <= 40, pages + " pages");
        } finally {
            faulty.stop(0);
        }
    }

    @Test
    void abandonedUploadsLeaveNothing() throws IOException {
        String bucket = server.bucket();
        KeyStore store = server.keys(bucket, "");
        long most = 40 << 20;
        try (var sink =
                store.create("large", most, dev.rechunker.resource.Scratch.allocate((int) store.sinkScratch(most)))) {
            sink.write(0, ByteBuffer.allocate(30 << 20));
        }
        assertTrue(server.client()
                .listMultipartUploads(request -> request.bucket(bucket))
                .uploads()
                .isEmpty());
    }

    @Test
    void missingBucketsAndPermissionsAreNamed() {
        KeyStore store = server.keys("no-such-bucket", "x");
        String missing = refusal(() -> store.open("a"));
        assertTrue(missing.contains("no bucket \"no-such-bucket\""), missing);
        KeyStore stranger = S3.keys(S3Server.client(server.address(), false), server.bucket(), "");
        String forbidden = refusal(() -> stranger.put("a", ByteBuffer.allocate(1)));
        assertTrue(forbidden.contains("403"), forbidden);
        assertFalse(forbidden.contains("secret"), forbidden);
    }

    private interface Action {
        void run() throws IOException;
    }

    private static String refusal(Action action) {
        return String.valueOf(assertThrows(StoreException.class, action::run).getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://KEY:SECRET@bucket/path",
                "s3://KEY:SEC/RET/SECRET@bucket/path",
                "s3://bucket/path?password=SECRET",
                "s3://bucket?endpoint=http://KEY:SECRET@host",
                "s3://bucket?endpoint=SECRET",
                "s3:///SECRET"
            })
    void refusedAddressesAreNotRepeated(String uri) {
        String message = refusal(() -> S3.keys(uri));
        assertFalse(message.contains("SECRET"), message);
        assertFalse(message.contains("KEY"), message);
    }

    @Test
    void pathsMayContainAnAtSign() throws IOException {
        BucketAddress address = S3.address("s3://bucket/out/at@x:y/@");
        assertEquals("bucket", address.bucket());
        assertEquals("out/at@x:y/@", address.prefix());
        assertEquals(address, S3.address(address.uri()));
        KeyStore store = server.keys(server.bucket(), "out/at@x");
        store.put("k@v", ByteBuffer.allocate(1));
        assertEquals(List.of("k@v"), store.list("").values());
    }

    @Test
    void addressesNameEndpointAndPath() throws StoreException {
        BucketAddress address = S3.address("s3://bucket/a/b.zarr/?endpoint=http%3A%2F%2Flocalhost:9000&region=r");
        assertEquals("bucket", address.bucket());
        assertEquals("a/b.zarr", address.prefix());
        assertEquals("http://localhost:9000", String.valueOf(address.endpoint().orElseThrow()));
        assertEquals("r", address.option("region").orElseThrow());
        assertEquals(address, S3.address(address.uri()), address.uri());
        try (KeyStore store = S3.keys("s3://bucket/a?endpoint=" + server.address() + "&anonymous=true");
                KeyStore other = S3.keys("s3://bucket/a?endpoint=http://localhost:9&anonymous=true")) {
            assertEquals("s3://bucket/a", store.name());
            assertFalse(store.identity().equals(other.identity()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
