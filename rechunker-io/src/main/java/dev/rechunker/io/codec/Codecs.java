package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Creates chains of codecs from specs. This class is the entry point of the package.
 *
 * <p>Names and options are those of the Zarr v3 registry and of numcodecs. {@code lz4block} is the LZ4 of N5, which is
 * in neither of them, and {@code zarr3.packbits} is that of the registry.
 *
 * <p>Codecs whose names start with {@code imagecodecs_} are those of references to TIFF files. They are not in
 * {@link #names} either, and only decode.
 *
 * <p>Filters that only HDF5 has are not in {@link #names}, because other formats cannot store them. Their names are
 * {@code hdf5.lzf}, {@code hdf5.lz4}, {@code hdf5.bitshuffle}, {@code hdf5.scaleoffset}, {@code hdf5.szip},
 * {@code hdf5.nbit}, {@code hdf5.shuffle} and {@code hdf5.fletcher32}. Only the last two can encode.
 */
public final class Codecs {
    private Codecs() {}

    /** {@return the description of a codec; empty if there is no codec with this name} */
    public static Optional<CodecInfo> find(String name) {
        return Optional.ofNullable(CodecTable.byName().get(name));
    }

    /** {@return the description of the codec of Zarr 3 with a name in documents; empty if there is none} */
    public static Optional<CodecInfo> findInZarr3(String name) {
        return all().stream()
                .filter(codec -> codec.isInZarr3() && codec.zarr3Name().equals(name))
                .findFirst();
    }

    /** {@return all codecs} */
    public static Collection<CodecInfo> all() {
        return CodecTable.byName().values();
    }

    /** {@return the names of all codecs except those that only HDF5 has, in alphabetical order} */
    public static Set<String> names() {
        Set<String> names = new TreeSet<>();
        all().stream().filter(CodecInfo::isSupported).forEach(codec -> names.add(codec.name()));
        return names;
    }

    /** {@return whether {@link #names} contains a name; {@link #chain} can still refuse options} */
    public static boolean isSupported(String name) {
        return find(name).filter(CodecInfo::isSupported).isPresent();
    }

    /**
     * {@return a chain of codecs, from elements to stored bytes} Codecs that change nothing are left out.
     *
     * @param context the type, byte order and shape of decoded chunks
     * @throws CodecException if a codec, an option or the position of a codec in the chain is not supported, or a
     *     library is not on the class path; the message names it
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
     * {@return a chain like that of {@link #chain} for chunks of different sizes, which has at most one step, a
     * compressor}
     *
     * @param largest the type, byte order and shape of the largest chunk; sizes and memory of the chain are those for
     *     it
     * @throws CodecException in the cases of {@link #chain}, and if there are other steps
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
     * {@return the order of axes of a codec {@code transpose}}
     *
     * @throws CodecException if the order is not a permutation of {@code rank} axes
     */
    public static int[] transposeOrder(CodecSpec transpose, int rank) throws CodecException {
        return TransposeCodec.order(new CodecOptions(transpose), rank);
    }

    /** {@return the name of the codec that elements of a type of variable length are encoded with} */
    public static String variableLength(DataType type) {
        return VariableLengthCodec.name(type);
    }

    /**
     * {@return the bytes that Zstandard frames decode to, as a stream that closes that of the frames}
     *
     * @throws CodecException if the library is not on the class path
     */
    public static InputStream decompressZstd(InputStream frames) throws IOException {
        Library.ZSTD.require("zstd");
        return ZstdInput.open(frames);
    }

    static CodecException unknown(String name) {
        return new CodecException("codec \"" + name + "\" is not supported; supported are " + String.join(", ", names())
                + (name.startsWith("imagecodecs_")
                        ? "; if this is a reference to a TIFF file, open that file instead"
                        : ""));
    }
}
