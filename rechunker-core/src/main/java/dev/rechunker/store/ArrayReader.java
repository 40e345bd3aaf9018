package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A reader of one array. Any number of threads may read at once, each with its own buffer and {@link Scratch}.
 *
 * <p>Apart from what it takes from the scratch and declares in {@link #traits()}, a reader holds no data: it has no
 * cache and does not read ahead.
 */
public interface ArrayReader extends Closeable {
    /** {@return the array's spec} */
    ArraySpec spec();

    /** {@return how it reads, and the memory that it needs; constant} */
    ReadTraits traits();

    /**
     * Reads a region into {@code target}, dense and in C order, in the byte order of the spec.
     *
     * <p>With {@link ReadTraits.Granularity#CHUNK} and {@link ReadTraits.Granularity#STREAM} the region is exactly one
     * chunk of {@code spec().chunks()}, clipped at the array's ends; with {@link ReadTraits.Granularity#BYTES} it is
     * any part of one such chunk. The remaining bytes of the buffer take the region's elements or, with
     * {@link ReadTraits#paddedEdges()}, those of a chunk of nominal shape; elements outside the array then have any
     * value. The final position of {@code target} is not defined.
     *
     * @return false if the chunk was never written; the content of {@code target} is then not defined
     * @throws IOException if the storage fails; another try may succeed
     * @throws StoreException if what is stored cannot be decoded
     */
    boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException;

    /**
     * Decodes a chunk, or a stretch of it, front to back and passes it on run by run, with
     * {@link ReadTraits.Granularity#STREAM} only. The runs are, in C order, what lies in the chunk from the region's
     * first element to its last; with {@link ReadTraits#paddedEdges()} in a chunk of nominal shape.
     *
     * @param region a chunk's region, clipped at the array's ends; or, if {@link ReadTraits#blockBytes()} is not 0, a
     *     stretch of it: one element on the first axes, some on the next, the chunk's extent on the others
     * @return false if the chunk was never written; nothing is passed on then
     * @throws IOException if the storage fails; another try may succeed
     * @throws StoreException if what is stored cannot be decoded; runs may have been passed on before
     */
    default boolean stream(Region region, RunSink sink, Scratch scratch) throws IOException {
        throw new UnsupportedOperationException("this store reads whole chunks");
    }

    /**
     * {@return the ability to read write units without decoding them, if the reader has it}
     *
     * @throws IOException if what the answer depends on cannot be read; another try may succeed
     */
    default Optional<EncodedSource> encoded() throws IOException {
        return Optional.empty();
    }

    /**
     * {@return the ability to read single chunks without decoding them, if the reader has it}
     *
     * @throws IOException if what the answer depends on cannot be read; another try may succeed
     */
    default Optional<EncodedChunks> encodedChunks() throws IOException {
        return Optional.empty();
    }

    /** {@return the bytes read from storage until now, as they are stored; -1 if they are not counted} */
    default long storedBytesRead() {
        return -1;
    }

    /**
     * {@return the size of all chunks as they are stored, as far as it is known at little cost; empty if it is not} By
     * default it is known if elements are stored as they are.
     *
     * @param most the most chunks or shards that are looked up, at least 1; each may take a request
     * @throws IOException if the storage fails
     */
    default Optional<StoredSize> storedSize(long most) throws IOException {
        return traits().granularity() == ReadTraits.Granularity.BYTES
                ? Optional.of(new StoredSize(spec().bytes(), false))
                : Optional.empty();
    }

    /** Takes the elements of a chunk, or of a stretch of it, run by run, in C order. */
    interface RunSink {
        /**
         * Takes the next elements.
         *
         * @param run whole elements from position to limit, valid until this method returns; no more than are left
         */
        void accept(ByteBuffer run) throws IOException;
    }

    /**
     * The size of the chunks or shards of an array as they are stored, without metadata.
     *
     * @param bytes the size
     * @param isEstimate whether it was computed from some of the chunks, or for a part of an array from the whole
     */
    record StoredSize(long bytes, boolean isEstimate) {
        /** {@return an estimate of the size of a part of the array, which has this share of the elements} */
        public StoredSize part(double share) {
            return share == 1 ? this : new StoredSize(Math.round(bytes * share), true);
        }
    }

    /** The ability of a reader to read write units as they are stored, without decoding them. */
    interface EncodedSource {
        /**
         * {@return what identifies the encoding of whole write units}
         *
         * <p>A writer with an equal {@link WriteTraits.EncodedTraits#identity()} and the same grid stores units of the
         * same bytes, so they can be copied without decoding.
         */
        String encodingIdentity() throws IOException;

        /** {@return the stored bytes of the write unit with this region, or empty if it was never written} */
        Optional<EncodedUnit> openEncoded(Region unit) throws IOException;
    }

    /**
     * The ability of a reader to read chunks as they are encoded, without decoding them: those that are stored one by
     * one, and those in shards, without the index of the shard or the header of a block.
     */
    interface EncodedChunks {
        /**
         * {@return what identifies the encoding of chunks, except for the fill value}
         *
         * <p>The chunks of a writer with an equal identity in {@link WriteTraits#encodedChunks()} are of the same bytes
         * if they have the same elements, whichever format and shard they are in. Where the array ends, these are the
         * bytes of a chunk of nominal shape, if the identity says the shape.
         */
        String chunkEncoding() throws IOException;

        /** {@return the most that a chunk takes from its scratch, from {@link #openChunk} until it is closed} */
        default long chunkScratchBytes() throws IOException {
            return 0;
        }

        /** {@return the most that a thread uses outside of its buffers for chunks, in addition to that for reading} */
        default long chunkNativeBytes() throws IOException {
            return 0;
        }

        /**
         * {@return the encoded bytes of a chunk, or empty if it was never written}
         *
         * @param chunk the region of one of {@code spec().chunks()}, clipped at the array's ends
         * @param scratch the working memory of the calling thread, which the caller releases after the chunk is closed
         */
        Optional<EncodedUnit> openChunk(Region chunk, Scratch scratch) throws IOException;
    }
}
