package dev.rechunker.io.hdf5.read;

/** A file is used that was closed: nothing is known of what is in it. */
final class ClosedFileException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ClosedFileException(FileBytes file) {
        super(file.name() + " was closed");
    }
}
