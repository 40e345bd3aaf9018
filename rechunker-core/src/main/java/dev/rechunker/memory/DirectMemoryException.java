package dev.rechunker.memory;

/** Thrown if the JVM does not allow as much direct memory as a plan needs. The message names the setting to change. */
public final class DirectMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public DirectMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
