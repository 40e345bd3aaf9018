package dev.rechunker.io.concat;

import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ChunkStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of joined sources, as a short text: how they are joined, the location of the first one, and a hash of
 * the locations of all, in order. It is the same in every process that joins the same sources.
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

    /** Adds a source whose store is open. */
    void add(Source source, ChunkStore store) {
        String place = store.identity() + "#" + source.path();
        if (count == 0) {
            first = place;
        }
        count++;
        byte[] bytes = place.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":")
                .getBytes(StandardCharsets.UTF_8)); // so that two different lists never have the same text
        digest.update(bytes);
    }

    /** {@return the text} To be called once, after all sources are added. */
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
