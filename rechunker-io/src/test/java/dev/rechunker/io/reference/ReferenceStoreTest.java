package dev.rechunker.io.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.StoresByUri;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of both versions of references are read, and refused by name if they must not or cannot be. */
class ReferenceStoreTest {
    private static final String ARRAY =
            "{\\\"zarr_format\\\":2,\\\"shape\\\":[12],\\\"chunks\\\":[4],\\\"dtype\\\":\\\"|u1\\\",\\\"fill_value\\\":9,"
                    + "\\\"order\\\":\\\"C\\\",\\\"filters\\\":null,\\\"compressor\\\":null}";

    @TempDir
    Path directory = Path.of("");

    private Path document = Path.of("");

    @BeforeEach
    void writeData() throws IOException {
        document = directory.resolve("refs.json");
        byte[] bytes = new byte[100];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        Files.write(directory.resolve("data.bin"), bytes);
        Files.write(directory.resolve("a b.bin"), new byte[] {1, 2, 3, 4});
    }

    private static String array(String... chunks) {
        StringBuilder text = new StringBuilder("\"a/.zarray\": \"" + ARRAY + "\"");
        for (int i = 0; i < chunks.length; i++) {
            text.append(", \"a/").append(i).append("\": ").append(chunks[i]);
        }
        return text.toString();
    }

    private byte[] read(String text) throws IOException {
        Files.writeString(document, text);
        return read(Stores.open(document));
    }

    private static byte[] read(ChunkStore opened) throws IOException {
        try (ChunkStore store = opened;
                ArrayReader reader = store.openReader("a")) {
            return Data.readAll(reader);
        }
    }

    private String refusal(String text) {
        String message = String.valueOf(
                assertThrows(StoreException.class, () -> read(text)).getMessage());
        assertTrue(message.contains("refs.json"), message);
        return message;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void valuesAreInTheDocumentOrInFiles() throws IOException {
        String chunks = array("[\"data.bin\", 40, 4]", "\"base64:BQYHCA==\"", "[\"a b.bin\"]");
        byte[] expected = bytes(40, 41, 42, 43, 5, 6, 7, 8, 1, 2, 3, 4);
        assertArrayEquals(expected, read("{" + chunks + "}"));
        assertArrayEquals(expected, read("{\"version\": 1, \"refs\": {" + chunks + "}}"));
        assertArrayEquals(expected, read("\ufeff {\"refs\": {" + chunks + "}, \"version\": 1}\n"));
    }

    @Test
    void namesOfFilesHaveManyForms() throws IOException {
        String absolute = directory.resolve("data.bin").toUri().getPath();
        byte[] expected = bytes(9, 9, 9, 9, 20, 21, 22, 23, 1, 2, 3, 4);
        for (String name : List.of(absolute, "file://" + absolute, "file://localhost" + absolute, "./x/../data.bin")) {
            String chunks = array("\"\\t\\t\\t\\t\"", "[\"" + name + "\", 20, 4]", "[\"a%20b.bin\"]");
            assertArrayEquals(expected, read("{" + chunks + "}"), name);
        }
    }

    @Test
    void chunksThatAreNotListedAreEmpty() throws IOException {
        assertArrayEquals(bytes(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9), read("{" + array() + "}"));
    }

    @Test
    void templatesAreFilledIn() throws IOException {
        String chunks = array("[\"{{u}}.bin\", 1, 4]", "[\"{{f(c='da' ~ 'ta')}}\", 5, 4]", "[\"{{ u }}.bin\", 8, 4]");
        String templates = "\"templates\": {\"u\": \"data\", \"f\": \"{{c}}.bin\"}";
        byte[] expected = bytes(1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11);
        assertArrayEquals(expected, read("{\"version\": 1, \"refs\": {" + chunks + "}, " + templates + "}"));
        assertArrayEquals(expected, read("{\"version\": 1, " + templates + ", \"refs\": {" + chunks + "}}"));
    }

    @Test
    void keysAreGenerated() throws IOException {
        String gen = "\"gen\": [{\"key\": \"a/{{i}}\", \"url\": \"{{u}}.bin\", \"offset\": \"{{(i + 1) * 10}}\","
                + " \"length\": \"4\", \"dimensions\": {\"i\": {\"stop\": 3}}}]";
        byte[] expected = bytes(10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33);
        String rest = "\"templates\": {\"u\": \"data\"}, \"refs\": {" + array() + "}}";
        assertArrayEquals(expected, read("{\"version\": 1, " + gen + ", " + rest));
        assertArrayEquals(
                expected, read("{\"version\": 1, " + gen.replace("{\"stop\": 3}", "[0, 1, 2]") + ", " + rest));
        String backwards = gen.replace("{\"stop\": 3}", "{\"start\": 2, \"stop\": -1, \"step\": -1}");
        assertArrayEquals(expected, read("{\"version\": 1, " + backwards + ", " + rest));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[\"gone.bin\", 0, 4] | which does not exist",
                "[\"data.bin\", 98, 4] | which has only 100 bytes",
                "[\"data.bin\", 9223372036854775807, 4] | beyond 2^63",
                "[\"data.bin\", -1, 4] | integers from 0",
                "[\"data.bin\", 1.5, 4] | integers from 0",
                "[\"data.bin\", 4] | but not their number",
                "[\"data.bin\", 4, 4, 4] | more than a file",
                "[null, 0, 4] | names no file",
                "[] | names no file",
                "7 | must have a text",
                "\"base64:?\" | is not base64",
                "[\"../data.bin\", 0, 4] | --follow-links",
                "[\"/etc/passwd\", 0, 4] | --follow-links",
                "[\"file:///etc/passwd\", 0, 4] | --follow-links",
                "[\"simplecache::s3://b/k\", 0, 4] | chained",
                "[\"http://127.0.0.1:1/k?token=pa55\", 0, 4] | query",
                "[\"https://me:pa55@127.0.0.1:1/k\", 0, 4] | credentials",
                "[\"ftp://127.0.0.1/k\", 0, 4] | ftp:// are not supported",
                "[\"s3://\", 0, 4] | names no file",
            })
    void chunksThatCannotBeReadAreRefused(String chunk, String why) {
        String message = refusal("{" + array(chunk) + "}");
        assertTrue(message.contains(why) && !message.contains("pa55"), message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"version\": 2, \"refs\": {}} | version 2",
                "{\"refs\": {}, \"a/.zgroup\": \"{}\"} | both beside and in",
                "{\"refs\": {\"a\": \"1\", \"a\": \"2\"}} | twice",
                "{\"refs\": {\"a\": \"1\" | incomplete",
                "{\"refs\": {\"a\": \"1\"}} x | after the end",
                "{\"refs\": {\"a\": [\"{{v}}\"]}, \"templates\": {\"u\": \"x\"}} | \"v\" is not defined",
                "{\"refs\": {\"a\": [\"{{u}}\"]}, \"templates\": {\"u\": \"{{c}}\"}} | has parameters",
                "{\"refs\": {\"a\": [\"{% for x in y %}\"]}, \"templates\": {\"u\": \"{% x %}{{c}}\"}} | statement",
                "{\"refs\": {}, \"gen\": [{\"key\": \"a\"}]} | \"dimensions\"",
                "{\"refs\": {}, \"gen\": [{\"key\": \"a\", \"url\": \"b\", \"offset\": 1, \"dimensions\": {}}]} | both",
                "{\"refs\": {}, \"gen\": [{\"key\": \"{{i}}\", \"url\": \"b\", \"dimensions\": {\"i\": {\"stop\": 1, \"step\": 0}}}]} | step of 0",
                "{\"refs\": {}, \"gen\": [{\"key\": \"a\", \"url\": \"b\", \"dimensions\": {\"i\": {\"stop\": 2}}}]} | twice",
            })
    void malformedDocumentsAreRefused(String text, String why) {
        String message = refusal(text);
        assertTrue(message.contains(why), message);
    }

    @Test
    void filesElsewhereAreReadIfThatIsAllowed() throws IOException {
        Path below = Files.createDirectories(directory.resolve("refs/deep"));
        document = below.resolve("refs.json");
        Files.writeString(document, "{" + array("[\"../../data.bin\", 3, 4]") + "}");
        assertArrayEquals(bytes(3, 4, 5, 6, 9, 9, 9, 9, 9, 9, 9, 9), read(Stores.openFollowingLinks(document)));
        assertThrows(StoreException.class, () -> Stores.open(document));
    }

    @Test
    void documentsMayBeCompressed() throws IOException {
        String text = "{\"version\": 1, \"refs\": {" + array("[\"data.bin\", 3, 4]") + "}}";
        Path compressed = directory.resolve("refs.json.zst");
        Files.write(compressed, Zstd.compress(text.getBytes(StandardCharsets.UTF_8)));
        assertArrayEquals(bytes(3, 4, 5, 6, 9, 9, 9, 9, 9, 9, 9, 9), read(Stores.open(compressed)));
    }

    @Test
    void anotherProcessOpensTheSameStore() throws IOException {
        Files.writeString(document, "{" + array("[\"data.bin\", 3, 4]") + "}");
        byte[] expected = bytes(3, 4, 5, 6, 9, 9, 9, 9, 9, 9, 9, 9);
        for (ChunkStore store : List.of(
                Stores.open(document),
                Stores.openFollowingLinks(document),
                new StoresByUri().open(URI.create(document.toUri() + "?anonymous=true")))) {
            StoreDescriptor descriptor = store.descriptor().orElseThrow();
            store.close();
            assertEquals("references", descriptor.kind());
            assertArrayEquals(expected, read(new StoresByUri().open(descriptor).orElseThrow()));
        }
    }

    @Test
    void groupsAreListed() throws IOException {
        Files.writeString(
                document,
                "{\".zgroup\": \"{\\\"zarr_format\\\": 2}\", \"g/.zgroup\": {\"zarr_format\": 2}, "
                        + array("[\"data.bin\", 3, 4]")
                        + ", "
                        + array("[\"data.bin\", 3, 4]").replace("\"a/", "\"g/b/")
                        + "}");
        try (ChunkStore store = Stores.open(document)) {
            assertEquals(List.of("a", "g"), store.children(""));
            assertEquals(List.of("b"), store.children("g"));
            assertFalse(store.capabilities().writable());
            assertTrue(store.places("a").size() == 2
                    && store.places("a").toString().contains("data.bin"));
        }
    }

    @Test
    void metadataMayBeThoseOfZarr3() throws Exception {
        Path source = directory.resolve("source.zarr");
        Data data = Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(7, 9), Shape.of(3, 4)), DataType.INT32)
                .build());
        try (ChunkStore zarr = Zarr.create(source, ZarrFormat.V3)) {
            data.write(zarr, "g/a");
        }
        ReferencedStore.write(document, ReferencedStore.valuesIn(source));
        Path copy = directory.resolve("copy.zarr");
        try (ChunkStore references = Stores.open(document);
                ChunkStore target = Zarr.create(copy)) {
            Rechunker.from(references).to(target).chunks(2, 9).maxMem("10MB").execute();
        }
        try (ChunkStore store = Zarr.open(copy);
                ArrayReader reader = store.openReader("g/a")) {
            assertArrayEquals(data.elements(), Data.readAll(reader));
        }
    }

    @Test
    void referencesAreNoTarget() {
        String message =
                String.valueOf(assertThrows(StoreException.class, () -> Stores.create(directory.resolve("new.json")))
                        .getMessage());
        assertTrue(message.contains("end it with .zarr"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"name\": \"x\", \"version\": \"1.0\"}", "{}", "[1]", "{\"refs\": 1}"})
    void otherJsonIsNoStore(String text) throws IOException {
        Files.writeString(document, text);
        String message = String.valueOf(
                assertThrows(StoreException.class, () -> Stores.open(document)).getMessage());
        assertTrue(message.contains("is not a store: it is a JSON text"), message);
    }
}
