package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import io.tiledb.java.api.BitShuffleFilter;
import io.tiledb.java.api.ByteShuffleFilter;
import io.tiledb.java.api.Bzip2Filter;
import io.tiledb.java.api.CompressionFilter;
import io.tiledb.java.api.Filter;
import io.tiledb.java.api.FilterList;
import io.tiledb.java.api.GzipFilter;
import io.tiledb.java.api.LZ4Filter;
import io.tiledb.java.api.NoneFilter;
import io.tiledb.java.api.TileDBError;
import io.tiledb.java.api.ZstdFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filters of an attribute that mean the same as codecs.
 *
 * @param codecs the codecs, in the order of encoding
 * @param others the names of filters that mean nothing elsewhere, as they are only how TileDB stores values
 */
record Filters(List<CodecSpec> codecs, List<String> others) {
    private static final Map<String, Long> USUAL_LEVELS = Map.of("gzip", 6L, "zstd", 3L, "bz2", 9L);
    private static final Map<String, Long> MOST_LEVELS = Map.of("gzip", 9L, "zstd", 22L, "bz2", 9L);

    /** {@return the filters of an attribute with elements of a type} */
    static Filters parse(FilterList list, DataType elements) throws TileDBError {
        List<CodecSpec> codecs = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (long i = 0; i < list.getNumFilters(); i++) {
            Filter known;
            try {
                known = list.getFilter(i);
            } catch (TileDBError | IllegalArgumentException e) { // of a newer version, or only in other languages
                others.add("number " + (i + 1));
                continue;
            }
            try (Filter filter = known) {
                if (filter instanceof GzipFilter gzip) {
                    codecs.add(leveled("gzip", gzip));
                } else if (filter instanceof ZstdFilter zstd) {
                    codecs.add(leveled("zstd", zstd));
                } else if (filter instanceof Bzip2Filter bzip2) {
                    codecs.add(leveled("bz2", bzip2));
                } else if (filter instanceof LZ4Filter) {
                    codecs.add(CodecSpec.of("lz4"));
                } else if (filter instanceof ByteShuffleFilter) {
                    codecs.add(CodecSpec.of("shuffle").with("elementsize", (long) elements.wordSize()));
                } else if (!(filter instanceof NoneFilter)) {
                    others.add(filter instanceof BitShuffleFilter ? "bit shuffle" : name(filter));
                }
            }
        }
        return new Filters(List.copyOf(codecs), List.copyOf(others));
    }

    private static CodecSpec leveled(String name, CompressionFilter filter) throws TileDBError {
        long level = filter.getLevel();
        return leveled(name, level < 0 ? null : level);
    }

    /** {@return a compressor with its level, or with the usual one of TileDB if none is stated} */
    static CodecSpec leveled(String name, @Nullable Object level) {
        if (name.equals("lz4")) {
            return CodecSpec.of(name);
        }
        long usual = Objects.requireNonNull(USUAL_LEVELS.get(name));
        return CodecSpec.of(name).with("level", level instanceof Number number ? number.longValue() : usual);
    }

    /** {@return codecs with levels where none are stated} */
    static List<CodecSpec> complete(List<CodecSpec> codecs) {
        return codecs.stream()
                .map(codec -> {
                    boolean isPlain = codec.options().isEmpty()
                            || codec.options().keySet().equals(Set.of("level"));
                    boolean isLeveled = USUAL_LEVELS.containsKey(codec.name());
                    return isPlain && isLeveled
                            ? leveled(codec.name(), codec.options().get("level"))
                            : codec;
                })
                .toList();
    }

    /** {@return whether an array is written with codecs: cells in reverse order of axes, a shuffle, a compressor} */
    static boolean isWritten(List<CodecSpec> codecs, ArraySpec spec) {
        List<CodecSpec> rest = new ArrayList<>(codecs);
        if (!rest.isEmpty()
                && rest.get(0).equals(TileDbSpec.reversed(spec.shape().rank()))
                && spec.shape().rank() > 1) {
            rest.remove(0);
        }
        CodecSpec shuffle = CodecSpec.of("shuffle")
                .with("elementsize", (long) spec.dataType().wordSize());
        if (!rest.isEmpty() && rest.get(0).equals(shuffle)) {
            rest.remove(0);
        }
        if (rest.size() == 1) {
            CodecSpec last = rest.get(0);
            Object level = last.options().get("level");
            Long most = MOST_LEVELS.get(last.name());
            boolean isLevel = level instanceof Long number && most != null && number >= 1 && number <= most;
            return last.equals(CodecSpec.of("lz4"))
                    || (isLevel && last.options().size() == 1);
        }
        return rest.isEmpty();
    }

    /** {@return the filters of an attribute, which the caller closes} */
    static FilterList create(Native context, List<CodecSpec> codecs) throws TileDBError {
        FilterList list = new FilterList(context);
        for (CodecSpec codec : codecs) {
            int level = codec.options().get("level") instanceof Long number ? number.intValue() : -1;
            Optional<Filter> filter = switch (codec.name()) {
                case "shuffle" -> Optional.of(new ByteShuffleFilter(context));
                case "gzip" -> Optional.of(new GzipFilter(context, level));
                case "zstd" -> Optional.of(new ZstdFilter(context, level));
                case "bz2" -> Optional.of(new Bzip2Filter(context, level));
                case "lz4" -> Optional.of(new LZ4Filter(context));
                default -> Optional.empty();
            };
            if (filter.isPresent()) {
                try (Filter added = filter.get()) {
                    list.addFilter(added);
                }
            }
        }
        return list;
    }

    /** {@return the name of a filter: {@code DoubleDeltaFilter} is {@code double delta}} */
    private static String name(Filter filter) {
        return filter.getClass()
                .getSimpleName()
                .replaceFirst("Filter$", "")
                .replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
