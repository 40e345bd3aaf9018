package dev.rechunker.io.fuzz;

import dev.rechunker.io.json.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Changes values in JSON documents, which mostly stay valid JSON; one in five times, changes their bytes instead. */
public final class JsonMutator {
    private static final String LONG_NUMBER = "9".repeat(5000);

    /** Values that often break readers, as they are written to a document. */
    private static final List<String> BAD_VALUES = List.of(
            "0",
            "-0",
            "1",
            "-1",
            "2",
            "3",
            "7",
            "255",
            "256",
            "65536",
            "1000000",
            "2147483647",
            "2147483648",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "18446744073709551615",
            "0.5",
            "1e3",
            "1e999999999",
            "-1e999999999",
            "1e-999999999",
            "0e999999999",
            "1E2147483648",
            LONG_NUMBER,
            "0." + LONG_NUMBER,
            "NaN",
            "-Infinity",
            "null",
            "true",
            "false",
            "[]",
            "{}",
            "[0]",
            "[[[[1]]]]",
            "[1" + ",1".repeat(1000) + "]",
            "[4611686018427387904,4611686018427387904]",
            "[".repeat(150) + "]".repeat(150),
            "[".repeat(100_000) + "]".repeat(100_000),
            "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000),
            "\"\"",
            "\".\"",
            "\"..\"",
            "\"../../x\"",
            "\"/etc/passwd\"",
            "\"C:\\\\x\"",
            "\"a\\u0000b\"",
            "\"\\ud800\"",
            "\"" + LONG_NUMBER + "\"",
            "\"1e999999999\"",
            "\"0x7fc00000\"",
            "\"NaN\"",
            "\"NaT\"",
            "\"|S999999999\"",
            "\"|V2147483647\"",
            "\"<U268435455\"",
            "\"r2147483640\"",
            "\"<M8[25s]\"",
            "\">f8\"",
            "\"|b1\"",
            "\"uint8\"",
            "\"float64\"",
            "\"" + "x".repeat(100_000) + "\"");

    private final Random random;
    private final List<@Nullable Object> values = new ArrayList<>();
    private int changesLeft;

    /** A text that is written to a document without quoting. */
    private record RawText(String text) {}

    private JsonMutator(Random random) {
        this.random = random;
        this.changesLeft = 1 + random.nextInt(3);
    }

    /** {@return a copy of a random document with one to three changes} */
    public static byte[] mutate(List<byte[]> seeds, Random random) throws IOException {
        byte[] seed = seeds.get(random.nextInt(seeds.size()));
        if (random.nextInt(5) == 0) {
            return ByteMutator.mutate(seeds, random);
        }
        JsonMutator mutator = new JsonMutator(random);
        Map<String, @Nullable Object> tree = JsonParser.object("seed", seed);
        mutator.collect(tree);
        mutator.collect(JsonParser.object("seed", seeds.get(random.nextInt(seeds.size()))));
        StringBuilder text = new StringBuilder();
        print(mutator.changed(tree, count(tree)), text);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void collect(@Nullable Object value) {
        values.add(value);
        children(value).forEach(this::collect);
    }

    private static int count(@Nullable Object value) {
        int count = 1;
        for (Object child : children(value)) {
            count += count(child);
        }
        return count;
    }

    private static Collection<?> children(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values();
        }
        return value instanceof List<?> list ? list : List.of();
    }

    /** {@return a copy; each of its {@code size} values is changed with the same probability} */
    private @Nullable Object changed(@Nullable Object value, int size) {
        if (changesLeft > 0 && random.nextInt(size) == 0) {
            changesLeft--;
            return replacement(value);
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, member) -> copy.put(key, changed(member, size)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>();
            list.forEach(item -> copy.add(changed(item, size)));
            return copy;
        }
        return value;
    }

    private @Nullable Object replacement(@Nullable Object value) {
        if (value instanceof Map<?, ?> map && !map.isEmpty() && random.nextInt(4) > 0) {
            Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
            List<Object> keys = new ArrayList<>(map.keySet());
            Object key = keys.get(random.nextInt(keys.size()));
            switch (random.nextInt(4)) {
                case 0 -> copy.remove(key);
                case 1 -> copy.put(keys.get(random.nextInt(keys.size())), map.get(key));
                case 2 -> copy.put(new RawText(String.valueOf(key)), any()); // a duplicate name
                default -> copy.put(List.of("", "..", "/", "a/../b", "x").get(random.nextInt(5)), any());
            }
            return copy;
        }
        if (value instanceof List<?> list && !list.isEmpty() && random.nextInt(4) > 0) {
            List<@Nullable Object> copy = new ArrayList<>(list);
            int at = random.nextInt(copy.size());
            switch (random.nextInt(3)) {
                case 0 -> copy.remove(at);
                case 1 -> copy.add(at, copy.get(random.nextInt(copy.size())));
                default -> copy.set(at, any());
            }
            return copy;
        }
        if (value instanceof Long number && random.nextInt(3) == 0) {
            return number + random.nextInt(5) - 2;
        }
        return any();
    }

    private @Nullable Object any() {
        return random.nextInt(3) == 0
                ? values.get(random.nextInt(values.size()))
                : new RawText(BAD_VALUES.get(random.nextInt(BAD_VALUES.size())));
    }

    private static void print(@Nullable Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                Object key = entry.getKey();
                quote(text.append(separator), key instanceof RawText raw ? raw.text : String.valueOf(key));
                print(entry.getValue(), text.append(':'));
                separator = ",";
            }
            text.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object item : list) {
                print(item, text.append(separator));
                separator = ",";
            }
            text.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof RawText raw) {
            text.append(raw.text);
        } else if (value instanceof String string) {
            quote(text, string);
        } else {
            text.append(value);
        }
    }

    private static void quote(StringBuilder text, String string) {
        text.append('"');
        string.chars()
                .forEach(c -> text.append(
                        c < ' ' || c == '"' || c == '\\' || c > '~'
                                ? String.format("\\u%04x", c)
                                : String.valueOf((char) c)));
        text.append('"');
    }
}
