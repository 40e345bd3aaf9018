package dev.rechunker.memory;

/** Says that the JVM does not give the memory that a plan needs, and which setting would change that. */
public final class DirectMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates it. */
    public DirectMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
