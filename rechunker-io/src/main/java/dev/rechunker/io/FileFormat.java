package dev.rechunker.io;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A format whose stores are single files. They are read from any place, and written on this machine only.
 *
 * @param otherEndings endings of the names of files that other programs write
 * @param signature what files are recognised by; empty if files of this format are opened by another format
 * @param opener opens a file
 * @param followingOpener opens a file that may name files outside of its directory
 * @param valueOpener opens a file that is a value of a key store
 * @param creator creates a file
 */
record FileFormat(
        String kind,
        String title,
        List<String> endings,
        List<String> otherEndings,
        List<String> versions,
        Optional<Signature> signature,
        FileOpener opener,
        FileOpener followingOpener,
        ValueOpener valueOpener,
        FileCreator creator)
        implements StoreFormat {
    /**
     * The bytes by which a file is recognised.
     *
     * @param description what they are, for messages
     * @param fileCheck recognises a file
     * @param valueCheck recognises a value of a key store
     */
    record Signature(String description, FileCheck fileCheck, ValueCheck valueCheck) {}

    /** Recognises a file. */
    interface FileCheck {
        boolean isIn(Path file) throws IOException;
    }

    /** Recognises a value of a key store. */
    interface ValueCheck {
        boolean isIn(ByteSource value) throws IOException;
    }

    /** Opens a file. */
    interface FileOpener {
        ChunkStore open(Path file) throws IOException;
    }

    /** Creates a file; nothing is written yet. */
    interface FileCreator {
        /**
         * {@return a store that writes the file}
         *
         * @param version one of the versions of the format
         */
        ChunkStore create(Path file, String version);
    }

    /** Opens a value of a key store. The opened store closes the key store when it is closed. */
    interface ValueOpener {
        ChunkStore open(KeyStore keys, String key) throws IOException;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public boolean isFile(String place) {
        return true;
    }

    /** {@return whether a name ends like those of files of this format} */
    boolean hasEnding(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return Stream.concat(endings.stream(), otherEndings.stream()).anyMatch(lower::endsWith);
    }

    @Override
    public ChunkStore create(Path file) {
        return creator.create(file, versions.isEmpty() ? "" : versions.get(0));
    }

    @Override
    public ChunkStore create(String place) throws IOException {
        return create(path(place));
    }

    /** Creates a file; in HDF5, the version of each array is selected by the hints of its spec. */
    @Override
    public ChunkStore create(String place, String version) throws IOException {
        if (!versions.contains(version)) {
            throw new IllegalArgumentException(title + " has no version \"" + version + "\"; it has " + versions);
        }
        return creator.create(path(place), version);
    }

    private Path path(String place) throws StoreException {
        if (Stores.isUri(place)) {
            throw new StoreException(title + " is written to files on this machine only; write to a path");
        }
        return Path.of(place);
    }
}
