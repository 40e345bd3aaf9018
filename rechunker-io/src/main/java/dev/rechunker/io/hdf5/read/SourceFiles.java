package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.file.FileBytes;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that the virtual datasets of a file refer to, which are opened once. Not thread-safe.
 *
 * <p>Files have no open handles, so that there can be many.
 */
final class SourceFiles {
    /** The number of virtual datasets that can be the source of each other. */
    private static final int DEEPEST = 8;

    /** The number of datasets and files that one virtual dataset can refer to, directly and through others. */
    private static final int MOST = 1 << 16;

    private final SourceFile own;
    private final int depth;
    private final int[] opened;
    private final Map<String, Optional<SourceFile>> files = new HashMap<>();

    /** A file, and what finds its objects. */
    record SourceFile(FileMetadata file, ObjectFinder hierarchy) {}

    private SourceFiles(SourceFile own, int depth, int[] opened) {
        this.own = own;
        this.depth = depth;
        this.opened = opened;
    }

    /** {@return the files for the virtual datasets of a file} */
    static SourceFiles of(FileMetadata file, ObjectFinder hierarchy) {
        return new SourceFiles(new SourceFile(file, hierarchy), 0, new int[1]);
    }

    /** {@return the file of the virtual datasets} */
    FileMetadata own() {
        return own.file;
    }

    /** {@return the files for the virtual datasets of a source file} */
    SourceFiles below(SourceFile file) throws StoreException {
        if (depth == DEEPEST) {
            throw new StoreException("it is a virtual dataset of others that are virtual, more than " + DEEPEST
                    + " in a row, which is not supported");
        }
        return new SourceFiles(file, depth + 1, opened);
    }

    /** Counts a dataset or file that is opened. */
    void count() throws StoreException {
        if (++opened[0] > MOST) {
            throw new StoreException("it refers to more than " + MOST + " other datasets, which is not supported");
        }
    }

    /** {@return a file by its name in a mapping; empty if it does not exist} */
    Optional<SourceFile> find(String name) throws IOException {
        if (name.equals(VirtualMapping.SAME_FILE)) {
            return Optional.of(own);
        }
        Optional<SourceFile> known = files.get(name);
        if (known == null) {
            count();
            Optional<FileBytes> bytes = own.file.file().beside(name);
            known = bytes.isEmpty() ? Optional.empty() : Optional.of(open(bytes.get()));
            files.put(name, known);
        }
        return known;
    }

    private static SourceFile open(FileBytes bytes) throws IOException {
        FileMetadata file = FileMetadata.open(bytes);
        return new SourceFile(file, new ObjectFinder(file));
    }
}
