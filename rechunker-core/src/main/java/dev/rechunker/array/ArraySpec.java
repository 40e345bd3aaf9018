package dev.rechunker.array;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The complete description of an array without its elements: shape, chunks, type, codecs, attributes and so on.
 * Immutable; {@link #toBuilder()} makes a changed copy.
 *
 * <p>Attributes and codec settings are plain data: strings, numbers, booleans, nulls, lists and maps with string keys.
 */
public final class ArraySpec {
    /** The hint that selects one of the formats that a store can write. */
    public static final String FORMAT_HINT = "format";

    /**
     * The hint that gives names to values of an integer type (an enumeration): a JSON object of names and integers. Not
     * every format keeps it.
     */
    public static final String NAMES_HINT = "names";

    /**
     * The first characters of hints that say more of the elements than {@link #dataType} does, such as
     * {@link #TYPE_NAME_HINT}. Not every format keeps them.
     */
    public static final String TYPE_HINTS = "type.";

    /**
     * The hint with the encoding of text of a fixed number of bytes, such as {@code utf-8}, in formats that state it.
     */
    public static final String ENCODING_HINT = TYPE_HINTS + "encoding";

    /**
     * The hint with the name of the type of the elements, in formats that have named types: a path relative to the
     * group of the array, such as {@code ../surface_t}.
     */
    public static final String TYPE_NAME_HINT = TYPE_HINTS + "name";

    /**
     * The hint that netCDF does not fill elements that are never written ({@code NC_NOFILL}). Its value does not
     * matter.
     */
    public static final String NO_FILL_HINT = TYPE_HINTS + "no-fill";

    /**
     * The hint that the format stores irregular chunks of the array, not only because it is a part of another array or
     * consists of several. Copies that keep chunks then keep each of them. Its value does not matter.
     */
    public static final String IRREGULAR_HINT = "irregular-chunks";

    /**
     * The hint that a scalar must be written with an empty list of dimension names, as xarray opens no Zarr array
     * without one. It is set if the other arrays of the group have dimension names; its value does not matter.
     */
    public static final String NO_AXES_HINT = "no-axes";

    /**
     * The hint that the array is a level of a pyramid: by how much it is smaller than the array with all elements, on
     * each axis, such as {@code 1,2,2}.
     */
    public static final String LEVEL_FACTORS_HINT = "level.factors";

    /**
     * The hint that says where the first element of a level is: its distance from the first of all elements, in these,
     * on each axis, such as {@code 0,0.5,0.5}.
     */
    public static final String LEVEL_SHIFTS_HINT = "level.shifts";

    /** The hint that says by which method a level was made, such as {@code mean}. */
    public static final String LEVEL_METHOD_HINT = "level.method";

    private final ChunkGrid chunks;
    private final @Nullable ChunkGrid shards;
    private final DataType dataType;
    private final ByteOrder byteOrder;
    private final FillValue fillValue;
    private final FillValue missingValue;
    private final List<CodecSpec> codecs;
    private final List<@Nullable String> dimensionNames;
    private final SortedSet<Integer> unlimitedAxes;
    private final Map<String, @Nullable Object> attributes;
    private final Map<String, AttributeType> attributeTypes;
    private final Map<String, String> hints;

    private ArraySpec(Builder builder) {
        chunks = builder.chunks;
        shards = builder.shards;
        dataType = builder.dataType;
        byteOrder = builder.byteOrder;
        fillValue = builder.fillValue;
        missingValue = builder.missingValue;
        codecs = List.copyOf(builder.codecs);
        dimensionNames = Collections.unmodifiableList(new ArrayList<>(builder.dimensionNames));
        unlimitedAxes = Collections.unmodifiableSortedSet(new TreeSet<>(builder.unlimitedAxes));
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(builder.attributes));
        attributeTypes = AttributeType.of(attributes, builder.attributeTypes);
        hints = Collections.unmodifiableMap(new LinkedHashMap<>(builder.hints));
        if (shards != null && !shards.shape().equals(chunks.shape())) {
            throw new IllegalArgumentException(
                    "shards divide an array of " + shards.shape() + ", but chunks one of " + chunks.shape());
        }
        if (!dimensionNames.isEmpty() && dimensionNames.size() != chunks.rank()) {
            throw new IllegalArgumentException(dimensionNames.size() + " dimension names " + dimensionNames + " for "
                    + chunks.rank() + " axes: " + chunks.shape());
        }
        requireElement("fill value", fillValue);
        requireElement("missing value", missingValue);
        if (!unlimitedAxes.isEmpty() && (unlimitedAxes.first() < 0 || unlimitedAxes.last() >= chunks.rank())) {
            throw new IllegalArgumentException(
                    "unlimited axes " + unlimitedAxes + " of an array with " + chunks.rank() + " axes");
        }
    }

    private void requireElement(String what, FillValue value) {
        int size = value.bytes().map(b -> b.length).orElse(dataType.itemSize());
        if (dataType.isVariable() || !dataType.isMeasured()) {
            requireContents(what, size);
            return;
        }
        if (size != dataType.itemSize()) {
            throw new IllegalArgumentException(
                    "a " + what + " of " + size + " bytes for elements of " + dataType.itemSize() + " bytes");
        }
    }

    /** Checks the size of an element of variable length, which is not padded. */
    private void requireContents(String what, int size) {
        if (size < DataType.LENGTH_SIZE || (dataType.isMeasured() && size > dataType.itemSize())) {
            throw new IllegalArgumentException("a " + what + " of " + (size - DataType.LENGTH_SIZE)
                    + " bytes for elements of at most " + dataType.longest() + " bytes");
        }
    }

    /**
     * {@return a builder for an array in these chunks, little-endian, without fill value, codecs, names or attributes}
     */
    public static Builder builder(ChunkGrid chunks, DataType dataType) {
        return new Builder(chunks, dataType);
    }

    /** {@return a builder that starts from this spec} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** {@return the shape of the array} */
    public Shape shape() {
        return chunks.shape();
    }

    /**
     * {@return the grid of chunks, the smallest pieces that are encoded independently; with shards, the chunks inside
     * them}
     */
    public ChunkGrid chunks() {
        return chunks;
    }

    /**
     * {@return the grid of shards, each of which is a whole number of chunks along each axis; empty if there are none}
     */
    public Optional<ChunkGrid> shards() {
        return Optional.ofNullable(shards);
    }

    /**
     * {@return the grid of write units, the smallest regions that can be written without reading: the shards if there
     * are any, else the chunks}
     */
    public ChunkGrid writeUnits() {
        return shards != null ? shards : chunks;
    }

    /** {@return the type of an element} */
    public DataType dataType() {
        return dataType;
    }

    /** {@return the byte order in which readers deliver elements and writers take them} */
    public ByteOrder byteOrder() {
        return byteOrder;
    }

    /** {@return the value of elements that were never written} */
    public FillValue fillValue() {
        return fillValue;
    }

    /**
     * {@return the value of elements that have no data, in the byte order of the array; undefined if there is none}
     *
     * <p>It is what the attribute {@code _FillValue} of netCDF states. Readers such as xarray show such elements as
     * missing. It can differ from {@link #fillValue}, and an array can have either without the other: netCDF gives each
     * array a fill value, but most have no missing value. Packed elements are compared as they are stored.
     */
    public FillValue missingValue() {
        return missingValue;
    }

    /** {@return the steps that encode a chunk, in the order of encoding; empty for raw elements in C order} */
    public List<CodecSpec> codecs() {
        return codecs;
    }

    /** {@return the name of each axis, null for an axis without a name; an empty list if no axis has one} */
    public List<@Nullable String> dimensionNames() {
        return dimensionNames;
    }

    /** {@return the axes that belong to unlimited dimensions, which may grow in formats that fix the others} */
    public SortedSet<Integer> unlimitedAxes() {
        return unlimitedAxes;
    }

    /** {@return the user's attributes} */
    public Map<String, @Nullable Object> attributes() {
        return attributes;
    }

    /**
     * {@return the types of those attributes, by name, whose plain value does not determine a type; formats without
     * typed attributes ignore them}
     */
    public Map<String, AttributeType> attributeTypes() {
        return attributeTypes;
    }

    /** {@return details of the format's own layout, such as a key separator; other formats ignore them} */
    public Map<String, String> hints() {
        return hints;
    }

    /** {@return the hints that say more of the elements than {@link #dataType} does, sorted} */
    public SortedMap<String, String> typeHints() {
        SortedMap<String, String> found = new TreeMap<>(hints);
        found.keySet().removeIf(hint -> !hint.equals(NAMES_HINT) && !hint.startsWith(TYPE_HINTS));
        return found;
    }

    /**
     * {@return the spec of this array grown to larger extents, in chunks that begin with the present ones}
     *
     * <p>See {@link Partition#grown}.
     *
     * @throws IllegalArgumentException if an axis would become shorter, or if an axis of irregular chunks in shards
     *     would become longer
     */
    public ArraySpec grown(Shape larger) {
        if (larger.rank() != chunks.rank()) {
            throw new IllegalArgumentException(
                    "an array of " + shape() + " cannot grow to " + larger + ": the number of axes differs");
        }
        return toBuilder()
                .shards(shards == null ? null : grown(shards, larger, true))
                .chunks(grown(chunks, larger, false))
                .build();
    }

    private ChunkGrid grown(ChunkGrid grid, Shape larger, boolean inChunks) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < grid.rank(); axis++) {
            long length = larger.extent(axis);
            if (length < grid.shape().extent(axis)) {
                throw new IllegalArgumentException("axis " + axis + " of " + grid.shape() + " cannot grow to " + length
                        + " elements: it would be shorter");
            }
            Partition chunk = chunks.axis(axis);
            if (length > chunk.length() && shards != null && !chunk.isRegular()) {
                throw new IllegalArgumentException("axis " + axis + " of " + grid.shape() + " cannot grow to " + length
                        + " elements: the chunks in its shards are irregular");
            }
            axes.add(grid.axis(axis).grown(length, inChunks ? chunk.step() : 1));
        }
        return ChunkGrid.of(axes);
    }

    /**
     * Checks that {@code larger} describes this array with the same or larger extents, and does not differ otherwise.
     *
     * @throws IllegalArgumentException if it differs, or if an extent is smaller
     */
    public void requireGrowth(ArraySpec larger) {
        if (!grown(larger.shape()).equals(larger)) {
            throw new IllegalArgumentException(this + " cannot become " + larger + ": only extents may grow");
        }
    }

    /**
     * {@return the size of all elements in bytes, decoded}
     *
     * @throws ArithmeticException if it exceeds a {@code long}
     */
    public long bytes() {
        return Math.multiplyExact(shape().elements(), (long) dataType.itemSize());
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ArraySpec other
                && chunks.equals(other.chunks)
                && shards().equals(other.shards())
                && dataType.equals(other.dataType)
                && byteOrder.equals(other.byteOrder)
                && fillValue.equals(other.fillValue)
                && missingValue.equals(other.missingValue)
                && codecs.equals(other.codecs)
                && dimensionNames.equals(other.dimensionNames)
                && unlimitedAxes.equals(other.unlimitedAxes)
                && attributes.equals(other.attributes)
                && attributeTypes.equals(other.attributeTypes)
                && hints.equals(other.hints);
    }

    @Override
    public int hashCode() {
        return 31 * chunks.hashCode() + dataType.hashCode();
    }

    /** {@return the type, shape, chunks, shards and codecs on one line} */
    @Override
    public String toString() {
        return dataType + " " + chunks + (shards == null ? "" : " in shards of " + shards.chunkText())
                + (codecs.isEmpty() ? "" : ", " + codecs);
    }

    /** Collects the parts of an {@link ArraySpec}. */
    public static final class Builder {
        private ChunkGrid chunks;
        private @Nullable ChunkGrid shards;
        private DataType dataType;
        private ByteOrder byteOrder = ByteOrder.LITTLE_ENDIAN;
        private FillValue fillValue = FillValue.UNDEFINED;
        private FillValue missingValue = FillValue.UNDEFINED;
        private List<CodecSpec> codecs = List.of();
        private List<? extends @Nullable String> dimensionNames = List.of();
        private Set<Integer> unlimitedAxes = Set.of();
        private Map<String, ? extends @Nullable Object> attributes = Map.of();
        private Map<String, AttributeType> attributeTypes = Map.of();
        private Map<String, String> hints = Map.of();

        private Builder(ChunkGrid chunks, DataType dataType) {
            this.chunks = chunks;
            this.dataType = dataType;
        }

        private Builder(ArraySpec spec) {
            chunks = spec.chunks;
            shards = spec.shards;
            dataType = spec.dataType;
            byteOrder = spec.byteOrder;
            fillValue = spec.fillValue;
            missingValue = spec.missingValue;
            codecs = spec.codecs;
            dimensionNames = spec.dimensionNames;
            unlimitedAxes = spec.unlimitedAxes;
            attributes = spec.attributes;
            attributeTypes = spec.attributeTypes;
            hints = spec.hints;
        }

        /** Sets the chunks, and with them the shape; with shards, the chunks inside them. */
        public Builder chunks(ChunkGrid grid) {
            chunks = grid;
            return this;
        }

        /** Sets the shards, or removes them if null. */
        public Builder shards(@Nullable ChunkGrid grid) {
            shards = grid;
            return this;
        }

        /** Sets the type. */
        public Builder dataType(DataType type) {
            dataType = type;
            return this;
        }

        /** Sets the byte order of elements, of the fill value and of the missing value. */
        public Builder byteOrder(ByteOrder order) {
            byteOrder = order;
            return this;
        }

        /** Sets the fill value, in the byte order of the array. */
        public Builder fillValue(FillValue value) {
            fillValue = value;
            return this;
        }

        /** Sets the value of elements that have no data, in the byte order of the array. */
        public Builder missingValue(FillValue value) {
            missingValue = value;
            return this;
        }

        /** Sets the steps that encode a chunk, in the order of encoding. */
        public Builder codecs(List<CodecSpec> steps) {
            codecs = steps;
            return this;
        }

        /** Sets the names of the axes: one per axis, null for an axis without a name, or an empty list. */
        public Builder dimensionNames(List<? extends @Nullable String> names) {
            dimensionNames = names;
            return this;
        }

        /** Sets the axes that belong to unlimited dimensions. */
        public Builder unlimitedAxes(Set<Integer> axes) {
            unlimitedAxes = axes;
            return this;
        }

        /** Sets the attributes. The types of attributes stay as they are for names that are still there. */
        public Builder attributes(Map<String, ? extends @Nullable Object> values) {
            attributes = values;
            return this;
        }

        /** Sets the types of attributes; a type for a name that is no attribute is left out. */
        public Builder attributeTypes(Map<String, AttributeType> types) {
            attributeTypes = types;
            return this;
        }

        /** Sets the details of the format's own layout. */
        public Builder hints(Map<String, String> details) {
            hints = details;
            return this;
        }

        /**
         * {@return the spec}
         *
         * @throws IllegalArgumentException if chunks and shards differ in shape, the number of dimension names is not
         *     that of the axes, the fill value or the missing value is not of the size of an element, or an unlimited
         *     axis is none of the array
         */
        public ArraySpec build() {
            return new ArraySpec(this);
        }
    }
}
