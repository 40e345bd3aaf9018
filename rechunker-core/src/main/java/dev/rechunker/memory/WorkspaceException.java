package dev.rechunker.memory;

/** Says that the JVM does not give the memory that a plan needs, and which setting would change that. */
public final class WorkspaceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkspaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
