package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.element.CfTime;
import dev.rechunker.element.CfTime.Period;
import dev.rechunker.element.Half;
import dev.rechunker.job.CoordinateSearch.Bounds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the elements of a coordinate array mean: numbers, which may be packed, or times. Numbers of floating point are
 * compared in the type of the array or, if it is packed, in the type that readers of netCDF unpack it to. Times are
 * nanoseconds; those in floating point are rounded to microseconds.
 */
final class CoordinateMeaning {
    private final String place;
    private final ArraySpec spec;
    private final DataType type;
    private final @Nullable CfTime time;
    private final boolean isUnsigned;
    /** The factor and the offset of packed numbers; null if they are not packed. */
    private final double @Nullable [] packing;
    /** Whether numbers have the precision of 4 bytes. */
    private final boolean isSingle;

    private CoordinateMeaning(String place, ArraySpec spec, @Nullable CfTime time) {
        this.place = place;
        this.spec = spec;
        this.type = spec.dataType();
        this.time = time;
        this.isUnsigned = type.kind() == DataType.Kind.UINT
                || "true".equals(spec.attributes().get("_Unsigned"));
        Object factor = spec.attributes().get("scale_factor");
        Object offset = spec.attributes().get("add_offset");
        this.packing = factor instanceof Number || offset instanceof Number
                ? new double[] {
                    factor instanceof Number number ? number.doubleValue() : 1,
                    offset instanceof Number number ? number.doubleValue() : 0
                }
                : null;
        this.isSingle = packing == null
                ? type.kind() == DataType.Kind.FLOAT && type.itemSize() < 8
                : type.itemSize() <= 2
                        && isSingle("scale_factor")
                        && (!spec.attributes().containsKey("add_offset") || isSingle("add_offset"));
    }

    private boolean isSingle(String attribute) {
        AttributeType kind = spec.attributeTypes().get(attribute);
        return kind != null && kind.toString().startsWith("float32");
    }

    /**
     * {@return the meaning of an array}
     *
     * @throws IllegalArgumentException if the elements are neither numbers nor times
     */
    static CoordinateMeaning of(String place, ArraySpec spec) {
        return switch (spec.dataType().kind()) {
            case INT, UINT, FLOAT -> new CoordinateMeaning(place, spec, time(place, spec));
            case DATETIME -> new CoordinateMeaning(place, spec, ofType(place, spec.dataType()));
            case BOOL, COMPLEX, BYTES, UNICODE, TIMEDELTA, OPAQUE, TEXT, BINARY, SEQUENCE ->
                throw new IllegalArgumentException(place
                        + " has elements of type " + spec.dataType().name()
                        + ", in which no values can be searched; use indices");
        };
    }

    private static @Nullable CfTime time(String place, ArraySpec spec) {
        if (!(spec.attributes().get("units") instanceof String units) || !units.contains(" since ")) {
            return null;
        }
        Object calendar = spec.attributes().get("calendar");
        return CfTime.of(units, calendar instanceof String name ? name : null)
                .orElseThrow(() -> new IllegalArgumentException("the times of " + place + ", \"" + units + "\""
                        + (calendar == null ? "" : " in the calendar " + calendar)
                        + ", are not understood, so that no values can be searched; use indices"));
    }

    private static CfTime ofType(String place, DataType type) {
        return CfTime.of(type.detail() + " since 1970-01-01", "proleptic_gregorian")
                .orElseThrow(() -> new IllegalArgumentException("the times of " + place + " are of type " + type
                        + ", which is not understood, so that no values can be searched; use indices"));
    }

    /** {@return the value of an element; empty if it is missing} */
    Optional<BigDecimal> value(long bits) {
        if (isMissing(bits)) {
            return Optional.empty();
        }
        if (type.kind() == DataType.Kind.FLOAT || packing != null) {
            double number = unpacked(
                    type.kind() == DataType.Kind.FLOAT
                            ? real(bits)
                            : integer(bits).doubleValue());
            if (!Double.isFinite(number)) {
                return Optional.empty();
            }
            return Optional.of(time == null ? new BigDecimal(number) : instant(time, new BigDecimal(number)));
        }
        BigDecimal number = new BigDecimal(integer(bits));
        return Optional.of(
                time == null
                        ? number
                        : number.multiply(new BigDecimal(time.unit())).add(new BigDecimal(time.epoch())));
    }

    private static BigDecimal instant(CfTime time, BigDecimal number) {
        return number.multiply(new BigDecimal(time.unit()))
                .movePointLeft(3)
                .setScale(0, RoundingMode.HALF_EVEN)
                .movePointRight(3)
                .add(new BigDecimal(time.epoch()));
    }

    private double unpacked(double number) {
        if (packing == null) {
            return number;
        }
        return isSingle ? (float) number * (float) packing[0] + (float) packing[1] : number * packing[0] + packing[1];
    }

    private double real(long bits) {
        return switch (type.itemSize()) {
            case 2 -> Half.toDouble((short) bits);
            case 4 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    private BigInteger integer(long bits) {
        if (!isUnsigned) {
            return BigInteger.valueOf(bits);
        }
        BigInteger all = BigInteger.ONE.shiftLeft(8 * type.itemSize());
        return bits < 0 ? BigInteger.valueOf(bits).add(all) : BigInteger.valueOf(bits);
    }

    private boolean isMissing(long bits) {
        if (type.kind() == DataType.Kind.DATETIME && bits == Long.MIN_VALUE) {
            return true;
        }
        return spec.missingValue().bytes().isPresent()
                && CoordinateValues.bits(spec, spec.missingValue().bytes().get()) == bits;
    }

    /**
     * {@return the values that a range selects}
     *
     * @throws IllegalArgumentException if it states dates although the elements are numbers, or the other way round
     */
    Bounds bounds(ValueRange range) {
        if (time == null) {
            BigDecimal from = range.from().isEmpty() ? null : number(range.from());
            BigDecimal to = range.to().isEmpty() ? null : number(range.to());
            boolean falls = from != null && to != null && from.compareTo(to) > 0;
            return falls ? new Bounds(to, from, true) : new Bounds(from, to, true);
        }
        Period from = range.from().isEmpty() ? null : period(time, range.from());
        Period to = range.to().isEmpty() ? null : period(time, range.to());
        boolean falls = from != null && to != null && from.start().compareTo(to.start()) > 0;
        Period early = falls ? to : from;
        Period late = falls ? from : to;
        return new Bounds(
                early == null ? null : new BigDecimal(early.start()),
                late == null ? null : new BigDecimal(late.end()),
                false);
    }

    private BigDecimal number(String text) {
        try {
            if (type.kind() != DataType.Kind.FLOAT && packing == null) {
                return new BigDecimal(text);
            }
            return new BigDecimal(isSingle ? Float.parseFloat(text) : Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    place + " has numbers and no dates; instead of " + text + " write a number such as 40.0 or @40", e);
        }
    }

    private Period period(CfTime meaning, String text) {
        if (!CfTime.isDate(text)) {
            throw new IllegalArgumentException(
                    place + " has times; instead of " + text + " write a date such as 2020-01-31 or 2020-01-31T12:00");
        }
        return meaning.period(text)
                .orElseThrow(() -> new IllegalArgumentException(text + " is no date of the calendar of " + place + ", "
                        + spec.attributes().getOrDefault("calendar", "standard")));
    }

    /** {@return a value as text} */
    String text(BigDecimal value) {
        return time != null
                ? time.text(value.toBigInteger())
                : isSingle
                        ? String.valueOf(value.floatValue())
                        : type.kind() == DataType.Kind.FLOAT || packing != null
                                ? String.valueOf(value.doubleValue())
                                : value.toPlainString();
    }
}
