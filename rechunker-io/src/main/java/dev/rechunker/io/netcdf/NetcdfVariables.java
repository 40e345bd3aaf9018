package dev.rechunker.io.netcdf;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The variables in which files of netCDF have the elements of arrays. Texts of a fixed length are characters with a
 * further axis, and booleans are int8 with an attribute, both as xarray writes them.
 */
public final class NetcdfVariables {
    /** The attribute of a variable with booleans. */
    public static final String DATA_TYPE = "dtype";

    private static final String BOOLEAN = "bool";

    /** The name of an axis of a level. */
    private static final Pattern OF_LEVEL = Pattern.compile("(.+)_([1-9][0-9]{0,8})");

    private static final int MOST_NAME_BYTES = 256;

    private NetcdfVariables() {}

    /**
     * {@return a level of a pyramid with other names of shorter axes, as a dimension has one length: y, y_2, y_4; other
     * arrays stay as they are} A level has the names of the one before, whose factors divide its own.
     */
    public static ArraySpec withLevelNames(ArraySpec spec) {
        if (!spec.hints().containsKey(ArraySpec.LEVEL_FACTORS_HINT)) {
            return spec;
        }
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

    /** {@return a spec in a byte order} */
    public static ArraySpec inOrder(ArraySpec spec, ByteOrder order) {
        int word = spec.byteOrder() != order ? spec.dataType().wordSize() : 1;
        return spec.toBuilder()
                .byteOrder(order)
                .fillValue(spec.fillValue().swapped(word))
                .missingValue(spec.missingValue().swapped(word))
                .build();
    }

    /** {@return a value of texts if all its characters are the same, as a variable has one for all characters} */
    public static FillValue oneCharacter(DataType type, FillValue value) {
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

    /** {@return the number of characters of the texts of an array; 0 if it has no texts, or single characters} */
    public static int textLength(ArraySpec spec) {
        int size = spec.dataType().itemSize();
        return spec.dataType().kind() == DataType.Kind.BYTES && size > 1 ? size : 0;
    }

    /** {@return the chunks of an array in the file: texts have a further axis} */
    public static ChunkGrid storedChunks(ArraySpec spec) {
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
    public static ArraySpec stored(ArraySpec spec) {
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
    public static boolean isName(String name) {
        boolean startsWell = !name.isEmpty()
                && (name.charAt(0) > 0x7F || name.charAt(0) == '_' || Character.isLetterOrDigit(name.charAt(0)));
        return startsWell
                && name.chars().allMatch(c -> c >= ' ' && c != 0x7F && c != '/')
                && !name.endsWith(" ")
                && name.getBytes(StandardCharsets.UTF_8).length <= MOST_NAME_BYTES;
    }
}
