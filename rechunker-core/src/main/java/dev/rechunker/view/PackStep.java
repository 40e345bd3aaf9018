package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.LinearMap;
import dev.rechunker.element.RealType;
import dev.rechunker.element.Rounding;
import dev.rechunker.element.ValueCast;
import dev.rechunker.element.ValueCast.OutOfRange;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A step that packs numbers into integers by the CF conventions: {@code scale_factor}, {@code add_offset} and a missing
 * value. Packed numbers are the nearest ones, computed in binary64.
 */
final class PackStep extends ValueStep {
    static final String NAME = "pack";

    private static final String AUTO = "auto";

    private PackStep(String text) {
        super(NAME, text);
    }

    static PackStep parse(String text) {
        return new PackStep(text);
    }

    @Override
    boolean isWord(String word) {
        return ValueTypes.named(word)
                .filter(type -> type.kind() == DataType.Kind.INT || type.kind() == DataType.Kind.UINT)
                .isPresent();
    }

    @Override
    Set<String> options() {
        return Set.of(AUTO, "scale", "offset", "fill", "overflow");
    }

    @Override
    String form() {
        return "a type of integers, such as int16, int16:scale=0.01,offset=273 or int16:auto, or pattern=int16 for some"
                + " arrays; further options are fill=N and overflow=fail, clip or missing";
    }

    @Override
    void requireValid(Rule rule) {
        if (isAuto(rule)
                && (rule.options().containsKey("scale") || rule.options().containsKey("offset"))) {
            throw new IllegalArgumentException(
                    NAME + " \"" + rule.text() + "\" states scale or offset, which auto finds");
        }
        if (!rule.option(AUTO, "").isEmpty()) {
            throw new IllegalArgumentException(NAME + " \"" + rule.text() + "\" gives auto a value");
        }
        double scale = number(rule, "scale", 1);
        double offset = number(rule, "offset", 0);
        if (scale == 0 || !Double.isFinite(scale) || !Double.isFinite(offset)) {
            throw new IllegalArgumentException(
                    NAME + " \"" + rule.text() + "\" has a scale or offset that is not possible");
        }
        if (CastStep.outOfRange(rule) == OutOfRange.WRAP) {
            throw new IllegalArgumentException(NAME + " \"" + rule.text() + "\" wraps, which packed numbers cannot");
        }
        fill(rule);
    }

    private static boolean isAuto(Rule rule) {
        return rule.options().containsKey(AUTO)
                || !(rule.options().containsKey("scale") || rule.options().containsKey("offset"));
    }

    private static double number(Rule rule, String option, double otherwise) {
        try {
            String text = rule.options().get(option);
            return text == null ? otherwise : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    NAME + " \"" + rule.text() + "\" has a " + option + " that is no number", e);
        }
    }

    private static RealType packed(Rule rule) {
        return RealType.of(rule.word()).orElseThrow();
    }

    /**
     * {@return the bits of the packed number for missing ones: by default the lowest signed, or highest unsigned one}
     */
    private static long fill(Rule rule) {
        RealType type = packed(rule);
        return rule.options().containsKey("fill")
                ? CastStep.fill(rule, type)
                : CastStep.usualMissing(type).orElseThrow();
    }

    /** {@return the rule with the scale and the offset for the smallest and the largest number of the array} */
    @Override
    Rule settled(Rule rule, StoreLocation place, ArraySpec spec, ScanLimits limits) throws IOException {
        if (!isAuto(rule)) {
            return rule;
        }
        requireReal(place.toString(), spec);
        ValueScan.Range range = ValueScan.range(place, limits);
        RealType type = packed(rule);
        long fill = fill(rule);
        long low = type.smallestInteger() + (fill == type.smallestInteger() ? 1 : 0);
        long high = type.largestInteger() - (fill == type.largestInteger() ? 1 : 0);
        if (fill > low && fill < high) {
            throw new IllegalArgumentException(
                    NAME + " \"" + rule.text() + "\" finds scale and offset only with a missing"
                            + " value at an end of the range; leave fill out, or state scale and offset");
        }
        // Integers of 64 bits near the ends are no numbers of binary64.
        double first = type.bits() == Long.SIZE && type.signed() ? -(0x1p63 - 1024) : low;
        double last = type.bits() == Long.SIZE ? (type.signed() ? 0x1p63 - 1024 : 0x1p64 - 2048) : high;
        boolean isSingle = spec.dataType().equals(DataType.FLOAT32);
        double offset = range.isEmpty() ? 0 : type.signed() ? range.least() / 2 + range.most() / 2 : range.least();
        double scale = 1;
        if (range.least() < range.most()) {
            offset = isSingle ? lower((float) offset, offset) : offset;
            scale = range.most() / last - offset / last;
            scale = first < 0 ? Math.max(scale, range.least() / first - offset / first) : scale;
            scale = isSingle
                    ? Math.max(Float.MIN_NORMAL, Math.nextUp((float) scale))
                    : Math.max(Double.MIN_NORMAL, scale);
        }
        Map<String, String> options = new LinkedHashMap<>(rule.options());
        options.remove(AUTO);
        options.put("scale", String.valueOf(scale));
        options.put("offset", String.valueOf(offset));
        String text = options.entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue())
                .collect(Collectors.joining(",", rule.word() + ":", ""));
        return new Rule(text, rule.word(), options);
    }

    /** {@return a float that is not above a number, given the nearest one} */
    private static double lower(float nearest, double number) {
        return nearest > number ? Math.nextDown(nearest) : nearest;
    }

    private static RealType requireReal(String place, ArraySpec spec) throws StoreException {
        Optional<RealType> real = ValueTypes.real(spec.dataType())
                .filter(type -> ValueTypes.parts(spec.dataType()) == 1 && type.bits() > 1);
        if (real.isEmpty()) {
            throw new StoreException(place + " has elements of type " + spec.dataType()
                    + ", which cannot be packed; integers and floats can");
        }
        if (UnpackStep.isPacked(spec)) {
            throw new StoreException(place + " is packed already, with scale_factor or add_offset; unpack it first");
        }
        return real.get();
    }

    @Override
    Optional<ValueChange> change(Rule rule, String place, ArraySpec spec) throws StoreException {
        RealType from = requireReal(place, spec);
        RealType to = packed(rule);
        DataType type = ValueTypes.named(rule.word()).orElseThrow();
        String factors = spec.dataType().equals(DataType.FLOAT32) && isSingle(rule) ? "float32" : "float64";
        double scale = number(rule, "scale", 1);
        double offset = number(rule, "offset", 0);
        LinearMap linear = new LinearMap(scale, offset, false);
        long fill = fill(rule);
        ValueCast cast = ValueCast.of(from, to, Rounding.NEAREST_EVEN, CastStep.outOfRange(rule))
                .withMissing(ValueTypes.missing(spec, from), fill)
                .withLinear(linear, false);
        ValueTypes.Attributes attributes = new ValueTypes.Attributes(spec);
        attributes.remove("missing_value");
        attributes.set("scale_factor", scale, factors);
        attributes.set("add_offset", offset, factors);
        for (String range : ValueTypes.RANGES) {
            packRange(attributes, spec, range, linear, to, fill);
        }
        ArraySpec.Builder changed =
                ValueTypes.typed(spec, type).missingValue(FillValue.of(ValueTypes.element(to, spec.byteOrder(), fill)));
        return Optional.of(new ValueChange(place, spec, attributes.in(changed), cast::run, 0));
    }

    private static boolean isSingle(Rule rule) {
        double scale = number(rule, "scale", 1);
        double offset = number(rule, "offset", 0);
        return (float) scale == scale && (float) offset == offset;
    }

    /** Packs a range of valid numbers, whose ends beyond the packed ones become the first or last of these. */
    private static void packRange(
            ValueTypes.Attributes attributes, ArraySpec spec, String name, LinearMap linear, RealType to, long fill) {
        List<Object> packed = new ArrayList<>();
        ValueCast cast = ValueCast.of(RealType.of("float64").orElseThrow(), to, Rounding.NEAREST_EVEN, OutOfRange.CLIP)
                .withMissing(new long[0], fill)
                .withLinear(linear, false);
        for (Number number : ValueTypes.numbers(spec, name)) {
            try {
                packed.add(to.json(cast.convert(Double.doubleToLongBits(number.doubleValue()))));
            } catch (ValueCast.Refusal e) {
                attributes.remove(name);
                return;
            }
        }
        if (!packed.isEmpty()) {
            attributes.setNumbers(name, packed, to.name());
        }
    }
}
