package dev.rechunker.io.gcs;

import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.HttpResponseException;
import com.google.auth.Retryable;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;

/** Turns exceptions of Google's client into exceptions of this library. */
final class GcsFailure {
    static final int MISSING = 404;
    static final int PRECONDITION = 412;
    static final int RANGE = 416;

    private static final int BAD_REQUEST = 400;
    private static final Set<Integer> FORBIDDEN = Set.of(401, 403);

    /** Status codes of temporary failures among those of client errors. */
    private static final Set<Integer> TEMPORARY = Set.of(408, 425, 429);

    private GcsFailure() {}

    /** {@return whether a value does not exist, in a bucket that does} */
    static boolean isMissing(HttpResponseException e) {
        return e.getStatusCode() == MISSING && !message(e).contains("bucket does not exist");
    }

    private static String message(HttpResponseException e) {
        boolean hasDetails = e instanceof GoogleJsonResponseException json
                && json.getDetails() != null
                && json.getDetails().getMessage() != null;
        return hasDetails
                ? ((GoogleJsonResponseException) e).getDetails().getMessage()
                : String.valueOf(e.getStatusMessage());
    }

    /** {@return the exception for a request that failed; a StoreException if it will always fail} */
    static IOException of(String name, IOException e, boolean isAnonymous) {
        if (e instanceof StoreException) {
            return e;
        }
        if (Thread.currentThread().isInterrupted()) {
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            return interrupted;
        }
        if (!(e instanceof HttpResponseException response)) {
            boolean isFinal = e instanceof Retryable retryable && !retryable.isRetryable();
            String message = name + ": " + (isFinal ? "the credentials are not accepted: " : "") + e.getMessage();
            return isFinal ? new StoreException(message, e) : new IOException(message, e);
        }
        int status = response.getStatusCode();
        String message = name + ": the server responds with status " + status + " (" + firstLine(message(response))
                + ")" + advice(status, message(response), isAnonymous);
        return status >= 500 || TEMPORARY.contains(status)
                ? new IOException(message, e)
                : new StoreException(message, e);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    private static String advice(int status, String message, boolean isAnonymous) {
        if (status == BAD_REQUEST && message.contains("requester pays")) {
            return "; add ?userProject=NAME to the address to pay for the requests by a project of yours";
        }
        if (!FORBIDDEN.contains(status)) {
            return "";
        }
        return isAnonymous
                ? "; requests without credentials are not permitted, or there is no such object"
                : "; these credentials do not permit it; for public data, add ?anonymous=true to the address";
    }
}
