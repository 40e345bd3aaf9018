package dev.rechunker.io.s3;

import dev.rechunker.store.StoreException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/**
 * The continuation tokens of a listing in pages. A server that gives no token, or gives tokens in a cycle, is refused:
 * the listing would be incomplete, or would never end.
 *
 * <p>A cycle is detected by Brent's algorithm. Only one token is remembered, that of the last page whose number was a
 * power of two: at some time it is on the cycle, and the cycle is shorter than the distance to the next power of two.
 */
final class Continuation {
    private final String store;
    private @Nullable String token;
    private @Nullable String remembered;
    private long pages;

    /** Starts at the first page. */
    Continuation(String store) {
        this.store = store;
    }

    /** {@return the token of the next page; null for the first page, and after the last one} */
    @Nullable
    String token() {
        return token;
    }

    /** Moves on after a page. */
    void follow(ListObjectsV2Response page) throws StoreException {
        if (!Boolean.TRUE.equals(page.isTruncated())) {
            token = null;
            return;
        }
        String next = page.nextContinuationToken();
        if (next == null || next.isEmpty()) {
            throw new StoreException(store + ": the server returned an incomplete listing (IsTruncated) without a"
                    + " NextContinuationToken to get the rest");
        }
        if (next.equals(remembered)) {
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
