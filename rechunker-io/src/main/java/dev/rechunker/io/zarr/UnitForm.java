package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.codec.Codec;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** The assembly of write units from parts: shards from chunks, or chunks from bands of elements. */
interface UnitForm {
    /** The position of a part that was left out. */
    long OMITTED = -1;

    /** {@return the form of an array's units; empty if they cannot be assembled from parts, or differ in shape} */
    static Optional<UnitForm> of(StoredArray array) {
        if (!array.layout().spec().writeUnits().isRegular()) {
            return Optional.empty();
        }
        return array.layout().levels().isEmpty() ? ChunkForm.of(array) : Optional.of(new ShardForm(array));
    }

    /** {@return the grid of the parts of all units} */
    ChunkGrid grid();

    /** {@return the nominal shape of a unit} */
    Shape unit();

    /** {@return the nominal shape of a part; the last one along an axis of a unit may be smaller} */
    Shape part();

    /** {@return the memory that {@link #encode} needs, including its result} */
    Codec.Needs needs();

    /** {@return the size of {@code head} in {@link #finish}, in bytes} */
    long headBytes();

    /** {@return the lowest position of a part} */
    long start();

    /**
     * {@return the position of a part; empty if parts have no fixed positions and are appended in the order in which
     * they are written}
     */
    OptionalLong fixedPosition(int part);

    /**
     * {@return whether parts that were left out, or have only fill values, take no bytes; otherwise they are written}
     */
    boolean omitsEmptyParts();

    /** {@return an encoded part, in scratch memory or in the given buffer} */
    ByteBuffer encode(ByteBuffer part, Scratch scratch) throws IOException;

    /**
     * Writes the index of the parts.
     *
     * @param positions the position of each part, or {@link #OMITTED}
     * @param sizes the stored size of each part; not positive for a part without bytes
     * @param end the position after the last part
     * @param head a little-endian buffer of {@link #headBytes} bytes
     * @return the stored size of the unit
     */
    long finish(ByteSink sink, long[] positions, int[] sizes, long end, ByteBuffer head) throws IOException;
}
