package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.LinearMap;
import dev.rechunker.element.RealType;
import dev.rechunker.element.Rounding;
import dev.rechunker.element.ValueCast;
import dev.rechunker.element.ValueCast.OutOfRange;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A step that shows packed numbers unpacked. Numbers are packed by the CF conventions, with the attributes
 * {@code scale_factor} and {@code add_offset}, or are signed ones that stand for unsigned ones ({@code _Unsigned}); or
 * they are packed by codecs, which readers undo, so that only the codecs have to go.
 *
 * <p>Unpacked numbers and their type are those of xarray: the type of both factors if they have the same and numbers
 * have less than 32 bits, else float64. Missing numbers become NaN.
 */
final class UnpackStep extends ValueStep {
    static final String NAME = "unpack";

    private static final String SCALE = "scale_factor";
    private static final String OFFSET = "add_offset";
    private static final String UNSIGNED = "_Unsigned";

    private static final Set<String> CODECS =
            Set.of("fixedscaleoffset", "astype", "cast_value", "scale_offset", "hdf5.scaleoffset");

    private UnpackStep(String text) {
        super(NAME, text);
    }

    static UnpackStep parse(String text) {
        return new UnpackStep(text);
    }

    /** {@return whether the numbers of an array are packed by the CF conventions} */
    static boolean isPacked(ArraySpec spec) {
        return spec.attributes().containsKey(SCALE) || spec.attributes().containsKey(OFFSET);
    }

    @Override
    boolean isWord(String word) {
        return word.isEmpty() || word.equals("float32") || word.equals("float64") || word.equals("auto");
    }

    @Override
    Set<String> options() {
        return Set.of();
    }

    @Override
    String form() {
        return "nothing, float32 or float64, or pattern=float32 for some arrays (pattern=auto for the usual type)";
    }

    @Override
    void requireValid(Rule rule) {}

    /** {@return true: unpacked numbers mean the same} */
    @Override
    boolean concernsAll() {
        return true;
    }

    @Override
    String unusual() {
        return ": none is packed, with scale_factor or add_offset or by a codec";
    }

    /** {@return whether an array is packed} */
    @Override
    boolean isUsual(ArraySpec spec) {
        return isPacked(spec)
                || spec.attributes().containsKey(UNSIGNED)
                || spec.codecs().stream().anyMatch(codec -> CODECS.contains(codec.name()));
    }

    @Override
    Optional<ValueChange> change(Rule rule, String place, ArraySpec spec) throws StoreException {
        boolean isFactored = isPacked(spec);
        RealType stored = ValueTypes.real(spec.dataType())
                .filter(real -> ValueTypes.parts(spec.dataType()) == 1)
                .orElse(null);
        if (stored == null) {
            if (!isFactored) {
                return Optional.empty();
            }
            throw new StoreException(
                    place + " has " + SCALE + " or " + OFFSET + ", but its elements are " + spec.dataType());
        }
        RealType from = reinterpreted(spec, stored);
        ValueTypes.Attributes attributes = new ValueTypes.Attributes(spec);
        attributes.remove(UNSIGNED);
        if (!isFactored) {
            return withoutFactors(place, spec, from, attributes);
        }
        double scale = factor(place, spec, SCALE, 1);
        double offset = factor(place, spec, OFFSET, 0);
        String computed = computed(spec, from);
        DataType type = ValueTypes.named(rule.word().startsWith("float") ? rule.word() : computed)
                .orElseThrow();
        RealType to = ValueTypes.real(type).orElseThrow();
        LinearMap linear = new LinearMap(scale, offset, computed.equals("float32"));
        ValueCast cast =
                ValueCast.of(from, to, Rounding.NEAREST_EVEN, OutOfRange.CLAMP).withLinear(linear, true);
        ArraySpec.Builder changed = ValueTypes.typed(spec, type);
        long[] missing = missing(spec, stored, from);
        if (missing.length > 0) {
            long nan = to.ofValue(Double.NaN);
            cast = cast.withMissing(missing, nan);
            changed.missingValue(FillValue.of(ValueTypes.element(to, spec.byteOrder(), nan)));
        }
        attributes.remove(SCALE, OFFSET, "missing_value");
        for (String range : ValueTypes.RANGES) {
            unpackRange(attributes, spec, range, linear, to);
        }
        return Optional.of(new ValueChange(place, spec, attributes.in(changed), cast::run, 0));
    }

    /** Unpacks a range of valid numbers, unless it is one of unpacked numbers already. */
    private static void unpackRange(
            ValueTypes.Attributes attributes, ArraySpec spec, String name, LinearMap linear, RealType to) {
        List<Number> numbers = ValueTypes.numbers(spec, name);
        boolean isPacked = ValueTypes.type(spec, name)
                .map(type -> type.equals(spec.dataType().name()) || !type.startsWith("float"))
                .orElse(numbers.stream().noneMatch(number -> number instanceof Double || number instanceof Float));
        if (numbers.isEmpty() || !isPacked) {
            return;
        }
        List<Object> unpacked = new ArrayList<>();
        for (Number number : numbers) {
            double value = linear.unpacked(number.doubleValue());
            unpacked.add(ValueTypes.attribute(to, to.ofValue(value)));
        }
        attributes.setNumbers(name, unpacked, to.name());
    }

    /**
     * {@return the change of an array without factors: of its sign, or of its codecs only; empty if nothing changes}
     */
    private static Optional<ValueChange> withoutFactors(
            String place, ArraySpec spec, RealType from, ValueTypes.Attributes attributes) {
        DataType type = from.name().equals(spec.dataType().name())
                ? spec.dataType()
                : ValueTypes.named(from.name()).orElseThrow();
        List<CodecSpec> codecs = spec.codecs().stream()
                .filter(codec -> !CODECS.contains(codec.name()))
                .toList();
        boolean isSame = type.equals(spec.dataType());
        if (isSame && codecs.equals(spec.codecs())) {
            return Optional.empty();
        }
        ArraySpec.Builder changed = isSame ? spec.toBuilder() : ValueTypes.typed(spec, type);
        changed.codecs(isSame ? codecs : ValueTypes.codecs(spec, type.itemSize()))
                .missingValue(spec.missingValue());
        int size = type.itemSize();
        return Optional.of(new ValueChange(
                place,
                spec,
                attributes.in(changed),
                (elements, target, count, randomness) -> target.put(0, elements, 0, count * size),
                0));
    }

    /** {@return the type that the stored integers stand for} */
    private static RealType reinterpreted(ArraySpec spec, RealType stored) {
        String unsigned = String.valueOf(spec.attributes().get(UNSIGNED));
        if (unsigned.equalsIgnoreCase("true") && stored.signed() && !stored.isFloat()) {
            return RealType.of("u" + stored.name()).orElse(stored);
        }
        boolean isSigned = unsigned.equalsIgnoreCase("false")
                && !stored.signed()
                && stored.name().startsWith("u");
        return isSigned ? RealType.of(stored.name().substring(1)).orElse(stored) : stored;
    }

    private static long[] missing(ArraySpec spec, RealType stored, RealType from) {
        long[] missing = ValueTypes.missing(spec, stored);
        for (int i = 0; i < missing.length; i++) {
            missing[i] = from.extended(missing[i]);
        }
        return missing;
    }

    private static double factor(String place, ArraySpec spec, String name, double otherwise) throws StoreException {
        if (!spec.attributes().containsKey(name)) {
            return otherwise;
        }
        List<Number> numbers = ValueTypes.numbers(spec, name);
        if (numbers.size() != 1) {
            throw new StoreException(place + " has the attribute " + name + " "
                    + spec.attributes().get(name) + ", which is not one number; it cannot be unpacked");
        }
        return numbers.get(0).doubleValue();
    }

    /** {@return the type in which xarray computes} Its name; a factor without a type is a float64, or an int64. */
    private static String computed(ArraySpec spec, RealType from) {
        String scale = ofFactor(spec, SCALE);
        String offset = ofFactor(spec, OFFSET);
        if (!scale.isEmpty() && scale.equals(offset) && scale.startsWith("float")) {
            return from.size() == 4 && !from.isFloat() ? "float64" : scale;
        }
        return offset.isEmpty() && scale.equals("float32") ? "float32" : "float64";
    }

    private static String ofFactor(ArraySpec spec, String name) {
        Object value = spec.attributes().get(name);
        if (value == null) {
            return "";
        }
        Object number = value instanceof List<?> list && !list.isEmpty() ? list.get(0) : value;
        return ValueTypes.type(spec, name)
                .orElse(number instanceof Double || number instanceof Float ? "float64" : "int64");
    }
}
