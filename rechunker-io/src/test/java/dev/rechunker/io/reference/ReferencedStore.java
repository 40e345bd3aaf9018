package dev.rechunker.io.reference;

import dev.rechunker.io.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes references to the values of a store: some in the document, most in one file, and some in files of their own.
 */
final class ReferencedStore {
    private ReferencedStore() {}

    /** {@return the values below a directory by their keys} */
    static Map<String, byte[]> valuesIn(Path directory) throws IOException {
        Map<String, byte[]> values = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                values.put(directory.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
        return values;
    }

    /** Writes a document next to the files that it refers to. */
    static Path write(Path document, Map<String, byte[]> values) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        packed.write("something else".getBytes(StandardCharsets.UTF_8));
        Map<String, Object> refs = new LinkedHashMap<>();
        int number = 0;
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            byte[] bytes = value.getValue();
            String name = value.getKey().substring(value.getKey().lastIndexOf('/') + 1);
            boolean isDocument = name.startsWith(".z") || name.equals("zarr.json");
            if (isDocument || number % 5 == 1 || bytes.length == 0) {
                refs.put(value.getKey(), inline(bytes));
            } else if (number % 5 == 2) {
                String file = document.getFileName() + "." + number + ".chunk";
                Files.write(document.resolveSibling(file), bytes);
                refs.put(value.getKey(), List.of(file));
            } else {
                refs.put(value.getKey(), List.of(document.getFileName() + ".bin", (long) packed.size(), (long)
                        bytes.length));
                packed.write(bytes);
                packed.write(number);
            }
            number++;
        }
        Files.write(document.resolveSibling(document.getFileName() + ".bin"), packed.toByteArray());
        return Files.write(document, Json.document(Map.of("version", 1L, "refs", refs)));
    }

    private static String inline(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (!text.startsWith("base64:")) {
                return text;
            }
        } catch (CharacterCodingException e) {
            return "base64:" + Base64.getEncoder().encodeToString(bytes);
        }
        return "base64:" + Base64.getEncoder().encodeToString(bytes);
    }
}
