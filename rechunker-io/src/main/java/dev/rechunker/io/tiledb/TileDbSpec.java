package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of TileDB for arrays that are written: dense, of one attribute without a name, with regular tiles. */
final class TileDbSpec {
    /** Compressors of other formats, by the one of TileDB that is nearest to each. */
    private static final Map<String, String> NEAREST =
            Map.of("zlib", "gzip", "lz4block", "lz4", "hdf5.lz4", "lz4", "hdf5.shuffle", "shuffle", "snappy", "lz4");

    /** The compressors in Blosc, likewise. */
    private static final Map<String, String> IN_BLOSC =
            Map.of("zstd", "zstd", "zlib", "gzip", "lz4", "lz4", "lz4hc", "lz4", "blosclz", "lz4", "snappy", "lz4");

    private static final long MOST_TILE = Integer.MAX_VALUE - 8;

    private TileDbSpec() {}

    /** {@return the spec of an array of another format without what TileDB never has} */
    static ArraySpec adopt(ArraySpec foreign) {
        int word = foreign.byteOrder() != ByteOrder.nativeOrder()
                ? foreign.dataType().wordSize()
                : 1;
        return foreign.toBuilder()
                .byteOrder(ByteOrder.nativeOrder())
                .fillValue(foreign.fillValue().swapped(word))
                .missingValue(foreign.missingValue().swapped(word))
                .shards(null)
                .chunks(tiles(foreign.chunks().toRegular()))
                .codecs(adopt(foreign.codecs(), foreign))
                .build();
    }

    private static List<CodecSpec> adopt(List<CodecSpec> codecs, ArraySpec foreign) {
        List<CodecSpec> adopted = new ArrayList<>();
        boolean isCompressed = false;
        for (CodecSpec codec : codecs) {
            String name = NEAREST.getOrDefault(codec.name(), codec.name());
            switch (name) {
                case "transpose" -> {
                    if (codec.equals(reversed(foreign.shape().rank()))) {
                        adopted.add(codec);
                    }
                }
                case "shuffle" -> adopted.add(shuffle(foreign));
                case "gzip", "zstd", "bz2", "lz4" -> {
                    adopted.add(Filters.leveled(name, codec.options().get("level")));
                    isCompressed = true;
                }
                case "blosc" -> {
                    if (!"noshuffle".equals(codec.options().get("shuffle"))) {
                        adopted.add(shuffle(foreign));
                    }
                    String inner =
                            IN_BLOSC.getOrDefault(String.valueOf(codec.options().get("cname")), "zstd");
                    adopted.add(Filters.leveled(inner, codec.options().get("clevel")));
                    isCompressed = true;
                }
                default -> {}
            }
        }
        boolean wasCompressed =
                codecs.stream().anyMatch(codec -> !Set.of("transpose", "bytes").contains(codec.name()));
        if (wasCompressed && !isCompressed) {
            adopted.add(Filters.leveled("zstd", null));
        }
        return Filters.isWritten(adopted, foreign) ? adopted : List.of(Filters.leveled("zstd", null));
    }

    private static CodecSpec shuffle(ArraySpec spec) {
        return CodecSpec.of("shuffle")
                .with("elementsize", (long) spec.dataType().wordSize());
    }

    /** {@return the codec that cells in column-major order are} */
    static CodecSpec reversed(int rank) {
        List<Object> order = new ArrayList<>();
        for (long axis = rank - 1L; axis >= 0; axis--) {
            order.add(axis);
        }
        return CodecSpec.of("transpose").with("order", order);
    }

    /** {@return the grid without tiles that are larger than the array, which TileDB does not have} */
    private static ChunkGrid tiles(ChunkGrid grid) {
        return ChunkGrid.of(grid.axes().stream()
                .map(axis -> axis.length() > 0 && axis.step() > axis.length()
                        ? Partition.regular(axis.length(), axis.length())
                        : axis)
                .toList());
    }

    /**
     * {@return the spec of an array as TileDB has it}
     *
     * @param where names the array in messages
     * @throws UnsupportedArrayException if TileDB has no such elements, or no such shape
     * @throws StoreException if it has no such tiles or filters
     */
    static ArraySpec resolve(String where, ArraySpec asked) throws StoreException {
        if (asked.dataType().isVariable() || CellType.of(asked.dataType()).isEmpty()) {
            throw new UnsupportedArrayException(where + " cannot hold elements of type " + asked.dataType()
                    + "; TileDB has booleans, integers, floats of 32 and 64 bits, complex numbers, bytes of fixed length"
                    + " and times in one unit; write .zarr or .h5");
        }
        if (asked.shape().isEmpty()) {
            throw new UnsupportedArrayException(
                    where + " cannot hold an array without elements, " + asked.shape() + "; write .zarr or .h5");
        }
        if (asked.shards().isPresent() || !asked.chunks().isRegular()) {
            throw new StoreException(
                    where + " has tiles of one size and no shards; choose one size for each axis, such as "
                            + asked.chunks().largestChunk());
        }
        ArraySpec wanted = ordered(asked);
        ChunkGrid tiles = tiles(wanted.chunks());
        double bytes =
                (double) tiles.largestChunk().elements() * wanted.dataType().itemSize();
        if (bytes > MOST_TILE) {
            throw new StoreException(where + " would have tiles of " + (long) bytes + " bytes, but at most " + MOST_TILE
                    + " are supported; choose smaller chunks");
        }
        List<CodecSpec> codecs = Filters.complete(wanted.codecs());
        if (!Filters.isWritten(codecs, wanted)) {
            throw new StoreException(where + " cannot have the codecs " + wanted.codecs()
                    + "; TileDB has gzip, zstd, bz2" + " or lz4, with shuffle before it or without, or none");
        }
        requireDomain(where, wanted);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        Map<String, AttributeType> types = new LinkedHashMap<>();
        TileDbAttributes.resolve(wanted.attributes(), wanted.attributeTypes(), attributes, types);
        int size = wanted.dataType().itemSize();
        return ArraySpec.builder(tiles, wanted.dataType())
                .byteOrder(ByteOrder.nativeOrder())
                .fillValue(wanted.fillValue().isDefined() ? wanted.fillValue() : FillValue.zero(size))
                .missingValue(wanted.missingValue())
                .codecs(codecs)
                .dimensionNames(names(wanted))
                .attributes(attributes)
                .attributeTypes(types)
                .hints(tiles.rank() == 0 ? Map.of(ArraySpec.NO_AXES_HINT, "") : Map.of())
                .build();
    }

    private static ArraySpec ordered(ArraySpec asked) {
        int word =
                asked.byteOrder() != ByteOrder.nativeOrder() ? asked.dataType().wordSize() : 1;
        return asked.toBuilder()
                .byteOrder(ByteOrder.nativeOrder())
                .fillValue(asked.fillValue().swapped(word))
                .missingValue(asked.missingValue().swapped(word))
                .build();
    }

    private static void requireDomain(String where, ArraySpec wanted) throws StoreException {
        long[] starts = starts(wanted);
        for (int axis = 0; axis < starts.length; axis++) {
            Partition partition = wanted.chunks().axis(axis);
            try {
                Math.addExact(starts[axis], Math.addExact(partition.length(), partition.step()));
            } catch (ArithmeticException e) {
                throw new StoreException(
                        where + " would have coordinates beyond 2^63 on axis " + axis + ", from " + starts[axis], e);
            }
        }
    }

    /** {@return the first coordinate on each axis, by an attribute of the array; 0 if it has none, or another value} */
    static long[] starts(ArraySpec spec) {
        long[] starts = new long[spec.shape().rank()];
        if (spec.attributes().get(TileDb.DOMAIN_START) instanceof List<?> stated
                && stated.size() == starts.length
                && stated.stream().allMatch(start -> start instanceof Long || start instanceof Integer)) {
            for (int axis = 0; axis < starts.length; axis++) {
                starts[axis] = ((Number) stated.get(axis)).longValue();
            }
        }
        return starts;
    }

    /** {@return the names of axes that TileDB has: no name twice, and none that it gives itself} */
    private static List<@Nullable String> names(ArraySpec wanted) {
        List<@Nullable String> names = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (String name : wanted.dimensionNames()) {
            boolean isPossible = name != null && !name.isEmpty() && !name.startsWith("__") && taken.add(name);
            names.add(isPossible ? name : null);
        }
        return taken.isEmpty() ? List.of() : names;
    }
}
