package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A writer of one array, which writes each write unit once. A write unit is a shard, or a chunk if there are no shards.
 *
 * <p>With {@link Capabilities#concurrentWriters()} any number of threads may write different units at once, each with
 * its own buffer and {@link Scratch}; otherwise any thread may write, but one at a time. Writing the same unit again
 * with the same data is allowed and changes nothing, so that a task can be repeated.
 */
public interface ArrayWriter extends Closeable {
    /** {@return the array's spec, as {@link ChunkStore#resolve} returned it} */
    ArraySpec spec();

    /** {@return how it writes, and the memory that it needs; constant} */
    WriteTraits traits();

    /**
     * Writes one unit of {@code spec().writeUnits()}.
     *
     * @param unit the unit's region, clipped at the array's ends
     * @param data its elements from position to limit, without gaps, in C order and the byte order of the spec. They
     *     have the shape of the region or, with {@link WriteTraits#paddedEdges()}, of a full unit, even if the unit
     *     crosses the array's end. The position may be moved; the content is not changed
     * @param scratch the working memory of the calling thread
     * @throws IOException if the storage fails; the call may be repeated
     */
    void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException;

    /**
     * Removes a unit, as if it had never been written. Only a writer that {@link Updatable#update} returned supports
     * this.
     *
     * @param unit the unit's region, clipped at the array's ends
     */
    default void erase(Region unit) throws IOException {
        throw new UnsupportedOperationException("units of a new array cannot be erased");
    }

    /**
     * Makes the array exist: everything that readers need is stored when this returns. Called once, after the last
     * write; again only if it failed.
     */
    void commit() throws IOException;

    /** {@return the ability to assemble units from parts, if {@link WriteTraits#parts()} declares it; constant} */
    default Optional<PartTarget> parts() {
        return Optional.empty();
    }

    /** {@return the ability to write encoded units, if {@link WriteTraits#encoded()} declares it; constant} */
    default Optional<EncodedTarget> encoded() {
        return Optional.empty();
    }

    /**
     * {@return the ability to write units from encoded chunks, if {@link WriteTraits#encodedChunks()} declares it;
     * constant}
     */
    default Optional<ChunkTarget> encodedChunks() {
        return Optional.empty();
    }

    /** {@return the number of bytes written to storage so far, encoded; -1 if they are not counted} */
    default long storedBytesWritten() {
        return -1;
    }

    /** Closes the writer. Without {@link #commit()} before, the array does not come into existence. */
    @Override
    void close() throws IOException;

    /**
     * The ability of a writer to assemble write units from parts that arrive in any order.
     *
     * <p>A unit is written once each of its parts was written or omitted. Until then, a part may be written again, or
     * written after it was omitted. Any number of threads may write parts of one unit at once.
     */
    interface PartTarget {
        /**
         * Writes one part of a unit.
         *
         * @param part the region of one of the {@linkplain WriteTraits.PartTraits#grid() parts}, clipped at the array's
         *     ends
         * @param data its elements from position to limit, without gaps, in C order and the byte order of the spec,
         *     never padded. The position may be moved; the content is not changed
         */
        void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException;

        /**
         * Omits a part of which all elements are the value that readers see where nothing was written, usually the fill
         * value. A unit is not written if all its parts are omitted.
         */
        void omitPart(Region part, Scratch scratch) throws IOException;

        /** Makes the parts of incomplete units durable. Called only if the store was made durable. */
        void forceParts() throws IOException;
    }

    /** The ability of a writer to write units that are encoded already. */
    interface EncodedTarget {
        /**
         * Writes one unit from its encoded bytes.
         *
         * @param unit the unit's region, clipped at the array's ends
         * @param encoded from a reader whose {@link ArrayReader.EncodedSource#encodingIdentity()} equals the
         *     {@link WriteTraits.EncodedTraits#identity()} of this writer
         */
        void writeEncoded(Region unit, EncodedUnit encoded, Scratch scratch) throws IOException;
    }

    /** The ability of a writer to put chunks that are encoded already into write units. */
    interface ChunkTarget {
        /**
         * Writes one unit from its encoded chunks, which it opens in C order. A unit without chunks is not written, and
         * erased if the array existed before.
         *
         * @param unit the unit's region, clipped at the array's ends
         * @param chunks opens chunks of a reader whose {@link ArrayReader.EncodedChunks#chunkEncoding()} equals the
         *     {@link WriteTraits.EncodedTraits#identity()} of this writer
         */
        void writeChunks(Region unit, ChunkOpener chunks, Scratch scratch) throws IOException;
    }

    /** Opens the encoded chunks of a write unit. */
    @FunctionalInterface
    interface ChunkOpener {
        /**
         * {@return an encoded chunk, which the caller closes before it opens the next; empty if there is none}
         *
         * @param chunk the region of one of {@code spec().chunks()}, clipped at the array's ends
         * @param scratch takes what the chunk needs while it is open; the caller releases it after that
         */
        Optional<EncodedUnit> open(Region chunk, Scratch scratch) throws IOException;
    }
}
