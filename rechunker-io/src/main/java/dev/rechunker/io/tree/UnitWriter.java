package dev.rechunker.io.tree;

import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes the units of an array. Each unit becomes visible in one step. The documents of the array are written last:
 * they make a new array exist, and an appended array longer.
 */
public abstract class UnitWriter implements ArrayWriter, ArrayWriter.EncodedTarget, ArrayWriter.ChunkTarget {
    private final UnitFiles files;
    private final Publication publication;
    private final boolean updates;

    /** The last step of writing an array, which makes it exist. */
    public interface Publication {
        /** Stores the documents of the array. */
        void publish() throws IOException;
    }

    /**
     * Creates a writer of files, which are closed with it.
     *
     * @param updates whether the array already exists
     */
    protected UnitWriter(UnitFiles files, boolean updates, Publication publication) {
        this.files = files;
        this.updates = updates;
        this.publication = publication;
    }

    @Override
    public final Optional<EncodedTarget> encoded() {
        return Optional.of(this);
    }

    @Override
    public final void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
        files.requireOpen();
        UnitFiles.requireUnit(spec().writeUnits(), unit);
        int mark = scratch.mark();
        try {
            files.copy(files.key(unit), encoded, scratch);
        } finally {
            scratch.release(mark);
        }
    }

    @Override
    public final Optional<ChunkTarget> encodedChunks() {
        return traits().encodedChunks().map(declared -> this);
    }

    @Override
    public final void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        files.requireOpen();
        UnitFiles.requireUnit(spec().writeUnits(), unit);
        String key = files.key(unit);
        int mark = scratch.mark();
        try {
            if (!put(key, unit, chunks, scratch) && updates) {
                files.delete(key);
            }
        } catch (IOException e) {
            throw files.explain(key, e);
        } finally {
            scratch.release(mark);
        }
    }

    /**
     * Writes a unit from its encoded chunks. By default, a unit is one chunk.
     *
     * @return false if there are no chunks, so that nothing was written
     */
    protected boolean put(String key, Region unit, ChunkOpener chunks, Scratch scratch) throws IOException {
        Optional<EncodedUnit> opened = chunks.open(unit, scratch);
        if (opened.isEmpty()) {
            return false;
        }
        try (EncodedUnit encoded = opened.get()) {
            files.copy(key, encoded, scratch);
        }
        return true;
    }

    @Override
    public final void erase(Region unit) throws IOException {
        if (!updates) {
            ArrayWriter.super.erase(unit);
        }
        files.requireOpen();
        UnitFiles.requireUnit(spec().writeUnits(), unit);
        files.delete(files.key(unit));
    }

    @Override
    public final long storedBytesWritten() {
        return files.storedBytes();
    }

    @Override
    public void commit() throws IOException {
        files.requireOpen();
        publication.publish();
    }

    @Override
    public void close() {
        files.close();
    }
}
