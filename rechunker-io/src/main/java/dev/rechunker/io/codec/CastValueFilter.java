package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.element.RealType;
import dev.rechunker.element.Rounding;
import dev.rechunker.element.ValueCast;
import dev.rechunker.element.ValueCast.OutOfRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The codec {@code cast_value} of the zarr-extensions registry, which stores numbers as numbers of another type. */
final class CastValueFilter extends ElementFilter {
    static final String NAME = "cast_value";

    private final RealType encodedType;
    private final ValueCast encoding;
    private final ValueCast decoding;
    private final String settings;

    private CastValueFilter(
            RealType decodedType,
            RealType encodedType,
            ByteOrder order,
            ValueCast encoding,
            ValueCast decoding,
            String settings) {
        super(NAME, decodedType.size(), order, encodedType.size(), order);
        this.encodedType = encodedType;
        this.encoding = encoding;
        this.decoding = decoding;
        this.settings = settings;
    }

    /** {@return a filter for elements of a type and byte order, which numbers of another type have, too} */
    static CastValueFilter create(CodecOptions options, DataType type, ByteOrder order) throws CodecException {
        RealType decoded = required(type);
        String name = options.requiredText("data_type");
        RealType encoded = RealType.of(name)
                .orElseThrow(() -> options.refusal("data_type", name, "is not a type of integers or floats"));
        Object roundingName = options.take("rounding");
        Object rangeName = options.take("out_of_range");
        Object map = options.take("scalar_map");
        options.requireNoOthers();
        Rounding rounding = rounding(options, roundingName);
        OutOfRange outOfRange = outOfRange(options, rangeName);
        if (outOfRange == OutOfRange.WRAP && encoded.isFloat()) {
            throw options.refusal("out_of_range", "wrap", "is for integers, not for " + name);
        }
        // Only integers can be wrapped.
        OutOfRange ofDecoding = outOfRange == OutOfRange.WRAP && decoded.isFloat() ? OutOfRange.REFUSE : outOfRange;
        try {
            return new CastValueFilter(
                    decoded,
                    encoded,
                    order,
                    ValueCast.of(decoded, encoded, rounding, outOfRange).withMap(pairs(map, "encode")),
                    ValueCast.of(encoded, decoded, rounding, ofDecoding).withMap(pairs(map, "decode")),
                    decoded.name() + "," + name + "," + roundingName + "," + rangeName + "," + map);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw options.refusal(
                    "scalar_map",
                    String.valueOf(map),
                    "is not an object with lists of pairs of numbers, \"encode\" from " + decoded.name() + " to " + name
                            + " and \"decode\" back");
        }
    }

    private static RealType required(DataType type) throws CodecException {
        return NamedType.real(type)
                .orElseThrow(() -> new CodecException(
                        "codec \"" + NAME + "\": elements of type " + type + " are neither integers nor floats"));
    }

    private static Rounding rounding(CodecOptions options, @Nullable Object name) throws CodecException {
        return switch (name == null ? "nearest-even" : String.valueOf(name)) {
            case "nearest-even" -> Rounding.NEAREST_EVEN;
            case "nearest-away" -> Rounding.NEAREST_AWAY;
            case "towards-zero" -> Rounding.TOWARDS_ZERO;
            case "towards-positive" -> Rounding.TOWARDS_POSITIVE;
            case "towards-negative" -> Rounding.TOWARDS_NEGATIVE;
            default -> throw options.refusal("rounding", String.valueOf(name), "is not supported");
        };
    }

    private static OutOfRange outOfRange(CodecOptions options, @Nullable Object name) throws CodecException {
        return switch (name == null ? "" : String.valueOf(name)) {
            case "" -> OutOfRange.REFUSE;
            case "clamp" -> OutOfRange.CLAMP;
            case "wrap" -> OutOfRange.WRAP;
            default -> throw options.refusal("out_of_range", String.valueOf(name), "is neither clamp nor wrap");
        };
    }

    private static List<?> pairs(@Nullable Object map, String direction) {
        if (map == null) {
            return List.of();
        }
        if (!(map instanceof Map<?, ?> lists) || !Set.of("encode", "decode").containsAll(lists.keySet())) {
            throw new IllegalArgumentException("not an object");
        }
        Object pairs = lists.get(direction);
        if (pairs != null && !(pairs instanceof List<?>)) {
            throw new IllegalArgumentException("not a list");
        }
        return pairs == null ? List.of() : (List<?>) pairs;
    }

    /** {@return the type of encoded elements} */
    DataType encodedType() {
        return NamedType.dataType(encodedType);
    }

    @Override
    public String identity() {
        return NAME + "(" + settings + ")";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) throws CodecException {
        run(decoding, encoded, decoded, count);
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) throws CodecException {
        run(encoding, decoded, encoded, count);
    }

    private static void run(ValueCast cast, ByteBuffer from, ByteBuffer to, int count) throws CodecException {
        try {
            cast.run(from, to, count);
        } catch (ValueCast.Refusal e) {
            throw new CodecException("codec \"" + NAME + "\" cannot convert " + e.number() + " from "
                    + cast.from().name() + " to " + cast.to().name() + ": "
                    + switch (e.reason()) {
                        case NO_EQUAL ->
                            cast.to().isFloat()
                                    ? "the other type does not have it"
                                    : "no integer is equal to it; the option scalar_map can name one";
                        default -> "it is out of range; the option out_of_range can say what becomes of it";
                    });
        }
    }
}
