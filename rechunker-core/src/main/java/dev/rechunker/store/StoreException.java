package dev.rechunker.store;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if what is stored is corrupt, not understood, or in the way, so that another try would not help. The message
 * names store, array and, if there is one, chunk, and may end with advice. A long message is shortened in the middle,
 * and what may be secret in locations is replaced ({@link StoreLocation#withoutSecrets}).
 */
public class StoreException extends IOException implements Advised {
    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 1200;
    private static final int HEAD = 800;
    private static final int TAIL = 300;

    private final String problem;
    private final ImmutableList<Advice> advice; // a serializable list

    /** Creates an exception with what is wrong and what would help. */
    public StoreException(String problem, Advice... advice) {
        this(problem, null, List.of(advice));
    }

    /** Creates an exception with what is wrong, its cause, and what would help. */
    public StoreException(String problem, @Nullable Throwable cause, Advice... advice) {
        this(problem, cause, List.of(advice));
    }

    /** Creates an exception with what is wrong, its cause, and what would help. */
    public StoreException(String problem, @Nullable Throwable cause, List<Advice> advice) {
        super(Secrets.hide(Advice.message(shortened(problem), advice)), cause);
        this.problem = Secrets.hide(shortened(problem));
        this.advice = ImmutableList.copyOf(advice);
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST
                ? message
                : message.substring(0, HEAD) + " ... " + message.substring(message.length() - TAIL);
    }

    /**
     * {@return the message of a failure, for use in another message}
     *
     * <p>Some exceptions of the file system have only the name of the file as their message, and state the reason by
     * their type; the reason is then added in words. A failure without a message is described by its type. If memory
     * has run out, the setting of the JVM that allows more is named.
     */
    public static String reason(Throwable failure) {
        if (failure instanceof OutOfMemoryError exhausted) {
            return reasonOfMemory(String.valueOf(exhausted.getMessage()));
        }
        String message = failure.getMessage();
        if (failure instanceof IndexOutOfBoundsException || failure instanceof BufferUnderflowException) {
            return "a position outside of the data was used" + (message == null ? "" : " (" + message + ")");
        }
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        boolean lacksReason = failure instanceof FileSystemException e && e.getReason() == null;
        return lacksReason ? message + ": " + reasonOfType(failure) : message;
    }

    /**
     * {@return the message of a failure for use in another message; of an exception of the file system the reason only,
     * without the name of the file}
     */
    public static String reasonWithoutFile(IOException failure) {
        if (!(failure instanceof FileSystemException refusal)) {
            return reason(failure);
        }
        return refusal.getReason() == null ? reasonOfType(refusal) : refusal.getReason();
    }

    /** {@return what memory the JVM has run out of, and the setting that allows more} */
    private static String reasonOfMemory(String message) {
        if (message.contains("direct")) {
            return "this JVM has too little direct memory (" + message + "); allow more with -XX:MaxDirectMemorySize";
        }
        boolean ofHeap = message.contains("heap") || message.contains("GC overhead") || message.contains("array size");
        return ofHeap || message.equals("null")
                ? "the heap of this JVM is too small (" + message + "); allow more with -Xmx"
                : message;
    }

    private static String reasonOfType(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "a file or directory exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a directory";
        }
        return failure instanceof DirectoryNotEmptyException
                ? "the directory is not empty"
                : failure.getClass().getSimpleName();
    }

    @Override
    public final String problem() {
        return problem;
    }

    @Override
    public final List<Advice> advice() {
        return advice;
    }
}
