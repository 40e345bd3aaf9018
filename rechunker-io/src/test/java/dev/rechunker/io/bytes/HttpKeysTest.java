package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Temporary failures of a web server are retried; permanent ones are reported. */
class HttpKeysTest {
    private final WebServer server = new WebServer();
    private final byte[] value = new byte[1_000_000];

    HttpKeysTest() {
        new Random(3).nextBytes(value);
        server.put("/v", value);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static KeyStore keys(String address) {
        return new HttpKeys(URI.create(address), Duration.ofSeconds(1), new Redirects(false));
    }

    private static byte[] read(KeyStore keys, int piece) throws IOException {
        try (ByteSource source = keys.open("v").orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            for (int at = 0; at < bytes.capacity(); at += piece) {
                source.read(at, bytes.limit(Math.min(bytes.capacity(), at + piece)));
            }
            return bytes.array();
        }
    }

    /** The client of the JDK has no message for this. */
    @Test
    void missingConnectionIsExplained() {
        server.close();
        for (String address : List.of(server.address(), "http://host.invalid/x")) {
            IOException e =
                    assertThrows(ConnectException.class, () -> keys(address).open("v"));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.startsWith(address + "/v: the host "), message);
            assertTrue(message.contains("check the address"), message);
        }
    }

    /** Names that look alike are different keys, and no character of a name means anything else. */
    @Test
    void namesAreTheirBytes() throws IOException {
        List<String> names = List.of(
                "a+b",
                "a b",
                "a%20b",
                "a#b",
                "a?b",
                "\u00e9",
                "e\u0301",
                "\u1e9b\u0323",
                "\ud83d\udd2c",
                "a;b",
                "~!*'()");
        for (String name : names) {
            server.put("/" + name + "/v", name.getBytes(StandardCharsets.UTF_8));
        }
        try (KeyStore keys = keys(server.address())) {
            for (String name : names) {
                try (ByteSource source = keys.open(name + "/v").orElseThrow(() -> new AssertionError(name))) {
                    ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
                    source.read(0, bytes);
                    assertArrayEquals(name.getBytes(StandardCharsets.UTF_8), bytes.array(), name);
                }
            }
            assertThrows(StoreException.class, () -> keys.open("\ud83d"));
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Timeout(60)
    void temporaryFaultsAreRetried(Fault fault) throws IOException {
        // Incomplete responses are continued by further requests, which fail, too.
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> request < 3 ? fault : Fault.NONE);
                KeyStore keys = keys(proxy.address())) {
            assertArrayEquals(value, read(keys, 70_000));
            boolean inOne = fault == Fault.NONE || fault == Fault.SLOW;
            assertEquals(inOne ? 1 : 4, proxy.requests());
        }
    }

    @Test
    @Timeout(60)
    void aServerThatStaysBusyIsNamed() throws IOException {
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> Fault.BUSY);
                KeyStore keys = keys(proxy.address())) {
            IOException failed = assertThrows(IOException.class, () -> keys.open("v"));
            assertTrue(
                    String.valueOf(failed.getMessage()).contains("/v responds with status 503"), failed.getMessage());
            assertEquals(Retries.MOST_TRIES, proxy.requests());
        }
    }

    @Test
    void responsesWithOtherBytesAreRefused() throws IOException {
        server.answerFromTheStart();
        try (KeyStore keys = keys(server.address());
                ByteSource source = keys.open("v", new Span(500_000, 100)).orElseThrow()) {
            StoreException refusal =
                    assertThrows(StoreException.class, () -> source.read(500_000, ByteBuffer.allocate(50)));
            assertTrue(
                    String.valueOf(refusal.getMessage())
                            .contains("/v: bytes from 500000 were requested, but the response has bytes 0 to "),
                    refusal.getMessage());
        }
    }

    /** The body of a 404 response is read, so that the next request needs no new connection. */
    @Test
    void missingValuesTakeOneConnection() throws IOException {
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        HttpServer missing = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        missing.createContext("/", exchange -> {
            ports.add(exchange.getRemoteAddress().getPort());
            byte[] page = new byte[3000];
            exchange.sendResponseHeaders(404, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        missing.start();
        try {
            KeyStore keys = keys("http://127.0.0.1:" + missing.getAddress().getPort());
            for (int i = 0; i < 20; i++) {
                assertTrue(keys.open("v" + i).isEmpty());
            }
            assertEquals(1, ports.size());
        } finally {
            missing.stop(0);
        }
    }

    /** Some servers answer each unknown address with their start page, which is neither a chunk nor a document. */
    @Test
    void pagesInsteadOfDataAreRefused() throws IOException {
        byte[] page = "\n<!DOCTYPE html><html><body>Home</body></html>".getBytes(StandardCharsets.US_ASCII);
        byte[] data = "{\"zarr_format\": 2}".getBytes(StandardCharsets.US_ASCII);
        HttpServer pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        pages.createContext("/", exchange -> {
            byte[] body = exchange.getRequestURI().getPath().endsWith("/.zgroup") ? data : page;
            exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        pages.start();
        try (KeyStore keys = keys("http://127.0.0.1:" + pages.getAddress().getPort())) {
            for (Span span : new Span[] {Span.ALL, new Span(0, 10), Span.last(4)}) {
                StoreException refusal = assertThrows(StoreException.class, () -> keys.open("a/0.0", span));
                String message = String.valueOf(refusal.getMessage());
                assertTrue(message.contains("/a/0.0 responds with a web page (HTML) instead of data"), message);
            }
            try (ByteSource source = keys.open("a/.zgroup").orElseThrow()) { // only its type is wrong
                ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
                source.read(0, bytes);
                assertArrayEquals(data, bytes.array());
            }
        } finally {
            pages.stop(0);
        }
    }

    @Test
    void readingForwardTakesOneRequest() throws IOException {
        try (KeyStore keys = keys(server.address())) {
            read(keys, 1000);
            assertEquals(1, server.requests());
            try (ByteSource source = keys.open("v", Span.last(100)).orElseThrow()) {
                source.read(value.length - 100, ByteBuffer.allocate(60));
                source.read(value.length - 40, ByteBuffer.allocate(40));
                source.read(value.length - 70, ByteBuffer.allocate(70)); // still in memory
                assertEquals(2, server.requests());
                source.read(10, ByteBuffer.allocate(10));
                assertEquals(3, server.requests());
            }
        }
    }
}
