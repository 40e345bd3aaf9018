package dev.rechunker.io.reference;

import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.json.JsonStream;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document of references from its start to its end.
 *
 * <p>Version 0 is an object of keys. Version 1 has them in its member {@code refs}; {@code templates} has texts that
 * names of files contain, and {@code gen} makes keys by formulas. A key has its value as a text, in base64 or not, or
 * as JSON, or a list with a file and, if it is a part of it, the position and the number of its bytes.
 *
 * <p>Source: the specification of kerchunk, "References specification", and fsspec's {@code ReferenceFileSystem}.
 */
final class ReferenceDocument {
    private static final String REFS = "refs";
    private static final String VERSION = "version";
    private static final String TEMPLATES = "templates";
    private static final String GEN = "gen";

    /** The members of version 1. */
    static final Set<String> MEMBERS = Set.of(REFS, VERSION, TEMPLATES, GEN);

    /** The most digits of which every number fits into 63 bits. */
    private static final int MOST_DIGITS = 18;

    private static final String BASE64 = "base64:";

    private final String where;
    private final JsonStream in;
    private final ReferenceTable.Builder table;
    private boolean isVersion1;
    private boolean isVersion0;
    private @Nullable Object templates;
    private @Nullable Object generators;

    private ReferenceDocument(String where, JsonStream in) {
        this.where = where;
        this.in = in;
        this.table = new ReferenceTable.Builder(where);
    }

    /**
     * {@return the keys of a document, which is closed}
     *
     * @throws StoreException if the document is malformed
     */
    static ReferenceTable read(String where, InputStream bytes) throws IOException {
        try (JsonStream in = new JsonStream(where, bytes)) {
            return new ReferenceDocument(where, in).read();
        }
    }

    private ReferenceTable read() throws IOException {
        in.beginObject();
        for (String name = in.nextMember(); name != null; name = in.nextMember()) {
            if (!MEMBERS.contains(name)) {
                isVersion0 = true;
                entry(name);
                continue;
            }
            switch (name) {
                case REFS -> entries();
                case TEMPLATES -> templates = in.value();
                case GEN -> generators = in.value();
                default -> version();
            }
        }
        in.requireEnd();
        if (isVersion0 && isVersion1) {
            throw new StoreException(where + " has keys both beside and in \"refs\", so its version is not clear");
        }
        if (templates != null || generators != null) {
            expand();
        }
        return table.build();
    }

    private void version() throws IOException {
        Object version = in.value();
        if (!Long.valueOf(0).equals(version) && !Long.valueOf(1).equals(version)) {
            throw new StoreException(where + " has references of version " + Template.shown(String.valueOf(version))
                    + ", which is not known; 0 and 1 are");
        }
    }

    private void entries() throws IOException {
        isVersion1 = true;
        in.beginObject();
        for (String key = in.nextMember(); key != null; key = in.nextMember()) {
            entry(key);
        }
    }

    private void entry(String key) throws IOException {
        switch (in.peek()) {
            case '"' -> table.add(key, inline(key, in.string()));
            case '{' -> table.add(key, in.json().getBytes(StandardCharsets.UTF_8));
            case '[' -> reference(key);
            default ->
                throw in.malformed(
                        "\"" + Template.shown(key) + "\" must have a text, an object, or a list with a file");
        }
    }

    private byte[] inline(String key, String text) throws StoreException {
        if (!text.startsWith(BASE64)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(text.substring(BASE64.length()));
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    where + ": the value of \"" + Template.shown(key) + "\" is not base64: " + e.getMessage(), e);
        }
    }

    private void reference(String key) throws IOException {
        in.beginList();
        if (!in.nextItem() || in.peek() != '"') {
            throw in.malformed("\"" + Template.shown(key)
                    + "\" names no file, which only a setting of fsspec, its target, could add");
        }
        String file = in.string();
        if (!in.nextItem()) {
            table.add(key, file, 0, ReferenceTable.WHOLE);
            return;
        }
        long offset = number(key);
        if (!in.nextItem()) {
            throw in.malformed("\"" + Template.shown(key) + "\" has the position of its bytes, but not their number");
        }
        long length = number(key);
        if (in.nextItem()) {
            throw in.malformed(
                    "\"" + Template.shown(key) + "\" has more than a file, a position and a number of bytes");
        }
        table.add(key, file, offset, length);
    }

    private long number(String key) throws IOException {
        String text = in.json();
        if (text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Long.parseLong(text);
        }
        if (JsonParser.value(where, text) instanceof Long number && number >= 0) {
            return number;
        }
        throw in.malformed("\"" + Template.shown(key)
                + "\" must have the position and the number of its bytes as integers from 0");
    }

    /** Replaces templates in the names of files, and adds generated keys. */
    private void expand() throws StoreException {
        try {
            Map<String, Object> names = templates == null ? Map.of() : names(Generator.object(TEMPLATES, templates));
            table.renameFiles(
                    file -> Template.isTemplate(file) ? Template.parse(file).render(names) : file);
            if (generators != null) {
                for (Object each : Generator.list(GEN, generators)) {
                    Generator.of(Generator.object(GEN, each), names).addTo(table);
                }
            }
        } catch (StoreException e) {
            throw new StoreException(where + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> names(Map<?, ?> templates) throws StoreException {
        Map<String, Object> names = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : templates.entrySet()) {
            if (!(each.getValue() instanceof String text)) {
                throw new StoreException("the template \"" + each.getKey() + "\" is not a text");
            }
            names.put(String.valueOf(each.getKey()), Template.isTemplate(text) ? Template.parse(text) : text);
        }
        return names;
    }
}
