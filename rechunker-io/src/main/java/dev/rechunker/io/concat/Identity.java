package dev.rechunker.io.concat;

import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ChunkStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What joined sources are, as a text of a few hundred characters, however many they are: how they are joined, where the
 * first one is, and a hash of the places of all, in order. The same in every process that joins the same sources.
 */
final class Identity {
    private static final int SHOWN = 32;

    private final Join join;
    private final MessageDigest digest = sha256();
    private String first = "";
    private int count;

    Identity(Join join) {
        this.join = join;
    }

    /** Adds a source, whose store is open. */
    void add(Source source, ChunkStore store) {
        String place = store.identity() + "#" + source.path();
        if (count == 0) {
            first = place;
        }
        count++;
        byte[] bytes = place.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8)); // so that no two lists have one text
        digest.update(bytes);
    }

    /** {@return the text, for one call when all are added} */
    String text() {
        return "concat " + (join.fresh() ? "stacked " : "") + "along " + join + " of " + count
                + (count == 1 ? " source, " : " sources, the first ") + first + ", hash "
                + HexFormat.of().formatHex(digest.digest()).substring(0, SHOWN);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
