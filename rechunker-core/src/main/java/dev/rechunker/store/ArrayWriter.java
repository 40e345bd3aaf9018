package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes one array, each write unit once.
 *
 * <p>If the store's {@link Capabilities#concurrentWriters()}, any number of threads may write different units at once,
 * each with its own buffer and {@link Scratch}; else by any thread, but one at a time. Writing the same unit again with
 * the same data is legal and changes nothing: that is how a task is repeated.
 */
public interface ArrayWriter extends Closeable {
    /** {@return the array's spec, as {@link ChunkStore#resolve} made it} */
    ArraySpec spec();

    /** {@return how it writes, and the memory it needs; constant} */
    WriteTraits traits();

    /**
     * Writes one unit of {@code spec().writeUnits()}.
     *
     * @param unit the unit's region, clipped at the array's ends
     * @param data its elements from position to limit, dense, in C order and the byte order of the spec; of the unit's
     *     nominal shape if {@link WriteTraits#paddedEdges()}, else of the region's. May be moved, is not changed
     * @throws IOException if the storage fails; trying again may help
     */
    void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException;

    /**
     * Writes one part of a unit, in place of {@link #write}: the unit is there when each of its parts was written or
     * {@link #omitPart omitted}. Any number of threads may write parts of one unit at once. Until then, a part may be
     * written again, or at last if it was omitted.
     *
     * @param part the region of one of {@code traits().parts()}, clipped at the array's ends
     * @param data its elements from position to limit, dense, in C order and the byte order of the spec, never padded.
     *     May be moved, is not changed
     * @throws UnsupportedOperationException if units cannot be put together from parts
     */
    default void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
        throw new UnsupportedOperationException("write units of this store are written whole");
    }

    /**
     * Leaves out a part that holds nothing but what reads where nothing was written. A unit whose parts are all left
     * out is not written.
     *
     * @throws UnsupportedOperationException if units cannot be put together from parts
     */
    default void omitPart(Region part, Scratch scratch) throws IOException {
        throw new UnsupportedOperationException("write units of this store are written whole");
    }

    /**
     * Has on the device what was written of units that lack parts. Called only if the store was made durable.
     *
     * @throws UnsupportedOperationException if units cannot be put together from parts
     */
    default void forceParts() throws IOException {
        throw new UnsupportedOperationException("write units of this store are written whole");
    }

    /**
     * Makes a unit one that was never written. Only a writer that {@link Updatable#update} returned does that.
     *
     * @param unit the unit's region, clipped at the array's ends
     */
    default void erase(Region unit) throws IOException {
        throw new UnsupportedOperationException("units of a new array are not erased");
    }

    /**
     * Makes the array exist: everything that readers need is stored when this returns. Called after the last write,
     * once; or again if it failed.
     */
    void commit() throws IOException;

    /** {@return what identifies the encoding of write units, or empty; see {@link ArrayReader#encodingIdentity()}} */
    default Optional<String> encodingIdentity() {
        return Optional.empty();
    }

    /**
     * Writes one unit from its encoded bytes.
     *
     * @throws UnsupportedOperationException if there is no {@link #encodingIdentity()}
     */
    default void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException {
        throw new UnsupportedOperationException("encoded units cannot be written to this store");
    }

    /** {@return the bytes written to storage by now, as they are stored; -1 if they are not counted} */
    default long storedBytesWritten() {
        return -1;
    }

    /** Returns what it holds. Without {@link #commit()} before, the array does not come into being. */
    @Override
    void close() throws IOException;
}
