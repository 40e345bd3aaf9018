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

/** How the write units of an array are put together from parts: shards from chunks, chunks from bands of elements. */
interface UnitForm {
    /** Where a part lies that was left out. */
    long OMITTED = -1;

    /** {@return the form of an array's units, if they can be put together from parts} */
    static Optional<UnitForm> of(StoredArray array) {
        return array.layout().levels().isEmpty() ? ChunkForm.of(array) : Optional.of(new ShardForm(array));
    }

    /** {@return the parts of all units} */
    ChunkGrid grid();

    /** {@return the nominal shape of a unit} */
    Shape unit();

    /** {@return the nominal shape of a part; the last one along an axis of a unit may be smaller} */
    Shape part();

    /** {@return what {@link #encode} needs, what it returns included} */
    Codec.Needs needs();

    /** {@return the bytes that {@link #finish} needs} */
    long headBytes();

    /** {@return where the first part may be put down} */
    long start();

    /** {@return where a part has to be put down, if it is not anywhere behind what was put down before} */
    OptionalLong place(int part);

    /**
     * {@return whether parts that were left out, or hold nothing but the fill value, take no place; if not, they are
     * filled in}
     */
    boolean sparse();

    /** {@return a part as it is stored, in scratch, or the same buffer} */
    ByteBuffer encode(ByteBuffer part, Scratch scratch) throws IOException;

    /**
     * Writes what tells where the parts are.
     *
     * @param places where each part lies, or {@link #OMITTED}
     * @param sizes the size of each as it is stored; none is positive if nothing of it is
     * @param end the byte behind all of them
     * @param head {@link #headBytes} bytes, little-endian
     * @return the size of the unit as it is stored
     */
    long finish(ByteSink sink, long[] places, int[] sizes, long end, ByteBuffer head) throws IOException;
}
