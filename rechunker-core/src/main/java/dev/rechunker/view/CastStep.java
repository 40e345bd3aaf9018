package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.RealType;
import dev.rechunker.element.Rounding;
import dev.rechunker.element.ValueCast;
import dev.rechunker.element.ValueCast.OutOfRange;
import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A step that gives numbers another type. */
final class CastStep extends ValueStep {
    static final String NAME = "cast";

    /** The attributes that have the type of the array. */
    private static final List<String> OF_THE_TYPE =
            List.of("valid_min", "valid_max", "valid_range", "flag_values", "flag_masks", "actual_range");

    private CastStep(String text) {
        super(NAME, text);
    }

    static CastStep parse(String text) {
        return new CastStep(text);
    }

    @Override
    boolean isWord(String word) {
        return ValueTypes.named(word).isPresent();
    }

    @Override
    Set<String> options() {
        return Set.of("round", "overflow", "fill", "seed");
    }

    @Override
    String form() {
        return "a type of numbers, such as float32 or int16:round=even,overflow=clip,fill=-1, or pattern=type for some"
                + " arrays; roundings are even, away, zero, up, down, stochastic (with seed=N); overflow is fail, clip,"
                + " wrap, missing";
    }

    @Override
    void requireValid(Rule rule) {
        rounding(rule);
        seed(rule);
        OutOfRange outOfRange = outOfRange(rule);
        DataType type = ValueTypes.named(rule.word()).orElseThrow();
        RealType real = ValueTypes.real(type).orElseThrow();
        if (outOfRange == OutOfRange.WRAP && real.isFloat()) {
            throw new IllegalArgumentException(
                    NAME + " \"" + rule.text() + "\" wraps " + type + ", but only integers can be wrapped");
        }
        if (rule.options().containsKey("fill")) {
            fill(rule, real);
        }
    }

    /** {@return the rounding that a rule asks for} */
    static Rounding rounding(Rule rule) {
        return switch (rule.option("round", "even")) {
            case "even" -> Rounding.NEAREST_EVEN;
            case "away" -> Rounding.NEAREST_AWAY;
            case "zero" -> Rounding.TOWARDS_ZERO;
            case "up" -> Rounding.TOWARDS_POSITIVE;
            case "down" -> Rounding.TOWARDS_NEGATIVE;
            case "stochastic" -> Rounding.STOCHASTIC;
            default ->
                throw new IllegalArgumentException("\"" + rule.text() + "\" has the rounding \""
                        + rule.option("round", "") + "\"; it is even, away, zero, up, down or stochastic");
        };
    }

    /** {@return what a rule asks for with numbers that are out of range} */
    static OutOfRange outOfRange(Rule rule) {
        return switch (rule.option("overflow", "fail")) {
            case "fail" -> OutOfRange.REFUSE;
            case "clip" -> OutOfRange.CLIP;
            case "wrap" -> OutOfRange.WRAP;
            case "missing" -> OutOfRange.MISSING;
            default ->
                throw new IllegalArgumentException("\"" + rule.text() + "\" has the overflow \""
                        + rule.option("overflow", "") + "\"; it is fail, clip, wrap or missing");
        };
    }

    /** {@return the seed of stochastic rounding} */
    static long seed(Rule rule) {
        try {
            return Long.parseLong(rule.option("seed", "0"));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + rule.text() + "\" has a seed that is no whole number", e);
        }
    }

    /** {@return the bits of the missing value that a rule states} */
    static long fill(Rule rule, RealType type) {
        try {
            return type.parse(rule.option("fill", ""));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "\"" + rule.text() + "\" has a missing value that is not of type " + type.name(), e);
        }
    }

    /** {@return the missing value of numbers of a type that need one and state none} */
    static Optional<Long> usualMissing(RealType type) {
        if (type.isFloat()) {
            return type.floats() != null && type.floats().hasNan()
                    ? Optional.of(type.ofValue(Double.NaN))
                    : Optional.empty();
        }
        return type.bits() == 1
                ? Optional.empty()
                : Optional.of(type.signed() ? type.smallestInteger() : type.largestInteger());
    }

    @Override
    Optional<ValueChange> change(Rule rule, String place, ArraySpec spec) throws StoreException {
        DataType type = ValueTypes.named(rule.word()).orElseThrow();
        if (type.equals(spec.dataType())) {
            return Optional.empty();
        }
        RealType from = ValueTypes.real(spec.dataType())
                .orElseThrow(() -> new StoreException(place + " has elements of type " + spec.dataType()
                        + ", which are no numbers and cannot become " + type));
        RealType to = ValueTypes.real(type).orElseThrow();
        int parts = ValueTypes.parts(spec.dataType());
        int newParts = ValueTypes.parts(type);
        if (parts > newParts) {
            throw new StoreException(
                    place + " has complex numbers, which cannot become " + type + " without their imaginary parts");
        }
        if (UnpackStep.isPacked(spec)) {
            throw new StoreException(place + " has packed numbers, with scale_factor or add_offset; unpack it, which"
                    + " also takes a type");
        }
        ValueCast cast = ValueCast.of(from, to, rounding(rule), outOfRange(rule));
        ArraySpec.Builder changed = ValueTypes.typed(spec, type);
        ValueTypes.Attributes attributes = new ValueTypes.Attributes(spec);
        if (newParts == 1) {
            Optional<Long> missing = missing(rule, place, spec, from, to);
            if (missing.isPresent()) {
                cast = cast.withMissing(ValueTypes.missing(spec, from), missing.get());
                changed.missingValue(FillValue.of(ValueTypes.element(to, spec.byteOrder(), missing.get())));
                if (spec.attributes().containsKey("missing_value")) {
                    attributes.set("missing_value", ValueTypes.attribute(to, missing.get()), type.name());
                }
            }
        }
        if (parts == 2 && spec.missingValue().isDefined()) {
            changed.missingValue(FillValue.of(complexMissing(place, spec, cast)));
        }
        for (String attribute : OF_THE_TYPE) {
            convert(attributes, spec, attribute, to, type);
        }
        return Optional.of(
                new ValueChange(place, spec, attributes.in(changed), kernel(cast, parts, newParts), seed(rule)));
    }

    private static byte[] complexMissing(String place, ArraySpec spec, ValueCast cast) throws StoreException {
        ByteBuffer own = ByteBuffer.wrap(
                        spec.missingValue().element(2 * cast.from().size()))
                .order(spec.byteOrder());
        ByteBuffer other = ByteBuffer.allocate(2 * cast.to().size()).order(spec.byteOrder());
        try {
            cast.run(own, other, 2);
            return other.array();
        } catch (ValueCast.Refusal e) {
            throw new StoreException(
                    place + " has missing values, which " + cast.to().name() + " cannot hold", e);
        }
    }

    /** Gives an attribute the type of the numbers, if it had the type that they had, and its numbers exist there. */
    private static void convert(
            ValueTypes.Attributes attributes, ArraySpec spec, String name, RealType to, DataType type) {
        boolean hasType = ValueTypes.type(spec, name)
                .filter(spec.dataType().name()::equals)
                .isPresent();
        List<Object> converted = new ArrayList<>();
        List<Number> numbers = ValueTypes.numbers(spec, name);
        for (Number number : numbers) {
            ValueTypes.exact(to, number).ifPresent(bits -> converted.add(ValueTypes.attribute(to, bits)));
        }
        if (hasType && !converted.isEmpty() && converted.size() == numbers.size()) {
            attributes.setNumbers(name, converted, type.name());
        }
    }

    /** {@return the bits of the missing value of the changed array; empty if there is none} */
    private static Optional<Long> missing(Rule rule, String place, ArraySpec spec, RealType from, RealType to)
            throws StoreException {
        if (rule.options().containsKey("fill")) {
            return Optional.of(fill(rule, to));
        }
        long[] own = ValueTypes.missing(spec, from);
        if (own.length == 0 && outOfRange(rule) != OutOfRange.MISSING) {
            return Optional.empty();
        }
        Optional<Long> same = Optional.empty();
        if (own.length > 0) {
            same = from.isFloat()
                    ? ValueTypes.exact(to, from.value(own[0]))
                    : ValueTypes.exact(to, new BigDecimal(from.text(own[0])));
        }
        Optional<Long> missing = same.isPresent() ? same : usualMissing(to);
        if (missing.isEmpty()) {
            throw new StoreException(place + " has missing values, for which " + to.name()
                    + " has no number; choose one with fill=..., or another type");
        }
        return missing;
    }

    private static ValueChange.Kernel kernel(ValueCast cast, int parts, int newParts) {
        if (parts == newParts) {
            return (elements, target, count, randomness) -> cast.run(elements, target, count * parts, randomness);
        }
        // The real parts are converted to the front, and moved apart from the last to the first.
        int size = cast.to().size();
        return (elements, target, count, randomness) -> {
            cast.run(elements, target, count, randomness);
            for (int i = count - 1; i >= 0; i--) {
                long real = cast.to().get(target, i * size);
                cast.to().put(target, (2 * i + 1) * size, 0);
                cast.to().put(target, 2 * i * size, real);
            }
        };
    }
}
