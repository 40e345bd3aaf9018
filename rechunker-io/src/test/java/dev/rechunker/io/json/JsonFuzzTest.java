package dev.rechunker.io.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.JsonMutator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Text that is almost JSON is refused, or has the same meaning after it was printed and parsed again. */
class JsonFuzzTest {
    private static final String WHERE = "lie.json";

    private static final List<byte[]> SEEDS = List.of(
            text(
                    "{\"a\": [1, -2.5, 1e300, 12345678901234567890], \"b\": {\"\\u00e9\\n\": null, \"c\": [true, false]}}"),
            text("{\"x\": NaN, \"y\": [Infinity, -Infinity, [[[]]], {}], \"z\": \"\\\"\\\\\\/\\b\\ud83d\\ude00\"}"));

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void text() {
        Fuzz.check("json", 4_000, 16 << 20, WHERE, random -> JsonMutator.mutate(SEEDS, random), input -> {
            Map<String, @Nullable Object> value = JsonParser.object(WHERE, input);
            assertEquals(withTexts(value), again(value));
        });
    }

    /** {@return a value with numbers that are not finite as texts, which is how they are printed} */
    private static @Nullable Object withTexts(@Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<Object, @Nullable Object> texts = new LinkedHashMap<>();
            members.forEach((name, member) -> texts.put(String.valueOf(name), withTexts(member)));
            return texts;
        }
        if (value instanceof List<?> elements) {
            List<@Nullable Object> texts = new ArrayList<>();
            elements.forEach(element -> texts.add(withTexts(element)));
            return texts;
        }
        return value instanceof Double number && !Double.isFinite(number) ? number.toString() : value;
    }

    private static Map<String, @Nullable Object> again(Map<String, @Nullable Object> value) throws IOException {
        return JsonParser.object("printed " + WHERE, Json.document(value));
    }
}
