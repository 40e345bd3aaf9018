package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.Failures;
import java.nio.ByteOrder;
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
    private static final Set<String> NAMES = Set.of(
            "adler32",
            "astype",
            "bitround",
            "blosc",
            "bytes",
            "bz2",
            "crc32",
            "crc32c",
            "delta",
            "fixedscaleoffset",
            "gzip",
            "lz4",
            "lz4block",
            "lzma",
            "packbits",
            "quantize",
            "shuffle",
            "transpose",
            "zlib",
            "zstd");

    private Codecs() {}

    /** {@return the names of all codecs, in alphabetical order} */
    public static Set<String> names() {
        return new TreeSet<>(NAMES);
    }

    /** {@return whether {@link #chain} knows a codec of this name; it may still refuse its options} */
    public static boolean isSupported(String name) {
        return NAMES.contains(name);
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
                builder.add(spec.name(), spec);
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
        return TransposeCodec.order(new Options(transpose.name(), transpose), rank);
    }

    static CodecException unknown(String name) {
        return new CodecException(
                "codec \"" + name + "\" is not supported; supported are " + String.join(", ", names()));
    }

    /** Checks that the library of LZ4 is there, which does without native code where it has to. */
    static void requireLz4(String codec) throws CodecException {
        requireLibrary(codec, "net.jpountz.lz4.LZ4Factory", "at.yawk.lz4:lz4-java");
    }

    /** Checks that the library of Zstandard is there, and loads it. */
    static void requireZstd(String codec) throws CodecException {
        requireNative(codec, "com.github.luben.zstd.Zstd", "com.github.luben:zstd-jni");
    }

    /**
     * Checks that a library is there that is native code, and loads it: it unpacks this code into the directory of
     * temporary files, where it may be that nothing can be made or executed.
     *
     * @param codec who asks
     * @param className a class of the library that loads the native code as it is initialized
     * @param artifact what to add to the class path
     */
    static void requireNative(String codec, String className, String artifact) throws CodecException {
        requireLibrary(codec, className, artifact);
        try {
            Class.forName(className, true, Codecs.class.getClassLoader());
        } catch (VirtualMachineError e) {
            throw e;
        } catch (ClassNotFoundException | Error e) { // libraries have errors of their own for it
            throw new CodecException(
                    "codec \"" + codec + "\": its native library cannot be loaded from java.io.tmpdir ("
                            + System.getProperty("java.io.tmpdir") + "): " + rootReason(e)
                            + "; let -Djava.io.tmpdir name a directory that exists and may execute",
                    e);
        }
    }

    private static String rootReason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        // What has failed before is told in the words of the virtual machine.
        return Failures.reason(root).replaceFirst("^Exception [\\w.]+: (.*) \\[in thread \".*\"]$", "$1");
    }

    /**
     * Checks that an optional library is there.
     *
     * @param codec who asks
     * @param className a class of the library
     * @param artifact what to add to the class path
     */
    static void requireLibrary(String codec, String className, String artifact) throws CodecException {
        try {
            Class.forName(className, false, Codecs.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new CodecException("codec \"" + codec + "\": add " + artifact + " to the class path", e);
        }
    }

    /** {@return a data type as a type of numbers, if it is one} */
    static Optional<NumberType> numberType(DataType type, ByteOrder order) {
        return switch (type.kind()) {
            case BOOL -> Optional.of(new NumberType(NumberType.Kind.BOOL, 1, order));
            case INT -> Optional.of(new NumberType(NumberType.Kind.INT, type.itemSize(), order));
            case UINT -> Optional.of(new NumberType(NumberType.Kind.UINT, type.itemSize(), order));
            case FLOAT -> Optional.of(new NumberType(NumberType.Kind.FLOAT, type.itemSize(), order));
            default -> Optional.empty();
        };
    }
}
