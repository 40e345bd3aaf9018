package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.BitField;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.io.hdf5.format.NetcdfFill;
import dev.rechunker.io.hdf5.format.StringForm;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of netCDF-4 for arrays in an HDF5 file.
 *
 * <p>A variable has numbers, characters, texts or sequences of numbers; bytes of any length are sequences of uint8, and
 * sequences have a type of the file, with a name of its own. Texts of a fixed length are characters with a further
 * axis, and booleans are int8 with an attribute, both as xarray writes them. The type of integers with names is one of
 * the file, and has a name of its own. The bytes of the elements are the same. What a variable has where nothing was
 * written is its missing value, or else its fill value.
 */
final class Netcdf4 {
    private static final String DATA_TYPE = "dtype";
    private static final String BOOLEAN = "bool";
    private static final String CHARACTERS = "null-terminated ascii";

    /** The name of an axis of a level. */
    private static final Pattern OF_LEVEL = Pattern.compile("(.+)_([1-9][0-9]{0,8})");

    private static final int MOST_NAME_BYTES = 256;

    /** The hints of HDF5 for which netCDF has no place. */
    private static final Set<String> FOREIGN = Set.of(Hdf5Names.MAX_SHAPE_HINT, Hdf5Names.FILL_HINT, StringForm.HINT);

    private Netcdf4() {}

    /**
     * {@return the spec of an array of another format with what netCDF has by default: its own fill value if there is
     * none, and chunks that are not larger than the array along axes that do not grow, as nccopy requires; shorter axes
     * of levels of pyramids have dimensions of their own}
     */
    static ArraySpec adopt(ArraySpec foreign) {
        ArraySpec named = foreign.hints().containsKey(ArraySpec.LEVEL_FACTORS_HINT) ? level(foreign) : foreign;
        return adoptInOrder(named.hints().containsKey(ArraySpec.NAMES_HINT) ? littleEndian(named) : named);
    }

    /**
     * {@return a level with other names of shorter axes, as a dimension has one length: y, y_2, y_4} A level has the
     * names of the one before, whose factors divide its own.
     */
    private static ArraySpec level(ArraySpec spec) {
        String[] factors =
                spec.hints().getOrDefault(ArraySpec.LEVEL_FACTORS_HINT, "").split(",", -1);
        List<@Nullable String> names = new ArrayList<>(spec.dimensionNames());
        for (int axis = 0; axis < names.size(); axis++) {
            String name = names.get(axis);
            if (name != null && !factors[axis].equals("1")) {
                names.set(axis, withoutFactor(name, Long.parseLong(factors[axis])) + "_" + factors[axis]);
            }
        }
        return names.stream().distinct().count() < names.size()
                ? spec
                : spec.toBuilder().dimensionNames(names).build();
    }

    private static String withoutFactor(String name, long factor) {
        Matcher suffixed = OF_LEVEL.matcher(name);
        boolean isFactor = suffixed.matches() && factor % Long.parseLong(suffixed.group(2)) == 0;
        return isFactor ? suffixed.group(1) : name;
    }

    /** {@return a spec in the byte order that named types have in netCDF} */
    private static ArraySpec littleEndian(ArraySpec spec) {
        int word = spec.byteOrder() == ByteOrder.BIG_ENDIAN ? spec.dataType().wordSize() : 1;
        return spec.toBuilder()
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .fillValue(spec.fillValue().swapped(word))
                .missingValue(spec.missingValue().swapped(word))
                .build();
    }

    private static ArraySpec adoptInOrder(ArraySpec foreign) {
        DataType type = foreign.dataType();
        FillValue missing = oneCharacter(type, foreign.missingValue());
        FillValue fill = missing.isDefined() ? missing : oneCharacter(type, foreign.fillValue());
        if (isUnfilled(foreign)) {
            fill = FillValue.zero(type.itemSize());
        } else if (!fill.isDefined()) {
            fill = fill(type, foreign.byteOrder());
        }
        return foreign.toBuilder()
                .chunks(chunks(foreign))
                .fillValue(fill)
                .missingValue(missing)
                .build();
    }

    private static FillValue fill(DataType type, ByteOrder order) {
        return type.isVariable() ? FillValue.ofContents(new byte[0]) : FillValue.of(NetcdfFill.of(type, order));
    }

    /**
     * {@return the spec of an array as netCDF has it}
     *
     * @throws UnsupportedArrayException if netCDF has no such elements
     * @throws StoreException if the missing value or the fill value is a text of several characters
     */
    static ArraySpec of(String where, ArraySpec wanted) throws StoreException {
        DataType type = wanted.dataType();
        requireType(where, type);
        Map<String, String> hints = new LinkedHashMap<>(wanted.hints());
        hints.keySet().removeAll(FOREIGN);
        Set<String> values = EnumerationNames.of(where, type, wanted.hints()).keySet();
        hints.remove(BitField.HINT);
        boolean isEnumeration = !values.isEmpty()
                && values.stream().allMatch(Netcdf4::isName)
                && wanted.byteOrder() == ByteOrder.LITTLE_ENDIAN;
        if (!isEnumeration && !isSequence(type)) {
            hints.keySet().removeAll(wanted.typeHints().keySet());
        }
        if (type.kind() == DataType.Kind.BYTES) {
            hints.put(StringForm.HINT, CHARACTERS);
        }
        FillValue missing = wanted.missingValue();
        FillValue fill = missing.isDefined() ? missing : wanted.fillValue();
        if (isUnfilled(wanted)) {
            fill = FillValue.zero(type.itemSize());
            hints.put(ArraySpec.NO_FILL_HINT, "");
        } else {
            hints.remove(ArraySpec.NO_FILL_HINT);
        }
        if (!oneCharacter(type, fill).equals(fill)) {
            throw new StoreException(where + " has the fill value " + fill
                    + "; in netCDF, it is one character; choose a text in which all are the same");
        }
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(wanted.attributes());
        if (type.kind() == DataType.Kind.BOOL) {
            attributes.remove(DATA_TYPE);
        }
        return wanted.toBuilder()
                .fillValue(fill)
                .missingValue(isSequence(type) ? FillValue.UNDEFINED : missing) // netCDF4-python fails with sequences
                .attributes(attributes)
                .hints(hints)
                .build();
    }

    /** {@return whether a variable states no fill value, as it is not filled where nothing was written} */
    private static boolean isUnfilled(ArraySpec spec) {
        FillValue fill = spec.fillValue();
        return spec.hints().containsKey(ArraySpec.NO_FILL_HINT)
                && (spec.dataType().kind() == DataType.Kind.BYTES || isNumber(spec.dataType()))
                && (!fill.isDefined()
                        || fill.equals(spec.missingValue())
                        || fill.equals(FillValue.zero(spec.dataType().itemSize())));
    }

    /** {@return whether a variable has a type of the file, which must have a name} */
    static boolean isTypeNamed(ArraySpec spec) {
        return spec.hints().containsKey(ArraySpec.NAMES_HINT) || isSequence(spec.dataType());
    }

    private static boolean isSequence(DataType type) {
        return type.kind() == DataType.Kind.BINARY || type.kind() == DataType.Kind.SEQUENCE;
    }

    private static boolean isNumber(DataType type) {
        return switch (type.kind()) {
            case INT, UINT -> true;
            case FLOAT -> type.itemSize() > Short.BYTES;
            default -> false;
        };
    }

    private static void requireType(String where, DataType type) throws UnsupportedArrayException {
        boolean isKnown = switch (type.kind()) {
            case BOOL, BYTES, TEXT, BINARY -> true;
            case INT, UINT, FLOAT -> isNumber(type);
            case SEQUENCE -> isNumber(type.items());
            case COMPLEX, OPAQUE, DATETIME, TIMEDELTA, UNICODE -> false;
        };
        if (!isKnown) {
            throw new UnsupportedArrayException(where + " has elements of type " + type
                    + ", which netCDF does not support; write to another format, such as .zarr or .h5");
        }
    }

    /** {@return a value of texts if all its characters are the same, as a variable has one for all characters} */
    private static FillValue oneCharacter(DataType type, FillValue value) {
        if (type.kind() != DataType.Kind.BYTES || !value.isDefined()) {
            return value;
        }
        byte[] text = value.element(type.itemSize());
        for (byte character : text) {
            if (character != text[0]) {
                return FillValue.UNDEFINED;
            }
        }
        return value;
    }

    private static ChunkGrid chunks(ArraySpec wanted) {
        ChunkGrid chunks = wanted.chunks();
        if (!chunks.isRegular()) {
            return chunks;
        }
        long[] extents = chunks.chunkShape().toArray();
        for (int axis = 0; axis < extents.length; axis++) {
            if (!wanted.unlimitedAxes().contains(axis)) {
                extents[axis] =
                        Math.min(extents[axis], Math.max(1, wanted.shape().extent(axis)));
            }
        }
        return ChunkGrid.regular(wanted.shape(), Shape.of(extents));
    }

    /** {@return the number of characters of the texts of an array; 0 if it has no texts, or single characters} */
    static int textLength(ArraySpec spec) {
        int size = spec.dataType().itemSize();
        return spec.dataType().kind() == DataType.Kind.BYTES && size > 1 ? size : 0;
    }

    /** {@return the chunks of an array in the file: texts have a further axis} */
    static ChunkGrid storedChunks(ArraySpec spec) {
        int length = textLength(spec);
        return length == 0
                ? spec.chunks()
                : ChunkGrid.regular(
                        append(spec.shape(), length), append(spec.chunks().chunkShape(), length));
    }

    private static Shape append(Shape shape, long extent) {
        long[] extents = Arrays.copyOf(shape.toArray(), shape.rank() + 1);
        extents[shape.rank()] = extent;
        return Shape.of(extents);
    }

    /** {@return the spec of the variable in the file that has the elements of an array} */
    static ArraySpec stored(ArraySpec spec) {
        if (spec.dataType().kind() == DataType.Kind.BOOL) {
            Map<String, @Nullable Object> attributes = new LinkedHashMap<>(spec.attributes());
            Map<String, AttributeType> types = new LinkedHashMap<>(spec.attributeTypes());
            attributes.put(DATA_TYPE, BOOLEAN);
            types.put(DATA_TYPE, AttributeType.of(AttributeType.CHAR, Shape.of()));
            return spec.toBuilder()
                    .dataType(DataType.INT8)
                    .attributes(attributes)
                    .attributeTypes(types)
                    .build();
        }
        int length = textLength(spec);
        if (length == 0) {
            return spec;
        }
        List<@Nullable String> names = new ArrayList<>(spec.dimensionNames());
        while (names.size() < spec.shape().rank()) {
            names.add(null);
        }
        names.add("string" + length);
        return ArraySpec.builder(storedChunks(spec), DataType.bytes(1))
                .byteOrder(spec.byteOrder())
                .fillValue(character(spec.fillValue(), length))
                .missingValue(character(spec.missingValue(), length))
                .codecs(spec.codecs())
                .dimensionNames(names)
                .unlimitedAxes(spec.unlimitedAxes())
                .attributes(spec.attributes())
                .attributeTypes(spec.attributeTypes())
                .hints(spec.hints())
                .build();
    }

    private static FillValue character(FillValue text, int length) {
        return text.isDefined() ? FillValue.of(text.element(length)[0]) : text;
    }

    /** {@return whether netCDF allows a name} */
    static boolean isName(String name) {
        boolean startsWell = !name.isEmpty()
                && (name.charAt(0) > 0x7F || name.charAt(0) == '_' || Character.isLetterOrDigit(name.charAt(0)));
        return startsWell
                && name.chars().allMatch(c -> c >= ' ' && c != 0x7F && c != '/')
                && !name.endsWith(" ")
                && name.getBytes(StandardCharsets.UTF_8).length <= MOST_NAME_BYTES;
    }
}
