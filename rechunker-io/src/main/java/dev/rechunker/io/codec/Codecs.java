package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes chains of codecs from their descriptions: the door of this room.
 *
 * <p>Names and options are those of the Zarr v3 registry and of numcodecs. {@code lz4block} is the LZ4 of N5, which
 * neither of them has.
 *
 * <p>Filters that only HDF5 has are not among {@link #names}, as nothing but HDF5 could read them. They are asked for
 * as {@code hdf5.lzf}, {@code hdf5.lz4}, {@code hdf5.bitshuffle}, {@code hdf5.scaleoffset}, {@code hdf5.shuffle} and
 * {@code hdf5.fletcher32}, and but for the last two only decode.
 */
public final class Codecs {
    private Codecs() {}

    /** {@return what there is to know of a codec; empty if there is none of this name} */
    public static Optional<CodecInfo> find(String name) {
        return Optional.ofNullable(CodecTable.byName().get(name));
    }

    /** {@return all codecs} */
    public static Collection<CodecInfo> all() {
        return CodecTable.byName().values();
    }

    /** {@return the names of all codecs but those that only HDF5 has, in alphabetical order} */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        all().stream().filter(codec -> !codec.isOnlyInHdf5()).forEach(codec -> names.add(codec.name()));
        return names;
    }

    /** {@return whether {@link #names} has a codec; {@link #chain} may still refuse its options} */
    public static boolean isSupported(String name) {
        return find(name).filter(codec -> !codec.isOnlyInHdf5()).isPresent();
    }

    /**
     * {@return the steps from elements to stored bytes, first to last} Steps that change nothing are left out.
     *
     * @param context what the chunks decode to
     * @throws CodecException if a codec, one of its options, or its place in the chain is not supported, or the library
     *     that it takes is not on the class path; the message names it
     */
    public static CodecChain chain(List<CodecSpec> specs, ElementContext context) throws CodecException {
        ChainBuilder builder = new ChainBuilder(context);
        try {
            for (CodecSpec spec : specs) {
                builder.add(spec);
            }
            return builder.build();
        } catch (CodecException | RuntimeException e) {
            builder.close();
            throw e;
        }
    }

    /**
     * {@return the steps of chunks that are of different sizes, as {@link #chain} makes them: at most one, a
     * compressor}
     *
     * @param largest what the largest chunk decodes to; what the chain declares holds for smaller ones too
     * @throws CodecException besides, if there are other steps
     */
    public static CodecChain chainUpTo(List<CodecSpec> specs, ElementContext largest) throws CodecException {
        CodecChain chain = chain(specs, largest);
        try {
            return chain.upTo();
        } catch (CodecException e) {
            chain.close();
            throw e;
        }
    }

    /**
     * {@return the axes that a step {@code transpose} takes in turn}
     *
     * @throws CodecException if its settings are not a permutation of so many axes
     */
    public static int[] transposeOrder(CodecSpec transpose, int rank) throws CodecException {
        return TransposeCodec.order(new CodecOptions(transpose), rank);
    }

    static CodecException unknown(String name) {
        return new CodecException(
                "codec \"" + name + "\" is not supported; supported are " + String.join(", ", names()));
    }
}
