package dev.rechunker.io.s3;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;

/** Says in our exceptions what went wrong in the SDK. */
final class S3Failure {
    static final int MISSING = 404;
    static final int PRECONDITION = 412;
    static final int RANGE = 416;
    static final int NOT_IMPLEMENTED = 501;

    /** What may pass, though it is the client's fault by its number. */
    private static final Set<Integer> PASSING = Set.of(408, 409, 425, 429);

    private S3Failure() {}

    /** {@return the exception for what failed in spite of the SDK's retries; a StoreException if it always will} */
    static IOException of(String name, SdkException e) {
        if (e instanceof AbortedException || Thread.currentThread().isInterrupted()) {
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            return interrupted;
        }
        if (e instanceof AwsServiceException service) {
            boolean passing = service.statusCode() >= 500 || PASSING.contains(service.statusCode());
            return passing ? new IOException(message(name, service), e) : new StoreException(message(name, service), e);
        }
        String message = String.valueOf(e.getMessage());
        return message.startsWith("Unable to load") || message.contains("checksum")
                ? fatal(name, e)
                : new IOException(name + ": " + message, e);
    }

    /** {@return the exception for what will not get better} */
    static StoreException fatal(String name, SdkException e) {
        return new StoreException(name + ": " + e.getMessage(), e);
    }

    /** {@return whether a server says no with this status} */
    static boolean is(SdkException e, int status) {
        return e instanceof AwsServiceException service && service.statusCode() == status;
    }

    /** {@return whether this was not the answer to the first try} */
    static boolean wasRetried(SdkException e) {
        return e.numAttempts() == null || e.numAttempts() > 1;
    }

    private static String message(String name, AwsServiceException e) {
        String code =
                e.awsErrorDetails() == null ? "" : " (" + e.awsErrorDetails().errorCode() + ")";
        return name + ": the server answers " + e.statusCode() + code
                + (e.statusCode() == 403
                        ? "; it does not allow this with these credentials, or the value is missing and the bucket may"
                                + " not be listed"
                        : "");
    }
}
