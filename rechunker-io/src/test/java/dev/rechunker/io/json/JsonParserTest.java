package dev.rechunker.io.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid JSON, and the limits of the parser. */
class JsonParserTest {
    private static Object value(String json) throws StoreException {
        byte[] document = ("{\"a\":" + json + "}").getBytes(StandardCharsets.UTF_8);
        Object value = JsonParser.object("doc", document).get("a");
        return value == null ? "null" : value;
    }

    private static void refused(String json, String why) {
        StoreException e = assertThrows(StoreException.class, () -> value(json));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.startsWith("doc ") && message.contains(why) && message.length() < 1500, message);
    }

    @Test
    void deepNestingIsRefused() throws StoreException {
        value("[".repeat(190) + "]".repeat(190));
        refused("[".repeat(1000) + "]".repeat(1000), "deep");
        refused("{\"a\":".repeat(1_000_000), "deep");
    }

    @Test
    void longNumbersAreRefused() throws StoreException {
        value("1" + "0".repeat(900));
        refused("1".repeat(2000), "2000 characters");
        refused("9".repeat(20_000_000), "20000000 characters, but a number may have at most 1000");
    }

    @Test
    void exponentsAreLimited() throws StoreException {
        assertEquals("1E+999999999", value("1e999999999").toString());
        refused("1e9999999999", "is not a value");
    }

    @Test
    void duplicateKeysAreRefused() {
        refused("{\"x\":1,\"x\":1}", "twice");
        refused("{\"x\":1,\"\\u0078\":2}", "twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "+1", "1.", ".5", "0x10", "1e", "--1", "True", "nan", "'a'", "1 2", "[1,]", "\"\t\""})
    void invalidJsonIsRefused(String text) {
        refused(text, "not valid JSON");
    }

    /** More values than the heap can hold, written in the fewest bytes. */
    @Test
    void moreValuesThanFitIntoTheHeapAreRefused() throws StoreException {
        int many = Math.toIntExact(Math.min(100_000_000, Runtime.getRuntime().maxMemory() / 512));
        refused("[0" + ",0".repeat(many), "-Xmx");
    }

    @Test
    void messagesAreShort() throws StoreException {
        Document document = new Document("doc", Map.of("chunks", List.of("x".repeat(1_000_000))));
        String message = String.valueOf(assertThrows(StoreException.class, () -> document.shape("chunks"))
                .getMessage());
        assertTrue(message.startsWith("doc has chunks") && message.endsWith("is expected"), message);
        assertTrue(message.length() < 1500);
    }
}
