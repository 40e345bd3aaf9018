package dev.rechunker.io.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large documents are read in pieces with the same values as whole. */
class JsonStreamTest {
    private static JsonStream stream(String text) {
        return new JsonStream("x.json", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Map<String, @Nullable Object> members(String text) throws IOException {
        try (JsonStream in = stream(text)) {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            in.beginObject();
            for (String name = in.nextMember(); name != null; name = in.nextMember()) {
                members.put(name, in.value());
            }
            in.requireEnd();
            return members;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " { \"a\" : 1 , \"b\\n\\u00e9\\\"\" : [ 1.5 , null , true ] } ",
                "{\"a\": {\"b\": [[], {}, \"]}\\\\\", -1e3]}, \"c\": \"\", \"d\": NaN}",
                "\ufeff{\"\u00e9\ud83d\ude00\": \"\u00e9\"}"
            })
    void valuesAreThoseOfTheParser(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertEquals(JsonParser.object("x.json", bytes), members(text));
        StringBuilder large = new StringBuilder("{");
        for (int i = 0; i < 3000; i++) {
            large.append("\"key")
                    .append(i)
                    .append("\": ")
                    .append(text.replace("\ufeff", ""))
                    .append(", ");
        }
        large.append("\"end\": 0}");
        assertEquals(
                JsonParser.object("x.json", large.toString().getBytes(StandardCharsets.UTF_8)),
                members(large.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\"}",
                "{\"a\": }",
                "{\"a\": 1,}",
                "{\"a\": 1 \"b\": 2}",
                "{\"a\": [1, 2}}",
                "{\"a\": \"x}",
                "{\"a\": \"x\\",
                "{\"a\": \"\n\"}",
                "{\"a\": 1}}",
                "{\"a\": \"\\x\"}",
                "{\"a\": 01}",
                "{a: 1}"
            })
    void malformedTextIsRefused(String text) {
        String message = String.valueOf(
                assertThrows(StoreException.class, () -> members(text)).getMessage());
        assertTrue(message.contains("x.json"), message);
    }

    @Test
    void listsAreTakenItemByItem() throws IOException {
        try (JsonStream in = stream("[\"a\", 2, [3]]")) {
            in.beginList();
            assertTrue(in.nextItem());
            assertEquals("a", in.string());
            assertTrue(in.nextItem());
            assertEquals(2L, in.value());
            assertTrue(in.nextItem());
            assertEquals("[3]", in.json());
            assertFalse(in.nextItem());
            in.requireEnd();
        }
        try (JsonStream in = stream("{}")) {
            in.beginObject();
            assertNull(in.nextMember());
        }
    }

    @Test
    void textThatIsNotUtf8IsRefused() {
        byte[] bytes = {'{', '"', (byte) 0xff, '"', ':', '1', '}'};
        assertThrows(StoreException.class, () -> {
            try (JsonStream in = new JsonStream("x.json", new ByteArrayInputStream(bytes))) {
                in.beginObject();
                in.nextMember();
            }
        });
    }
}
