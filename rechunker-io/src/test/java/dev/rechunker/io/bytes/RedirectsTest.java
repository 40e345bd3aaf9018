package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.rechunker.io.Stores;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Redirects are followed on the same server; to others only if the address says so, and never to a private one. */
class RedirectsTest {
    private static final byte[] VALUE = "the value of a file".getBytes(StandardCharsets.US_ASCII);

    private final WebServer other = new WebServer();
    private final AtomicReference<String> location = new AtomicReference<>("");
    private final HttpServer server;

    RedirectsTest() throws IOException {
        other.put("/v", VALUE);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                if (exchange.getRequestURI().getPath().equals("/moved/v")) {
                    exchange.sendResponseHeaders(200, VALUE.length);
                    exchange.getResponseBody().write(VALUE);
                    return;
                }
                exchange.getResponseHeaders().set("Location", location.get());
                exchange.sendResponseHeaders(302, -1);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        other.close();
    }

    private KeyStore keys(String settings) throws IOException {
        return Stores.keys("http://127.0.0.1:" + server.getAddress().getPort() + "/here" + settings);
    }

    private static void assertRead(KeyStore keys) throws IOException {
        try (keys;
                ByteSource source = keys.open("v", new Span(4, 5)).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate(5);
            source.read(4, bytes);
            assertArrayEquals("value".getBytes(StandardCharsets.US_ASCII), bytes.array());
        }
    }

    @Test
    void redirectsOnTheSameServerAreFollowed() throws IOException {
        location.set("/moved/v");
        assertRead(keys(""));
        location.set("http://127.0.0.1:" + server.getAddress().getPort() + "/moved/v?X-Amz-Signature=SECRET");
        assertRead(keys(""));
    }

    @Test
    void redirectsToOtherServersNeedTheSetting() throws IOException {
        location.set(other.address() + "/v?token=SECRET");
        try (KeyStore keys = keys("")) {
            StoreException refusal = assertThrows(StoreException.class, () -> keys.open("v"));
            String message = String.valueOf(refusal.getMessage());
            assertTrue(message.contains("to another server, " + other.address() + "; "), message);
            assertTrue(message.contains("?redirects=any"), message);
            assertFalse(message.contains("SECRET"), message);
            assertEquals(0, other.requests());
        }
        location.set(other.address() + "/v");
        assertRead(keys("?redirects=any"));
        assertTrue(other.requests() > 0);
        try (KeyStore keys = keys("/?redirects=any")) {
            assertEquals(keys("?redirects=any").address(), keys.address(), "other processes follow them, too");
            assertFalse(keys.name().contains("?"), keys.name());
        }
        assertThrows(StoreException.class, () -> keys("?redirects=some"));
    }

    @Test
    void redirectsEnd() throws IOException {
        location.set("/again");
        try (KeyStore keys = keys("")) {
            StoreException refusal = assertThrows(StoreException.class, () -> keys.open("v"));
            assertTrue(String.valueOf(refusal.getMessage()).contains("redirects more than 10 times"));
        }
        location.set("http://a b/");
        try (KeyStore keys = keys("")) {
            StoreException refusal = assertThrows(StoreException.class, () -> keys.open("v"));
            assertTrue(String.valueOf(refusal.getMessage()).contains("without a valid address"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://1.1.1.1/a, http://1.1.1.1/b, true, true",
        "http://1.1.1.1/a, https://1.1.1.1/b, true, true",
        "http://1.1.1.1:80/a, https://1.1.1.1:443/b, true, true",
        "http://1.1.1.1/a, http://1.1.1.1:8080/b, false, true",
        "http://1.1.1.1/a, https://1.1.1.1:8443/b, false, true",
        "http://HOST.invalid/a, http://host.invalid/b, true, true",
        "https://1.1.1.1/a, http://1.1.1.1/b, false, false",
        "https://1.1.1.1/a, http://8.8.8.8/b, false, false",
        "https://1.1.1.1/a, https://8.8.8.8/b, false, true",
        "https://1.1.1.1/a, https://me:x@1.1.1.1/b, false, false",
        "https://1.1.1.1/a, ftp://1.1.1.1/b, false, false",
        "https://1.1.1.1/a, file:///etc/passwd, false, false",
        "http://1.1.1.1/a, http://127.0.0.1/b, false, false",
        "http://1.1.1.1/a, http://localhost/b, false, false",
        "http://1.1.1.1/a, http://2130706433/b, false, false",
        "http://1.1.1.1/a, http://0.0.0.0/b, false, false",
        "http://1.1.1.1/a, http://169.254.169.254/latest, false, false",
        "http://1.1.1.1/a, http://10.0.0.1/b, false, false",
        "http://1.1.1.1/a, http://172.16.0.1/b, false, false",
        "http://1.1.1.1/a, http://192.168.1.1/b, false, false",
        "http://1.1.1.1/a, http://100.64.0.1/b, false, false",
        "http://1.1.1.1/a, http://[::1]/b, false, false",
        "http://1.1.1.1/a, http://[fd00::1]/b, false, false",
        "http://1.1.1.1/a, http://[fe80::1]/b, false, false",
        "http://1.1.1.1/a, http://[::ffff:127.0.0.1]/b, false, false",
        "http://10.0.0.1/a, http://10.0.0.2/b, false, true",
        "http://10.0.0.1/a, http://127.0.0.1/b, false, false",
        "http://10.0.0.1/a, http://169.254.169.254/b, false, false",
        "http://127.0.0.1/a, http://1.1.1.1/b, false, true",
    })
    void redirectsToPrivateAddressesAreRefused(String from, String to, boolean alone, boolean withSetting) {
        assertEquals(
                alone,
                new Redirects(false).refusal(URI.create(from), URI.create(to)).isEmpty(),
                "without the setting");
        assertEquals(
                withSetting,
                new Redirects(true).refusal(URI.create(from), URI.create(to)).isEmpty(),
                "with the setting");
    }
}
