package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The continuation tokens of a listing in pages. A server that gives tokens in a cycle is refused: the listing would
 * never end.
 *
 * <p>A cycle is detected by Brent's algorithm. Only one token is remembered, that of the last page whose number was a
 * power of two: at some time it is on the cycle, and the cycle is shorter than the distance to the next power of two.
 */
public final class Continuation {
    private final String store;
    private @Nullable String token;
    private @Nullable String remembered;
    private long pages;

    /**
     * Starts at the first page.
     *
     * @param store what is listed, for the message
     */
    public Continuation(String store) {
        this.store = store;
    }

    /** {@return the token of the next page; null for the first page, and after the last one} */
    public @Nullable String token() {
        return token;
    }

    /**
     * Moves on after a page.
     *
     * @param next the token that the page names; null if it is the last one
     */
    public void follow(@Nullable String next) throws StoreException {
        if (next != null && next.equals(remembered)) {
            throw new StoreException(
                    store + ": the server returned a listing that never ends: it repeats a NextContinuationToken");
        }
        pages++;
        if (Long.bitCount(pages) == 1) {
            remembered = next;
        }
        token = next;
    }
}
