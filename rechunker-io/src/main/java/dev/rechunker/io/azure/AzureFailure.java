package dev.rechunker.io.azure;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobStorageException;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** Turns exceptions of the Azure SDK into exceptions of this library. */
final class AzureFailure {
    static final String NO_CREDENTIALS =
            "no credentials were found; set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or"
                    + " add ?anonymous=true to the address of public data";

    static final int MISSING = 404;
    static final int RANGE = 416;
    private static final Set<Integer> EXISTS = Set.of(409, 412);
    private static final Set<Integer> FORBIDDEN = Set.of(401, 403);

    /** Status codes of temporary failures among those of client errors. A lease or a snapshot ends. */
    private static final Set<Integer> TEMPORARY = Set.of(408, 409, 412, 425, 429);

    private AzureFailure() {}

    /** {@return whether a blob does not exist, in a container that does} */
    static boolean isMissing(RuntimeException e) {
        return e instanceof BlobStorageException blob
                && blob.getStatusCode() == MISSING
                && !BlobErrorCode.CONTAINER_NOT_FOUND.equals(blob.getErrorCode());
    }

    static boolean isRange(RuntimeException e) {
        return e instanceof BlobStorageException blob && blob.getStatusCode() == RANGE;
    }

    /** {@return whether a request was refused because the blob exists} */
    static boolean exists(RuntimeException e) {
        return e instanceof BlobStorageException blob && EXISTS.contains(blob.getStatusCode());
    }

    /** {@return the exception for a request that failed; a StoreException if it will always fail} */
    static IOException of(String name, RuntimeException e, boolean isAnonymous) {
        if (e instanceof BlobStorageException blob) {
            return of(name, blob, isAnonymous);
        }
        IOException broken = null;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
                Thread.currentThread().interrupt();
                InterruptedIOException interrupted = new InterruptedIOException("interrupted");
                interrupted.initCause(e);
                return interrupted;
            }
            if (cause instanceof ClientAuthenticationException) {
                // The SDK describes each of the ways in which it has tried to find credentials.
                return new StoreException(name + ": " + NO_CREDENTIALS + ", or log in with \"az login\"");
            }
            if (cause instanceof IOException || cause instanceof TimeoutException) {
                broken = new IOException(name + ": " + cause.getMessage(), e);
            }
        }
        return broken == null ? new StoreException(name + ": " + e.getMessage(), e) : broken;
    }

    private static IOException of(String name, BlobStorageException e, boolean isAnonymous) {
        int status = e.getStatusCode();
        BlobErrorCode code = e.getErrorCode();
        String advice = "";
        if (FORBIDDEN.contains(status)) {
            advice = isAnonymous
                    ? "; requests without credentials are not permitted, or there is no such blob"
                    : "; these credentials do not permit it; for public data, add ?anonymous=true to the address";
        }
        String message =
                name + ": the server responds with status " + status + (code == null ? "" : " (" + code + ")") + advice;
        boolean isTemporary = status >= 500
                || TEMPORARY.contains(status)
                || BlobErrorCode.INVALID_BLOCK_LIST.equals(code) // another writer has removed the blocks
                || BlobErrorCode.MD5MISMATCH.equals(code);
        return isTemporary ? new IOException(message, e) : new StoreException(message, e);
    }
}
