package dev.rechunker.io.hdf5.read;

/** Thrown when a file is read after it was closed. It tells nothing about the contents of the file. */
final class ClosedFileException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ClosedFileException(FileBytes file) {
        super(file.name() + " was closed");
    }
}
