package dev.rechunker.view;

import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.element.BitRounding;
import dev.rechunker.element.FloatFormat;
import dev.rechunker.element.RealType;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A step that rounds floats to a number of bits of the fraction, ties to even, so that they compress better. NaN,
 * infinity and missing numbers stay as they are, and so do numbers that would become infinite or missing.
 */
final class BitRoundStep extends ValueStep {
    static final String NAME = "bitround";

    /** The attribute with which netCDF says how many bits there are. */
    private static final String NETCDF = "_QuantizeBitRoundNumberOfSignificantBits";

    private static final String AUTO = "auto";

    private BitRoundStep(String text) {
        super(NAME, text);
    }

    static BitRoundStep parse(String text) {
        return new BitRoundStep(text);
    }

    @Override
    boolean isWord(String word) {
        return word.equals(AUTO) || word.matches("\\d{1,2}");
    }

    @Override
    Set<String> options() {
        return Set.of("information", "axis");
    }

    @Override
    String form() {
        return "a number of bits, auto, or auto:information=0.99,axis=lon, or pattern=7 for some arrays";
    }

    @Override
    void requireValid(Rule rule) {
        if (!rule.word().equals(AUTO) && !rule.options().isEmpty()) {
            throw new IllegalArgumentException(NAME + " \"" + rule.text() + "\" has options, which are for auto");
        }
        information(rule);
    }

    private static double information(Rule rule) {
        try {
            double share = Double.parseDouble(rule.option("information", "0.99"));
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // is refused like a number that is not possible
        }
        throw new IllegalArgumentException(
                NAME + " \"" + rule.text() + "\" has an information that is not above 0 and at most 1");
    }

    @Override
    boolean isUsual(ArraySpec spec) {
        return super.isUsual(spec) || spec.dataType().kind() == DataType.Kind.COMPLEX;
    }

    @Override
    Rule settled(Rule rule, StoreLocation place, ArraySpec spec, ScanLimits limits) throws IOException {
        if (!rule.word().equals(AUTO)) {
            return rule;
        }
        requireFloats(place.toString(), spec);
        int axis = -1;
        String name = rule.options().get("axis");
        for (int i = 0; i < spec.shape().rank() && name != null; i++) {
            axis = NamedAxes.name(spec, i).equals(name) || String.valueOf(i).equals(name) ? i : axis;
        }
        if (name != null && axis < 0) {
            throw new IllegalArgumentException(
                    NAME + " \"" + rule.text() + "\" names axis " + name + ", which " + place + " does not have");
        }
        int bits = ValueScan.keepBits(place, axis, information(rule), limits);
        return new Rule(String.valueOf(bits), String.valueOf(bits), Map.of());
    }

    private static RealType requireFloats(String place, ArraySpec spec) throws StoreException {
        return ValueTypes.real(spec.dataType())
                .filter(RealType::isFloat)
                .filter(type -> spec.dataType().kind() != DataType.Kind.OPAQUE)
                .orElseThrow(() -> new StoreException(place + " has elements of type " + spec.dataType()
                        + "; only floats can be rounded to a number of bits"));
    }

    @Override
    Optional<ValueChange> change(Rule rule, String place, ArraySpec spec) throws StoreException {
        RealType type = requireFloats(place, spec);
        int all = FloatFormat.ofSize(type.size()).fractionBits();
        int keep = Integer.parseInt(rule.word());
        if (keep >= all) {
            return Optional.empty();
        }
        int parts = ValueTypes.parts(spec.dataType());
        long[] missing = ValueTypes.missing(spec, type);
        ValueTypes.Attributes attributes = new ValueTypes.Attributes(spec);
        if (keep > 0 && type.size() >= 4 && parts == 1) {
            attributes.set(NETCDF, (long) keep, "int32");
        }
        List<CodecSpec> codecs = new ArrayList<>(spec.codecs());
        codecs.removeIf(codec -> codec.name().equals(NAME));
        ArraySpec.Builder changed =
                attributes.in(spec.toBuilder()).codecs(codecs).missingValue(spec.missingValue());
        int drop = all - keep;
        return Optional.of(new ValueChange(
                place,
                spec,
                changed,
                (elements, target, count, randomness) -> round(type, drop, missing, elements, target, count * parts),
                0));
    }

    private static void round(
            RealType type, int drop, long[] missing, ByteBuffer elements, ByteBuffer target, int count) {
        int size = type.size();
        // Infinity has the bits of the exponent, all of which NaN has as well.
        long infinity = type.ofValue(Double.POSITIVE_INFINITY);
        for (int at = 0; at < count * size; at += size) {
            long bits = type.get(elements, at);
            long rounded = type.extended(BitRounding.rounded(bits, drop));
            boolean isRounded = (bits & infinity) != infinity
                    && (rounded & infinity) != infinity
                    && !Longs.contains(missing, bits)
                    && !Longs.contains(missing, rounded);
            type.put(target, at, isRounded ? rounded : bits);
        }
    }
}
