package dev.rechunker.io.file;

/** Thrown when a file is read after it was closed. It tells nothing about the contents of the file. */
public final class ClosedFileException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** Creates an exception for a file. */
    public ClosedFileException(FileBytes file) {
        super(file.name() + " was closed");
    }
}
