package dev.rechunker.io.tree;

import dev.rechunker.io.json.Document;
import java.lang.ref.SoftReference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A few large documents that were parsed, such as the consolidated metadata of many arrays, which are read for each of
 * them. Each is used as long as the store states the same tag for its value, and is given up if the heap is needed.
 */
final class ParsedDocuments {
    /** The size in bytes from which on a document is kept. */
    static final long LEAST = 1 << 14;

    private static final int MOST = 4;

    private final Map<String, Parsed> documents = new LinkedHashMap<>();

    private record Parsed(String tag, SoftReference<Document> document) {}

    /** {@return the document of a key, if it was parsed from a value with this tag} */
    synchronized Optional<Document> get(String key, String tag) {
        Parsed parsed = documents.get(key);
        return parsed != null && parsed.tag().equals(tag)
                ? Optional.ofNullable(parsed.document().get())
                : Optional.empty();
    }

    /** Keeps a document instead of an older one of the key, and of the oldest one of another key if there are many. */
    synchronized void keep(String key, String tag, Document document) {
        Document fixed = new Document(document.where(), Collections.unmodifiableMap(document.members()));
        documents.remove(key);
        if (documents.size() == MOST) {
            documents.remove(documents.keySet().iterator().next());
        }
        documents.put(key, new Parsed(tag, new SoftReference<>(fixed)));
    }
}
