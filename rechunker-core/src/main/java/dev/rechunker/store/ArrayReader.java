package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads one array. Any number of threads may read at once, each with its own buffer and {@link Scratch}.
 *
 * <p>Besides what it takes from the scratch, a reader holds no data: not a cache, not a read-ahead.
 */
public interface ArrayReader extends Closeable {
    /** {@return the array's spec} */
    ArraySpec spec();

    /** {@return how it reads, and the memory it needs; constant} */
    ReadTraits traits();

    /**
     * Reads a region into {@code target}, dense and in C order, in the byte order of the spec.
     *
     * <p>Which regions: with {@link ReadTraits.Granularity#CHUNK} and {@link ReadTraits.Granularity#STREAM} exactly one
     * chunk of {@code spec().chunks()}, clipped at the array's ends; with {@link ReadTraits.Granularity#BYTES} any part
     * of one such chunk. The buffer's remaining bytes are the region's elements, or those of a whole chunk of nominal
     * shape if {@link ReadTraits#paddedEdges()}: then what lies outside the array is of any value. The position of
     * {@code target} may be anywhere afterwards.
     *
     * @return false if the chunk was never written, and then {@code target} is of any content
     * @throws IOException if the storage fails; trying again may help
     * @throws StoreException if what is stored cannot be decoded
     */
    boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException;

    /**
     * Decodes one chunk front to back, or a stretch of it, with {@link ReadTraits.Granularity#STREAM} only, and hands
     * over run by run, in C order, what lies in the chunk from the region's first element to its last: in a chunk of
     * nominal shape if {@link ReadTraits#paddedEdges()}.
     *
     * @param region a chunk's region, clipped at the array's ends; or a part of it, if {@link ReadTraits#blockBytes()}
     *     is not 0: one element on the first axes, some on the next, the chunk's extent on the others
     * @return false if the chunk was never written, and then nothing is handed over
     * @throws IOException if the storage fails; trying again may help
     * @throws StoreException if what is stored cannot be decoded; runs may have been handed over before
     */
    default boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        throw new UnsupportedOperationException("chunks are read whole from this store");
    }

    /**
     * {@return what identifies the encoding of whole write units, or empty if they cannot be copied without decoding}
     *
     * <p>If a writer with an equal identity has the same grid, {@link #openEncoded} gives what it stores.
     */
    default Optional<String> encodingIdentity() {
        return Optional.empty();
    }

    /**
     * {@return the encoded bytes of the write unit that covers {@code unit}, or empty if it was never written}
     *
     * @throws UnsupportedOperationException if there is no {@link #encodingIdentity()}
     */
    default Optional<EncodedUnit> openEncoded(Region unit) throws IOException {
        throw new UnsupportedOperationException("encoded units cannot be read from this store");
    }

    /** {@return the bytes read from storage by now, as they are stored; -1 if they are not counted} */
    default long storedBytesRead() {
        return -1;
    }
}
