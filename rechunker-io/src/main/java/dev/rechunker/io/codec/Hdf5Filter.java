package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.function.UnaryOperator;

/**
 * A filter of HDF5.
 *
 * @param id the registered number
 * @param name the name in HDF5
 * @param reading creates the codec that decodes chunks
 */
public record Hdf5Filter(int id, String name, Reading reading) {
    /** Interprets the client data of a filter in a file. */
    public interface Reading {
        /**
         * {@return the codec for the chunks of a dataset}
         *
         * @param data the client data, whose last values can be missing
         * @param itemSize the size of an element of the dataset in bytes
         * @throws CodecException if the client data is not supported
         */
        Decoding of(int[] data, int itemSize) throws CodecException;
    }

    /**
     * The codec of filtered chunks.
     *
     * @param codec the codec in specs
     * @param step the codec that decodes
     */
    public record Decoding(CodecSpec codec, CodecSpec step) {
        /** {@return the same codec for both} */
        static Decoding of(CodecSpec codec) {
            return new Decoding(codec, codec);
        }

        /** {@return a codec that only HDF5 has; in specs it has the same options, but no prefix} */
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
