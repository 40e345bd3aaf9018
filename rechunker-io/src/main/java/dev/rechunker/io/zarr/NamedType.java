package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.io.tree.ElementBits;
import dev.rechunker.io.zarr.SmallFloat.Specials;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A type of the zarr-extensions registry that no other format has: integers of 2 and 4 bits, floats of 4 to 16 bits
 * other than {@code float16}, and complex numbers of small floats. Elements are opaque, with the name as the
 * description; only fill values are interpreted.
 *
 * @param parts the number of parts of an element: 2 for complex numbers
 * @param bits the number of bits of a part, which are the lowest ones of 1 or 2 bytes
 * @param signed whether integers are signed
 * @param floats the format of floats; null for integers
 */
record NamedType(
        String name,
        int parts,
        int bits,
        boolean signed,
        @Nullable SmallFloat floats) {
    private static final Map<String, NamedType> BY_NAME = byName();

    private static Map<String, NamedType> byName() {
        Map<String, NamedType> byName = new LinkedHashMap<>();
        for (int bits : new int[] {2, 4}) {
            byName.put("int" + bits, new NamedType("int" + bits, 1, bits, true, null));
            byName.put("uint" + bits, new NamedType("uint" + bits, 1, bits, false, null));
        }
        Map<String, SmallFloat> floats = Map.ofEntries(
                Map.entry("bfloat16", new SmallFloat(true, 8, 7, 127, Specials.IEEE)),
                Map.entry("float16", new SmallFloat(true, 5, 10, 15, Specials.IEEE)),
                Map.entry("float8_e3m4", new SmallFloat(true, 3, 4, 3, Specials.IEEE)),
                Map.entry("float8_e4m3", new SmallFloat(true, 4, 3, 7, Specials.IEEE)),
                Map.entry("float8_e5m2", new SmallFloat(true, 5, 2, 15, Specials.IEEE)),
                Map.entry("float8_e4m3fn", new SmallFloat(true, 4, 3, 7, Specials.HIGHEST_IS_NAN)),
                Map.entry("float8_e4m3fnuz", new SmallFloat(true, 4, 3, 8, Specials.MINUS_ZERO_IS_NAN)),
                Map.entry("float8_e4m3b11fnuz", new SmallFloat(true, 4, 3, 11, Specials.MINUS_ZERO_IS_NAN)),
                Map.entry("float8_e5m2fnuz", new SmallFloat(true, 5, 2, 16, Specials.MINUS_ZERO_IS_NAN)),
                Map.entry("float8_e8m0fnu", new SmallFloat(false, 8, 0, 127, Specials.HIGHEST_IS_NAN)),
                Map.entry("float6_e2m3fn", new SmallFloat(true, 2, 3, 1, Specials.NONE)),
                Map.entry("float6_e3m2fn", new SmallFloat(true, 3, 2, 3, Specials.NONE)),
                Map.entry("float4_e2m1fn", new SmallFloat(true, 2, 1, 1, Specials.NONE)));
        floats.forEach((name, format) -> {
            byName.put(name, new NamedType(name, 1, format.bits(), true, format));
            byName.put("complex_" + name, new NamedType("complex_" + name, 2, format.bits(), true, format));
        });
        byName.remove("float16"); // other formats have it
        return byName;
    }

    /** {@return the type with a name; empty for other names} */
    static Optional<NamedType> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** {@return the type of elements; empty for types of other kinds} */
    static Optional<NamedType> of(DataType type) {
        return type.kind() == DataType.Kind.OPAQUE
                ? of(type.name()).filter(named -> named.dataType().equals(type))
                : Optional.empty();
    }

    /** {@return the type of elements} */
    DataType dataType() {
        return DataType.opaque(parts * size(), size(), '"' + name + '"');
    }

    private int size() {
        return bits > Byte.SIZE ? Short.BYTES : 1;
    }

    /**
     * Puts an element that is written in JSON.
     *
     * @throws IllegalArgumentException if it is not one
     */
    void put(Object json, ByteBuffer element) {
        List<?> values = json instanceof List<?> list ? list : parts == 1 ? List.of(json) : List.of(json, 0L);
        if (values.size() != parts || (parts == 1 && json instanceof List<?>)) {
            throw new IllegalArgumentException("not " + parts + " numbers");
        }
        for (Object value : values) {
            ElementBits.put(element, size(), floats == null ? integer(value) : pattern(floats, value));
        }
    }

    private long integer(@Nullable Object json) {
        if (json instanceof Number || json instanceof String) {
            return ElementBits.integer(json.toString().strip(), signed ? bits - 1 : bits, signed);
        }
        throw new IllegalArgumentException("neither a number nor a string");
    }

    private int pattern(SmallFloat format, @Nullable Object json) {
        if (json instanceof Number number) {
            return format.pattern(number.doubleValue());
        }
        if (!(json instanceof String quoted)) {
            throw new IllegalArgumentException("neither a number nor a string");
        }
        String text = quoted.strip();
        return switch (text) {
            case "NaN" -> format.pattern(Double.NaN);
            case "Infinity" -> format.pattern(Double.POSITIVE_INFINITY);
            case "-Infinity" -> format.pattern(Double.NEGATIVE_INFINITY);
            default -> {
                if (!text.startsWith("0x")) {
                    yield format.pattern(ElementBits.decimal(text).doubleValue());
                }
                if (text.length() != 2 + 2 * size()) {
                    throw new IllegalArgumentException("not " + 2 * size() + " hexadecimal digits");
                }
                yield Integer.parseInt(text, 2, text.length(), 16);
            }
        };
    }

    /** {@return an element as it is written in JSON} */
    Object json(ByteBuffer element) {
        List<Object> values = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            int pattern = (int) ElementBits.get(element, size()) & ((1 << (Byte.SIZE * size())) - 1);
            values.add(floats == null ? (Object) integer(pattern) : number(floats, pattern));
        }
        return parts == 1 ? values.get(0) : values;
    }

    private long integer(int pattern) {
        int spare = Integer.SIZE - bits;
        return signed ? pattern << spare >> spare : pattern << spare >>> spare;
    }

    private Object number(SmallFloat format, int pattern) {
        double value = format.value(pattern);
        if (Double.isFinite(value)) {
            return value;
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        return pattern == format.pattern(Double.NaN)
                ? "NaN"
                : String.format(Locale.ROOT, "0x%0" + 2 * size() + "x", pattern);
    }
}
