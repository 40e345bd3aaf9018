package dev.rechunker.io.cog;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The arrays that are images of TIFF, and the arrays of Zarr that have their tiles until the file is made. */
final class CogSpec {
    /** The attribute of an array of Zarr that has the codecs of the tiles in the file, as JSON. */
    private static final String CODECS = "rechunker.tiff.codecs";

    /** The hint that an array is an image of TIFF. */
    static final String FORMAT = "cog";

    private static final int TILE = 16;
    private static final int MOST_BANDS = 0xffff;
    private static final Set<String> NUMBERS = Set.of("scale_factor", "add_offset", GeoReference.EPSG);

    private CogSpec() {}

    /** {@return an array of another format, in tiles that TIFF can have} */
    static ArraySpec adopt(ArraySpec foreign) {
        int rank = foreign.shape().rank();
        ArraySpec.Builder adopted = foreign.toBuilder()
                .shards(null)
                .codecs(TileFormat.adopted(foreign))
                .unlimitedAxes(Set.of());
        if (rank < 2 || rank > 3 || foreign.shape().isEmpty()) {
            return adopted.build(); // resolve refuses it
        }
        List<Partition> axes = new ArrayList<>(foreign.chunks().toRegular().axes());
        if (rank == 3) {
            axes.set(0, whole(axes.get(0)));
        }
        axes.set(rank - 2, tiled(axes.get(rank - 2)));
        axes.set(rank - 1, tiled(axes.get(rank - 1)));
        return adopted.chunks(ChunkGrid.of(axes)).build();
    }

    private static Partition whole(Partition axis) {
        return Partition.regular(axis.length(), axis.length());
    }

    private static Partition tiled(Partition axis) {
        long step = (axis.step() + TILE - 1) / TILE * TILE;
        return Partition.regular(axis.length(), step);
    }

    /** {@return the image that the file will have} */
    static ArraySpec resolve(String store, ArraySpec wanted) throws StoreException {
        requireType(store, wanted.dataType());
        int rank = wanted.shape().rank();
        if (rank < 2 || rank > 3) {
            throw new StoreException(
                    "an image of TIFF has rows, columns and perhaps bands before them, but this array has " + rank
                            + " axes: " + wanted.shape()
                            + "; select one index of the others, such as --select time=0 --squeeze");
        }
        Shape shape = wanted.shape();
        if (shape.isEmpty()
                || shape.extent(rank - 1) > Integer.MAX_VALUE
                || shape.extent(rank - 2) > Integer.MAX_VALUE) {
            throw new StoreException(
                    "an image of TIFF has 1 to " + Integer.MAX_VALUE + " rows and columns, not " + shape);
        }
        long bands = rank == 3 ? shape.extent(0) : 1;
        if (rank == 3 && (bands == 1 || bands > MOST_BANDS)) {
            throw new StoreException(
                    "the first axis of " + shape + " has the bands of an image, of which there are 2 to " + MOST_BANDS
                            + (bands == 1 ? "; leave out an axis of one element with --squeeze" : ""));
        }
        requireTiles(wanted, rank, bands);
        TileFormat format = TileFormat.of(store, wanted.codecs(), wanted.dataType(), (int) bands);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        wanted.attributes().forEach((name, value) -> {
            boolean fits = NUMBERS.contains(name) ? value instanceof Number : value instanceof String;
            if (fits || isOfBands(name, value, bands)) {
                attributes.put(name, value);
            }
        });
        boolean isComplex = wanted.dataType().kind() == DataType.Kind.COMPLEX;
        FillValue zero = FillValue.zero(wanted.dataType().itemSize());
        return ArraySpec.builder(wanted.chunks(), wanted.dataType())
                .byteOrder(wanted.byteOrder())
                .fillValue(wanted.fillValue().isDefined() ? wanted.fillValue() : zero)
                .missingValue(isComplex ? FillValue.UNDEFINED : wanted.missingValue())
                .codecs(format.codecs())
                .dimensionNames(rank == 3 ? List.of("band", "y", "x") : List.of("y", "x"))
                .attributes(attributes)
                .build();
    }

    /** {@return whether an attribute has a text for each band} */
    static boolean isOfBands(String name, @Nullable Object value, long bands) {
        return name.startsWith("band_")
                && value instanceof List<?> texts
                && texts.size() == bands
                && texts.stream().allMatch(String.class::isInstance);
    }

    private static void requireType(String store, DataType type) throws StoreException {
        boolean isNumber = switch (type.kind()) {
            case INT, UINT, FLOAT, COMPLEX -> true;
            default -> false;
        };
        if (!isNumber) {
            throw new UnsupportedArrayException(store + " cannot store " + type.name()
                    + "; images of TIFF have integers, floats or complex numbers");
        }
    }

    private static void requireTiles(ArraySpec wanted, int rank, long bands) throws StoreException {
        ChunkGrid chunks = wanted.chunks();
        boolean isWhole = wanted.shards().isEmpty() && chunks.isRegular();
        for (int axis = rank - 2; axis < rank && isWhole; axis++) {
            isWhole = chunks.axis(axis).step() % TILE == 0;
        }
        if (!isWhole || (rank == 3 && chunks.axis(0).step() != bands)) {
            throw new StoreException("the chunks " + chunks.chunkText()
                    + " cannot be tiles of TIFF, which have multiples of 16 rows and columns, and all bands; ask for chunks"
                    + " such as " + (rank == 3 ? "-1,512,512" : "512,512") + ", without shards");
        }
        long bytes = Math.multiplyExact(
                chunks.chunkShape().elements(), (long) wanted.dataType().itemSize());
        if (bytes > Integer.MAX_VALUE / 4) {
            throw new StoreException("the tiles " + chunks.chunkText() + " have " + bytes + " bytes, but at most "
                    + Integer.MAX_VALUE / 4 + " are supported; ask for smaller ones");
        }
    }

    /** {@return the array of Zarr with the tiles of an image} */
    static ArraySpec stored(String store, ArraySpec image) throws StoreException {
        List<CodecSpec> codecs = new ArrayList<>();
        if (image.shape().rank() == 3) {
            codecs.add(CodecSpec.of("transpose").with("order", List.of(1L, 2L, 0L)));
        }
        codecs.addAll(format(store, image).stored());
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(image.attributes());
        List<Object> named = new ArrayList<>();
        for (CodecSpec codec : image.codecs()) {
            named.add(Map.of("name", codec.name(), "options", codec.options()));
        }
        attributes.put(CODECS, Json.compact(named));
        return image.toBuilder().codecs(codecs).attributes(attributes).build();
    }

    static TileFormat format(String store, ArraySpec image) throws StoreException {
        int bands = image.shape().rank() == 3 ? (int) image.shape().extent(0) : 1;
        return TileFormat.of(store, image.codecs(), image.dataType(), bands);
    }

    /** {@return the image whose tiles an array of Zarr has} */
    static ArraySpec image(String store, ArraySpec stored) throws StoreException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(stored.attributes());
        if (!(attributes.remove(CODECS) instanceof String codecs)) {
            throw new StoreException(store + " has an array that is not an image");
        }
        return resolve(
                store,
                stored.toBuilder()
                        .codecs(codecs(store, codecs))
                        .attributes(attributes)
                        .build());
    }

    private static List<CodecSpec> codecs(String store, String json) throws StoreException {
        List<CodecSpec> codecs = new ArrayList<>();
        if (JsonParser.value(store, json) instanceof List<?> list) {
            for (Object item : list) {
                if (item instanceof Map<?, ?> codec && codec.get("options") instanceof Map<?, ?> options) {
                    Map<String, @Nullable Object> named = new LinkedHashMap<>();
                    options.forEach((name, value) -> named.put(String.valueOf(name), value));
                    codecs.add(new CodecSpec(String.valueOf(codec.get("name")), named));
                }
            }
        }
        return codecs;
    }
}
