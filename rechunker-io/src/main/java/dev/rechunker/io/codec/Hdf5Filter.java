package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.function.UnaryOperator;

/**
 * A filter of HDF5.
 *
 * @param id its registered number
 * @param name what HDF5 calls it
 * @param reading how chunks that went through it are decoded
 */
public record Hdf5Filter(int id, String name, Reading reading) {
    /** Understands the client data that a file states for a filter. */
    public interface Reading {
        /**
         * {@return how a dataset's chunks are decoded}
         *
         * @param data the client data, of which the last values may be missing
         * @param itemSize the bytes of an element of the dataset
         * @throws CodecException if they mean nothing that is supported
         */
        Decoding of(int[] data, int itemSize) throws CodecException;
    }

    /**
     * How chunks are decoded that went through a filter.
     *
     * @param codec what the filter is to other formats
     * @param step the step of a chain that decodes
     */
    public record Decoding(CodecSpec codec, CodecSpec step) {
        /** {@return the same codec for both} */
        static Decoding of(CodecSpec codec) {
            return new Decoding(codec, codec);
        }

        /** {@return a codec that only HDF5 has: to other formats it has the same settings, and no prefix} */
        static Decoding own(String name, UnaryOperator<CodecSpec> settings) {
            return new Decoding(settings.apply(CodecSpec.of(name)), settings.apply(CodecSpec.of("hdf5." + name)));
        }
    }

    /** {@return a value of client data} */
    static int get(int[] data, int index, int absent) {
        return index < data.length ? data[index] : absent;
    }

    /** {@return a value of client data, or the nearest one in a range} */
    static long get(int[] data, int index, int absent, int least, int most) {
        return Math.min(most, Math.max(least, get(data, index, absent)));
    }
}
