package dev.rechunker.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What failures say in the messages of others. */
public final class Failures {
    private Failures() {}

    /**
     * {@return the message of a failure; with the reason, where it is an exception of the file system that says it by
     * its type alone, and with the type, where there is no message}
     */
    public static String reason(Throwable failure) {
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        boolean wordless = failure instanceof FileSystemException e && e.getReason() == null;
        return wordless ? message + ": " + ofType(failure) : message;
    }

    /** {@return the reason, without the name of the file where the file system refuses something} */
    public static String why(IOException failure) {
        if (!(failure instanceof FileSystemException refusal)) {
            return reason(failure);
        }
        return refusal.getReason() == null ? ofType(refusal) : refusal.getReason();
    }

    private static String ofType(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "there is a file or directory already";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a directory";
        }
        return failure instanceof DirectoryNotEmptyException
                ? "the directory is not empty"
                : failure.getClass().getSimpleName();
    }
}
