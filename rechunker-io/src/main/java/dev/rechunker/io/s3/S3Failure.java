package dev.rechunker.io.s3;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;

/** Turns exceptions of the SDK into exceptions of this library. */
final class S3Failure {
    static final int MISSING = 404;
    static final int PRECONDITION = 412;
    static final int RANGE = 416;
    static final int NOT_IMPLEMENTED = 501;

    /** Status codes of temporary failures among those of client errors. */
    private static final Set<Integer> TEMPORARY = Set.of(408, 409, 425, 429);

    private S3Failure() {}

    /**
     * {@return the exception for a request that failed after the SDK's retries; a StoreException if it will always
     * fail}
     */
    static IOException of(String name, SdkException e) {
        if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            return interrupted;
        }
        if (e instanceof AwsServiceException service) {
            boolean temporary = service.statusCode() >= 500 || TEMPORARY.contains(service.statusCode());
            return temporary
                    ? new IOException(message(name, service), e)
                    : new StoreException(message(name, service), e);
        }
        String message = String.valueOf(e.getMessage());
        return message.startsWith("Unable to load") || message.contains("checksum")
                ? fatal(name, e)
                : new IOException(name + ": " + message, e);
    }

    /** {@return the exception for a request that will always fail} */
    static StoreException fatal(String name, SdkException e) {
        // The SDK repeats what each of its providers says.
        return String.valueOf(e.getMessage()).startsWith("Unable to load credentials")
                ? new StoreException(
                        name + ": no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                                + " or AWS_PROFILE, or add ?anonymous=true to the address of public data")
                : new StoreException(name + ": " + e.getMessage(), e);
    }

    /** {@return whether a server has responded with a status} */
    static boolean is(SdkException e, int status) {
        return e instanceof AwsServiceException service && service.statusCode() == status;
    }

    /** {@return whether the failed request was sent more than once} */
    static boolean wasRetried(SdkException e) {
        return e.numAttempts() == null || e.numAttempts() > 1;
    }

    private static String message(String name, AwsServiceException e) {
        String code =
                e.awsErrorDetails() == null ? "" : " (" + e.awsErrorDetails().errorCode() + ")";
        return name + ": the server responds with status " + e.statusCode() + code
                + (e.statusCode() == 403
                        ? "; these credentials do not permit it, or the object does not exist and they do not permit"
                                + " to list the bucket"
                        : "");
    }
}
