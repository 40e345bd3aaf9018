package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged and malicious containers end in a {@link StoreException} or in elements, and in nothing else. */
class HostileTest {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final List<String> NUMBERS = List.of(
            "0",
            "-1",
            "1",
            "7",
            "255",
            "2147483647",
            "2147483648",
            "4294967296",
            "9223372036854775807",
            "-9223372036854775808",
            "99999999999999999999",
            "1.5",
            "1e300",
            "null",
            "\"3\"",
            "[]",
            "{}",
            "true",
            "NaN");
    private static final int MOST_SCRATCH = 64 << 20;

    @TempDir
    Path temporary;

    private int outcomes;
    private int containers;

    /** Reads all that can be read; a large but honest claim is not followed. */
    private void read(Path container) throws IOException {
        try (ChunkStore store = N5.open(container)) {
            store.children("x");
            if (store.node("x").isEmpty() || !(store.node("x").get() instanceof ChunkStore.ArrayNode node)) {
                return;
            }
            ArraySpec spec = node.spec();
            try (ArrayReader reader = store.openReader("x")) {
                boolean small = true;
                for (int axis = 0; axis < spec.chunks().rank(); axis++) {
                    small &= spec.shape().extent(axis) <= 1 << 10;
                }
                if (small
                        && reader.traits().scratchBytes() < MOST_SCRATCH
                        && spec.chunks().count() < 1000
                        && spec.chunks().chunkShape().elements() < 1 << 20) {
                    Data.readAll(reader);
                    outcomes++;
                }
            }
        }
    }

    private void survive(Path container, Object what) {
        try {
            read(container);
        } catch (StoreException e) {
            assertFalse(String.valueOf(e.getMessage()).isEmpty());
        } catch (IOException | RuntimeException | Error e) {
            throw new AssertionError(what + ": " + e, e);
        }
    }

    private Path container(List<CodecSpec> codecs) throws IOException {
        Path place = temporary.resolve("a" + containers++);
        ChunkStore store = N5.create(place);
        ArraySpec spec = N5Specs.spec(DataType.UINT16, new long[] {10, 12}, 6, 7)
                .codecs(codecs)
                .attributes(Map.of("axes", List.of("x", "y")))
                .build();
        N5Specs.ramp(store.resolve(spec)).write(store, "x");
        return place;
    }

    @Test
    void damagedBlocks() throws IOException {
        Random random = new Random(1);
        for (List<CodecSpec> codecs : N5Specs.codecs()) {
            Path place = container(codecs);
            Path block = place.resolve("x/0/0");
            byte[] good = Files.readAllBytes(block);
            for (int i = 0; i < 60; i++) {
                byte[] bad = damaged(good, random);
                Files.write(block, bad);
                survive(place, codecs + " " + Arrays.toString(bad));
            }
        }
        assertTrue(outcomes < 600, "damage is found more often than not: " + outcomes);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] copy = bytes.clone();
        switch (random.nextInt(4)) {
            case 0 -> copy = Arrays.copyOf(copy, random.nextInt(copy.length));
            case 1 -> copy = Arrays.copyOf(copy, copy.length + 1 + random.nextInt(40));
            case 2 -> copy[random.nextInt(12)] = (byte) (random.nextBoolean() ? 255 : random.nextInt(20));
            default -> {
                for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                    copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return copy;
    }

    @Test
    void damagedDocuments() throws IOException {
        Random random = new Random(2);
        List<List<CodecSpec>> all = N5Specs.codecs();
        for (String name : List.of("attributes.json", "x/attributes.json")) {
            for (List<CodecSpec> codecs : all) {
                Path place = container(codecs);
                Path document = place.resolve(name);
                String good = Files.readString(document);
                for (int i = 0; i < 40; i++) {
                    byte[] bad = random.nextBoolean()
                            ? damagedText(good, random).getBytes(StandardCharsets.UTF_8)
                            : damaged((good + " ".repeat(12)).getBytes(StandardCharsets.UTF_8), random);
                    Files.write(document, bad);
                    survive(place, new String(bad, StandardCharsets.ISO_8859_1));
                }
                Files.writeString(document, good);
            }
        }
    }

    /** Another value in the place of a number, a line gone or doubled, or another word. */
    private static String damagedText(String text, Random random) {
        String other = NUMBERS.get(random.nextInt(NUMBERS.size()));
        switch (random.nextInt(4)) {
            case 0 -> {
                List<String> lines = new ArrayList<>(text.lines().toList());
                String line = lines.remove(random.nextInt(lines.size()));
                if (random.nextBoolean()) {
                    lines.add(random.nextInt(lines.size()), line);
                }
                return String.join("\n", lines);
            }
            case 1 -> {
                String word = List.of("gzip", "xz", "raw", "blosc", "lz4", "string", "object", "codecs")
                        .get(random.nextInt(8));
                List<String> words = Pattern.compile("\"\\w+\"")
                        .matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .toList();
                return words.isEmpty()
                        ? text
                        : text.replace(words.get(random.nextInt(words.size())), "\"" + word + "\"");
            }
            default -> {
                Matcher numbers = NUMBER.matcher(text);
                int count = (int) numbers.results().count();
                int wanted = random.nextInt(Math.max(1, count));
                int[] at = {0};
                return numbers.replaceAll(found -> Matcher.quoteReplacement(at[0]++ == wanted ? other : found.group()));
            }
        }
    }
}
