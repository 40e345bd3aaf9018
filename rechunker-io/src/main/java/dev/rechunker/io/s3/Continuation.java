package dev.rechunker.io.s3;

import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/**
 * How a listing goes on after a page. A server that does not say how, or leads around in a circle, is refused: what it
 * has not shown would be missed, or never be found.
 *
 * <p>Of all tokens one is remembered, that of the page whose number was the last power of two (Brent's algorithm): in
 * the end it is on the circle, and the circle shorter than the way to the next power.
 */
final class Continuation {
    private final String store;
    private @Nullable String token;
    private @Nullable String remembered;
    private long pages;

    /** Begins with the first page. */
    Continuation(String store) {
        this.store = store;
    }

    /** {@return what to ask for the next page with, null for the first page and after the last one} */
    @Nullable
    String token() {
        return token;
    }

    /** Goes on after a page. */
    void follow(ListObjectsV2Response page) throws StoreException {
        if (!Boolean.TRUE.equals(page.isTruncated())) {
            token = null;
            return;
        }
        String next = page.nextContinuationToken();
        if (next == null || next.isEmpty()) {
            throw new StoreException(store + ": the server answers with a part of a listing (IsTruncated), but not how"
                    + " it goes on (no NextContinuationToken)");
        }
        if (next.equals(remembered)) {
            throw new StoreException(store + ": the server answers with a listing that never ends: it repeats a"
                    + " NextContinuationToken");
        }
        pages++;
        if (Long.bitCount(pages) == 1) {
            remembered = next;
        }
        token = next;
    }
}
