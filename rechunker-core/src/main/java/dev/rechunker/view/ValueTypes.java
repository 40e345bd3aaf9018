package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.RealType;
import dev.rechunker.geometry.Shape;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Types of numbers, and what an array says about its numbers that changes with their type. */
final class ValueTypes {
    /** The codecs that are for numbers of one type, or for their values. */
    private static final Set<String> CODECS_OF_VALUES = Set.of(
            "delta",
            "fixedscaleoffset",
            "quantize",
            "astype",
            "bitround",
            "packbits",
            "zarr3.packbits",
            "cast_value",
            "scale_offset",
            "hdf5.nbit",
            "hdf5.scaleoffset");

    /** The attributes that have a range of valid numbers. */
    static final List<String> RANGES = List.of("valid_min", "valid_max", "valid_range");

    private ValueTypes() {}

    /** {@return the type of the numbers of which elements consist; empty if they are no numbers} */
    static Optional<RealType> real(DataType type) {
        return switch (type.kind()) {
            case BOOL -> Optional.of(RealType.BOOL);
            case INT, UINT, FLOAT -> RealType.of(type.name());
            case COMPLEX -> RealType.of(type.itemSize() == 8 ? "float32" : "float64");
            case OPAQUE -> RealType.of(type.name()).filter(real -> opaque(real).equals(type));
            case BYTES, UNICODE, DATETIME, TIMEDELTA, TEXT, BINARY, SEQUENCE -> Optional.empty();
        };
    }

    private static DataType opaque(RealType real) {
        return DataType.opaque(real.size(), real.size(), '"' + real.name() + '"');
    }

    /** {@return the number of numbers of an element: 2 for complex numbers} */
    static int parts(DataType type) {
        return type.kind() == DataType.Kind.COMPLEX ? 2 : 1;
    }

    /** {@return the type of numbers with a name; empty if there is none} */
    static Optional<DataType> named(String name) {
        return DataType.numbers(name).or(() -> RealType.of(name).map(ValueTypes::opaque));
    }

    /** {@return the bytes of a number} */
    static byte[] element(RealType type, ByteOrder order, long bits) {
        ByteBuffer element = ByteBuffer.allocate(type.size()).order(order);
        type.put(element, 0, bits);
        return element.array();
    }

    /** {@return a number as an attribute has it: of several decimals for a float of 32 bits, the shortest} */
    static Object attribute(RealType type, long bits) {
        Object value = type.json(bits);
        return value instanceof Double number && type.bits() <= Integer.SIZE
                ? Double.parseDouble(Float.toString(number.floatValue()))
                : value;
    }

    /** {@return the numbers that are an attribute of an array; none if it is no number and no list of numbers} */
    static List<Number> numbers(ArraySpec spec, String attribute) {
        Object value = spec.attributes().get(attribute);
        List<?> items = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
        List<Number> numbers = new ArrayList<>();
        for (Object item : items) {
            if (item instanceof Number number) {
                numbers.add(number);
            } else if (item instanceof String text && (text.equals("NaN") || text.endsWith("Infinity"))) {
                numbers.add(Double.parseDouble(text));
            } else {
                return List.of();
            }
        }
        return numbers;
    }

    /** {@return the bits of a number of a type; empty if it does not have it} */
    static Optional<Long> exact(RealType type, Number number) {
        try {
            double value = number.doubleValue();
            if (!Double.isFinite(value)) {
                return Optional.of(type.parse(String.valueOf(value)));
            }
            long bits =
                    type.parse(type.isFloat() ? (Object) number : new BigDecimal(number.toString()).toPlainString());
            boolean isSame = !type.isFloat() || type.value(bits) == value || (float) type.value(bits) == (float) value;
            return isSame ? Optional.of(bits) : Optional.empty();
        } catch (IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /**
     * {@return the bits of the numbers that are missing: {@code _FillValue}, of complex numbers both parts, and
     * {@code missing_value}}
     */
    static long[] missing(ArraySpec spec, RealType type) {
        List<Long> missing = new ArrayList<>();
        byte[] bytes = spec.missingValue().bytes().orElse(new byte[0]);
        for (int at = 0; at < bytes.length; at += type.size()) {
            missing.add(type.get(ByteBuffer.wrap(bytes).order(spec.byteOrder()), at));
        }
        for (Number number : numbers(spec, "missing_value")) {
            exact(type, number).ifPresent(missing::add);
        }
        return missing.stream().mapToLong(bits -> bits).toArray();
    }

    /** {@return the element type of an attribute, if the format states it} */
    static Optional<String> type(ArraySpec spec, String attribute) {
        return Optional.ofNullable(spec.attributeTypes().get(attribute)).map(AttributeType::element);
    }

    /** {@return the codecs of an array for numbers of another type: without those that are for its own} */
    static List<CodecSpec> codecs(ArraySpec spec, int newSize) {
        List<CodecSpec> codecs = new ArrayList<>();
        for (CodecSpec codec : spec.codecs()) {
            if (!CODECS_OF_VALUES.contains(codec.name())) {
                Object size = codec.options().get("elementsize");
                boolean isOwn = size instanceof Number number
                        && number.intValue() == spec.dataType().itemSize();
                codecs.add(isOwn ? codec.with("elementsize", (long) newSize) : codec);
            }
        }
        return codecs;
    }

    /** {@return the hints of an array for numbers of another type: without those that are about its own} */
    static Map<String, String> hints(ArraySpec spec) {
        Map<String, String> hints = new LinkedHashMap<>(spec.hints());
        hints.keySet().removeAll(spec.typeHints().keySet());
        if (spec.hints().containsKey(ArraySpec.NO_FILL_HINT)) {
            hints.put(ArraySpec.NO_FILL_HINT, "");
        }
        return hints;
    }

    /** Attributes of an array that are being changed, with their types. */
    static final class Attributes {
        private final Map<String, @Nullable Object> values;
        private final Map<String, AttributeType> types;

        Attributes(ArraySpec spec) {
            this.values = new LinkedHashMap<>(spec.attributes());
            this.types = new LinkedHashMap<>(spec.attributeTypes());
        }

        void remove(String... names) {
            for (String name : names) {
                values.remove(name);
                types.remove(name);
            }
        }

        /** Sets an attribute, of a type if formats state types. */
        void set(String name, Object value, String type) {
            values.put(name, value);
            Shape shape = value instanceof List<?> list ? Shape.of(list.size()) : Shape.of();
            types.put(name, AttributeType.of(type, shape));
        }

        /** Sets an attribute to numbers: to a list if it is one, and else to the first number. */
        void setNumbers(String name, List<Object> numbers, String type) {
            set(name, values.get(name) instanceof List<?> ? numbers : numbers.get(0), type);
        }

        ArraySpec.Builder in(ArraySpec.Builder spec) {
            return spec.attributes(values).attributeTypes(types);
        }
    }

    /** {@return an array whose elements become those of another type, without the missing value} */
    static ArraySpec.Builder typed(ArraySpec spec, DataType type) {
        return spec.toBuilder()
                .dataType(type)
                .fillValue(FillValue.UNDEFINED)
                .missingValue(FillValue.UNDEFINED)
                .codecs(codecs(spec, type.itemSize()))
                .hints(hints(spec));
    }
}
