package dev.rechunker.io.gcs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of Google's servers, and what is said about their answers. */
@Timeout(60)
class GcsMessagesTest {
    private final List<String> asked = new ArrayList<>();
    private HttpServer server;
    private int status = 200;
    private String answer = "{}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("Range"));
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private KeyStore keys(String options) throws IOException {
        return Stores.keys("gs://bucket/p?anonymous=true&endpoint=http://127.0.0.1:"
                + server.getAddress().getPort() + options);
    }

    private interface Action {
        void run() throws IOException;
    }

    private static String refusal(Action action) {
        return String.valueOf(assertThrows(StoreException.class, action::run).getMessage());
    }

    private void answers(int status, String message) {
        this.status = status;
        this.answer = "{\"error\": {\"code\": " + status + ", \"message\": \"" + message + "\"}}";
    }

    /** The project is named by every request. */
    @Test
    void theRequesterPays() throws IOException {
        try (KeyStore store = keys("&userProject=mine")) {
            store.put("k", ByteBuffer.allocate(1));
            store.list("");
            store.open("k").orElseThrow().close();
            store.putNew("k", ByteBuffer.allocate(1));
            store.delete("k");
        }
        assertEquals(5, asked.size());
        for (String request : asked) {
            assertTrue(request.contains("userProject=mine"), request);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, Bucket is a requester pays bucket but no user project provided., add ?userProject=NAME",
        "403, Anonymous caller does not have storage.objects.get access, requests without credentials",
        "401, Anonymous caller does not have storage.objects.get access, requests without credentials",
        "404, The specified bucket does not exist., status 404 (The specified bucket does not exist.)"
    })
    void failuresSayWhatToDo(int code, String message, String expected) throws IOException {
        answers(code, message);
        try (KeyStore store = keys("")) {
            for (Action action : List.<Action>of(
                    () -> store.open("k"), () -> store.list(""), () -> store.put("k", ByteBuffer.allocate(1)))) {
                String said = refusal(action);
                assertTrue(said.startsWith("gs://bucket/p") && said.contains(expected), said);
            }
        }
        assertEquals(3, asked.size(), "it is not repeated");
    }

    @Test
    void missingObjectsAreEmpty() throws IOException {
        answers(404, "No such object: bucket/p/k");
        try (KeyStore store = keys("")) {
            assertEquals(Optional.empty(), store.open("k"));
            store.delete("k");
        }
    }

    @Test
    void endlessListingsAreRefused() throws IOException {
        answer = "{\"nextPageToken\": \"again\"}";
        try (KeyStore store = keys("")) {
            String refused = refusal(() -> store.list(""));
            assertTrue(refused.contains("gs://bucket/p: the server returned a listing that never ends"), refused);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gs://KEY:SECRET@bucket/path",
                "gs://bucket/path?token=SECRET",
                "gs://bucket/path?requesterPays=SECRET",
                "gs://bucket?endpoint=http://KEY:SECRET@host",
                "gs:///SECRET"
            })
    void refusedAddressesAreNotRepeated(String uri) {
        String message = refusal(() -> Stores.keys(uri));
        assertFalse(message.contains("SECRET") || message.contains("KEY"), message);
    }

    @Test
    void anEmulatorOfTheSettingsIsAskedWithoutCredentials() throws IOException {
        try (KeyStore store =
                Gcs.keys("gs://bucket/p", "127.0.0.1:" + server.getAddress().getPort())) {
            assertTrue(store.list("").isEmpty());
            assertEquals(Optional.of("gs://bucket/p"), store.address());
            assertEquals("gs://bucket/p", store.name());
            assertTrue(store.identity().startsWith("http://localhost:"), store.identity());
        }
        assertEquals(1, asked.size());
    }
}
