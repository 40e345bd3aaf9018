package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.codec.ElementContext;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filter pipeline of a dataset that is written: shuffle, deflate and a checksum, each optional, in this order.
 *
 * @param shuffle the size of the shuffled elements in bytes, or 0 for no shuffle
 * @param level the level of deflate, 0 to 9, or -1 for no deflate
 * @param checksum whether a Fletcher-32 checksum follows
 */
public record FilterPipeline(int shuffle, int level, boolean checksum) {
    /** A pipeline without filters. */
    public static final FilterPipeline NONE = new FilterPipeline(0, -1, false);

    private static final int DEFAULT_LEVEL = 4;
    private static final int ZLIB_DEFAULT_LEVEL = 6;
    private static final Set<String> DEFLATE = Set.of("gzip", "zlib", "deflate");

    private enum Filter {
        SHUFFLE,
        DEFLATE,
        FLETCHER32
    }

    /**
     * {@return the pipeline for codecs}
     *
     * @param where names the array in messages
     * @throws StoreException if a codec cannot be written to HDF5, has an unsupported option, or is at the wrong
     *     position
     */
    public static FilterPipeline of(String where, List<CodecSpec> codecs, int itemSize) throws StoreException {
        FilterPipeline filters = NONE;
        Filter last = null;
        for (CodecSpec codec : codecs) {
            Filter filter = filter(codec.name());
            if (filter == null) {
                throw new StoreException(where + " asks for codec \"" + codec.name()
                        + "\", which is not written to HDF5; it takes shuffle, gzip and fletcher32");
            }
            if (last != null && filter.compareTo(last) <= 0) {
                throw new StoreException(where + " asks for codecs " + codecs
                        + "; HDF5 takes each of shuffle, gzip and fletcher32 at most once, in this order");
            }
            last = filter;
            filters = switch (filter) {
                case SHUFFLE -> {
                    requireOptions(where, codec, Set.of("elementsize"));
                    yield new FilterPipeline(integer(where, codec, "elementsize", itemSize, 1, itemSize), -1, false);
                }
                case DEFLATE -> new FilterPipeline(filters.shuffle, level(where, codec), false);
                case FLETCHER32 -> {
                    requireOptions(where, codec, Set.of());
                    yield new FilterPipeline(filters.shuffle, filters.level, true);
                }
            };
        }
        return filters;
    }

    private static @Nullable Filter filter(String name) {
        if (DEFLATE.contains(name)) {
            return Filter.DEFLATE;
        }
        return switch (name) {
            case "shuffle" -> Filter.SHUFFLE;
            case "fletcher32" -> Filter.FLETCHER32;
            default -> null;
        };
    }

    private static int level(String where, CodecSpec codec) throws StoreException {
        requireOptions(where, codec, Set.of("level", "useZlib"));
        int level = integer(where, codec, "level", DEFAULT_LEVEL, -1, 9);
        return level < 0 ? ZLIB_DEFAULT_LEVEL : level;
    }

    private static int integer(String where, CodecSpec codec, String option, int absent, int least, int most)
            throws StoreException {
        Object value = codec.options().get(option);
        if (value == null) {
            return absent;
        }
        if (value instanceof Number number
                && number.doubleValue() == number.intValue()
                && number.intValue() >= least
                && number.intValue() <= most) {
            return number.intValue();
        }
        throw new StoreException(where + " asks for codec " + codec + ", but HDF5 accepts " + option + " only from "
                + least + " to " + most);
    }

    private static void requireOptions(String where, CodecSpec codec, Set<String> known) throws StoreException {
        for (String option : codec.options().keySet()) {
            if (!known.contains(option)) {
                throw new StoreException(where + " asks for codec " + codec + ", but this codec has no option " + option
                        + " in HDF5; leave it out");
            }
        }
    }

    /**
     * {@return codecs for HDF5 that replace those of another format}
     *
     * <p>Codecs that change the order of elements or bytes are dropped. gzip keeps its level. Other compressors are
     * replaced by shuffle and gzip.
     */
    public static List<CodecSpec> adopt(List<CodecSpec> foreign, int itemSize) {
        List<CodecSpec> kept = new ArrayList<>();
        boolean compressed = false;
        for (CodecSpec codec : foreign) {
            Filter filter = filter(codec.name());
            if (filter != null) {
                kept.add(codec);
            } else {
                compressed |= isCompressor(codec.name());
            }
        }
        if (!compressed) {
            try {
                of("", kept, itemSize);
                return kept;
            } catch (StoreException e) {
                compressed = kept.stream().anyMatch(codec -> DEFLATE.contains(codec.name()));
            }
        }
        return compressed ? new FilterPipeline(itemSize > 1 ? itemSize : 0, DEFAULT_LEVEL, false).codecs() : List.of();
    }

    /** {@return whether a codec compresses; unknown codecs are assumed to compress} */
    private static boolean isCompressor(String name) {
        return Codecs.find(name)
                .map(codec -> codec.kind() == CodecInfo.Kind.COMPRESSOR)
                .orElse(true);
    }

    public boolean isEmpty() {
        return equals(NONE);
    }

    /** {@return the filters as codecs, with all options} */
    public List<CodecSpec> codecs() {
        List<CodecSpec> codecs = new ArrayList<>();
        if (shuffle > 0) {
            codecs.add(CodecSpec.of("shuffle").with("elementsize", (long) shuffle));
        }
        if (level >= 0) {
            codecs.add(CodecSpec.of("gzip").with("level", (long) level));
        }
        if (checksum) {
            codecs.add(CodecSpec.of("fletcher32"));
        }
        return codecs;
    }

    /** {@return the chain that encodes the chunks of an array} */
    public CodecChain chain(ArraySpec array) throws StoreException {
        List<CodecSpec> codecs = new ArrayList<>();
        if (shuffle > 1) {
            codecs.add(CodecSpec.of("hdf5.shuffle").with("elementsize", (long) shuffle));
        }
        if (level >= 0) {
            codecs.add(new CodecSpec("zlib", Map.of("level", (long) level)));
        }
        if (checksum) {
            codecs.add(CodecSpec.of("hdf5.fletcher32"));
        }
        return Codecs.chain(
                codecs,
                new ElementContext(
                        array.dataType(), array.byteOrder(), array.chunks().chunkShape()));
    }

    /** {@return what identifies the encoding of an array's chunks, in whichever format they are stored} */
    public String chunkEncoding(ArraySpec array) throws StoreException {
        try (CodecChain chain = chain(array)) {
            return chain.chunkEncoding(array);
        }
    }

    /**
     * {@return a text that identifies the encoding of an array's chunks, and the fill value for chunks that were not
     * written}
     */
    public String identity(ArraySpec array) throws StoreException {
        try (CodecChain chain = chain(array)) {
            byte[] fill = array.fillValue().element(array.dataType().itemSize());
            return "hdf5 " + chain.identity() + " fill " + HexFormat.of().formatHex(fill);
        }
    }
}
