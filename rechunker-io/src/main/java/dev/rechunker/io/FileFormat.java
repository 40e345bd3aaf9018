package dev.rechunker.io;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A format of single files, which are read wherever they are and written on this machine.
 *
 * @param otherEndings how files of this format may end that others have written
 * @param signature what a file has by which it is recognised, for messages
 * @param fileCheck recognises a file
 * @param valueCheck recognises a value of a key store
 * @param opener opens a file
 * @param valueOpener opens a file that is a value of a key store
 * @param creator creates a file
 */
record FileFormat(
        String kind,
        String title,
        List<String> endings,
        List<String> otherEndings,
        List<String> versions,
        String signature,
        FileCheck fileCheck,
        ValueCheck valueCheck,
        FileOpener opener,
        ValueOpener valueOpener,
        FileCreator creator)
        implements StoreFormat {
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
        ChunkStore create(Path file);
    }

    /** Opens a value of a key store, which is closed with it. */
    interface ValueOpener {
        ChunkStore open(KeyStore keys, String key) throws IOException;
    }

    @Override
    public boolean isFile() {
        return true;
    }

    /** {@return whether a name is one that files of this format have} */
    boolean isCalled(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return Stream.concat(endings.stream(), otherEndings.stream()).anyMatch(lower::endsWith);
    }

    @Override
    public ChunkStore create(Path file) {
        return creator.create(file);
    }

    @Override
    public ChunkStore create(String place) throws IOException {
        if (Stores.isUri(place)) {
            throw new StoreException(title + " is written to files on this machine only");
        }
        return create(Path.of(place));
    }

    /** Creates a file; of its versions a spec has one in its hints. */
    @Override
    public ChunkStore create(String place, String version) throws IOException {
        if (!versions.contains(version)) {
            throw new IllegalArgumentException(title + " has no version \"" + version + "\"; it has " + versions);
        }
        return create(place);
    }
}
