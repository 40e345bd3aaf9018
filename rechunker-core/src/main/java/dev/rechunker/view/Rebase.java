package dev.rechunker.view;

import com.google.common.primitives.Bytes;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.CfTime;
import dev.rechunker.hierarchy.Attributes;
import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of numbers of time to other units, such as from {@code hours since 2021-01-01} to {@code days since
 * 2020-01-01}, and perhaps to another type. The times stay the same: whole numbers are exact, and numbers in floating
 * point mean the same microsecond, to which readers round them. A number for which that is not possible is refused.
 */
public final class Rebase {
    /** The attributes of an array whose numbers are not changed here. */
    private static final List<String> OBSTACLES =
            List.of("scale_factor", "add_offset", "_Unsigned", "valid_min", "valid_max", "valid_range", "flag_values");

    private static final String CALENDAR = "calendar";

    private final String place;
    private final ArraySpec from;
    private final ArraySpec to;
    private final CfTime own;
    private final CfTime wanted;
    private final Map<String, @Nullable Object> attributes;
    private final List<BigDecimal> missing;

    private Rebase(
            String place,
            ArraySpec from,
            ArraySpec to,
            CfTime own,
            CfTime wanted,
            Map<String, @Nullable Object> attributes) {
        this.place = place;
        this.from = from;
        this.to = to;
        this.own = own;
        this.wanted = wanted;
        this.attributes = attributes;
        Object value = from.attributes().get("missing_value");
        this.missing = (value instanceof List<?> list ? list : value == null ? List.of() : List.of(value))
                .stream()
                        .filter(Number.class::isInstance)
                        .map(number -> new BigDecimal(number.toString()))
                        .toList();
    }

    /**
     * {@return the change of an array to the units, the calendar and the type of another one; empty if they have the
     * same units and calendar, or are no times, or the first dates of their units differ in their calendars}
     *
     * @param place the array in messages
     * @throws StoreException if the units differ, and an attribute says that the stored numbers are not the times
     */
    static Optional<Rebase> of(String place, ArraySpec from, ArraySpec to) throws StoreException {
        Optional<CfTime> own = time(from);
        Optional<CfTime> wanted = time(to);
        boolean hasSameUnits = Attributes.mean(from.attributes(), to.attributes(), "units");
        boolean hasSameCalendar = Attributes.mean(from.attributes(), to.attributes(), CALENDAR);
        boolean isPossible = own.isPresent()
                && wanted.isPresent()
                && own.get().hasSameDate(wanted.get(), own.get().epoch())
                && own.get().hasSameDate(wanted.get(), wanted.get().epoch())
                && isNumber(from.dataType())
                && isNumber(to.dataType());
        List<String> obstacles = obstacles(from, to);
        if (!isPossible || (hasSameUnits && (hasSameCalendar || !obstacles.isEmpty()))) {
            return Optional.empty();
        }
        if (!obstacles.isEmpty()) {
            throw new StoreException(place + " has times in \""
                    + from.attributes().get("units")
                    + "\", which cannot be changed to \"" + to.attributes().get("units")
                    + "\" because it has " + String.join(", ", obstacles)
                    + "; store them without it, or in the same units as those that they are joined with");
        }
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(from.attributes());
        attributes.put("units", to.attributes().get("units"));
        if (!hasSameCalendar) {
            attributes.put(CALENDAR, to.attributes().getOrDefault(CALENDAR, "standard"));
        }
        return Optional.of(new Rebase(place, from, to, own.get(), wanted.get(), attributes));
    }

    /** {@return the same change of the bounds of the array, which have its units; empty if they have their own} */
    Optional<Rebase> ofBounds(String place, ArraySpec bounds, ArraySpec wantedBounds) {
        boolean inherit = !bounds.attributes().containsKey("units")
                && !wantedBounds.attributes().containsKey("units")
                && arePlain(bounds, wantedBounds);
        return inherit
                ? Optional.of(new Rebase(place, bounds, wantedBounds, own, wanted, bounds.attributes()))
                : Optional.empty();
    }

    private static boolean arePlain(ArraySpec from, ArraySpec to) {
        return isNumber(from.dataType())
                && isNumber(to.dataType())
                && obstacles(from, to).isEmpty();
    }

    private static List<String> obstacles(ArraySpec from, ArraySpec to) {
        return OBSTACLES.stream()
                .filter(name ->
                        from.attributes().containsKey(name) || to.attributes().containsKey(name))
                .toList();
    }

    private static boolean isNumber(DataType type) {
        return switch (type.kind()) {
            case INT, UINT -> true;
            case FLOAT -> type.itemSize() >= 4;
            case BOOL, COMPLEX, BYTES, UNICODE, DATETIME, TIMEDELTA, OPAQUE, TEXT, BINARY, SEQUENCE -> false;
        };
    }

    private static Optional<CfTime> time(ArraySpec spec) {
        Object calendar = spec.attributes().get(CALENDAR);
        return spec.attributes().get("units") instanceof String units
                ? CfTime.of(units, calendar instanceof String name ? name : null)
                : Optional.empty();
    }

    /** {@return the spec of the changed array} */
    ArraySpec changed(ArraySpec spec) {
        return spec.toBuilder()
                .dataType(to.dataType())
                .byteOrder(to.byteOrder())
                .fillValue(to.fillValue())
                .missingValue(spec.missingValue().bytes().isPresent() ? to.missingValue() : FillValue.UNDEFINED)
                .attributes(attributes)
                .build();
    }

    /**
     * Changes elements.
     *
     * @param elements the elements, from position to limit
     * @param target where the changed ones go, from its position; may be the same if the types have the same size
     * @throws StoreException if a number has no equal in the other units and type
     */
    void change(ByteBuffer elements, ByteBuffer target) throws StoreException {
        int size = from.dataType().itemSize();
        byte[] element = new byte[size];
        int count = elements.remaining() / size;
        for (int i = 0; i < count; i++) {
            elements.get(elements.position() + i * size, element);
            target.put(target.position() + i * to.dataType().itemSize(), changed(element));
        }
    }

    private byte[] changed(byte[] element) throws StoreException {
        Optional<BigDecimal> number = number(from, element);
        if (number.isEmpty() || isMissing(element)) {
            return missing(element);
        }
        BigDecimal value = number.get();
        if (missing.stream().anyMatch(other -> other.compareTo(value) == 0)) {
            return stored(value).orElseThrow(() -> refused(value, value));
        }
        BigDecimal since = value.multiply(new BigDecimal(own.unit()))
                .add(new BigDecimal(own.epoch().subtract(wanted.epoch())));
        if (!own.hasSameDate(wanted, since.toBigInteger().add(wanted.epoch()))) {
            throw new StoreException(place + " has the time " + text(value) + " in \""
                    + from.attributes().get("units")
                    + "\", which is before 1582-10-15 and has another date in the calendar of the array that it is"
                    + " joined with; convert the times to that calendar");
        }
        BigDecimal exact = isFloat(from) ? rounded(since) : since;
        BigDecimal result = (isFloat(to) ? since : exact).divide(new BigDecimal(wanted.unit()), MathContext.DECIMAL128);
        Optional<byte[]> stored = stored(result);
        if (stored.isEmpty()) {
            throw refused(value, result);
        }
        BigDecimal kept = number(to, stored.get()).orElseThrow().multiply(new BigDecimal(wanted.unit()));
        if ((isFloat(to) ? rounded(kept).compareTo(rounded(exact)) : kept.compareTo(exact)) != 0) {
            throw refused(value, result);
        }
        return stored.get();
    }

    private static boolean isFloat(ArraySpec spec) {
        return spec.dataType().kind() == DataType.Kind.FLOAT;
    }

    private static BigDecimal rounded(BigDecimal nanoseconds) {
        return nanoseconds.movePointLeft(3).setScale(0, RoundingMode.HALF_EVEN).movePointRight(3);
    }

    private StoreException refused(BigDecimal number, BigDecimal result) {
        return new StoreException(place + " has the time " + text(number) + " in \""
                + from.attributes().get("units")
                + "\", which would be " + text(result) + " in \""
                + to.attributes().get("units") + "\", but "
                + to.dataType() + " cannot hold that number; store the times in other units or another type");
    }

    private static String text(BigDecimal number) {
        return number.round(MathContext.DECIMAL64).stripTrailingZeros().toPlainString();
    }

    private boolean isMissing(byte[] element) {
        return from.missingValue()
                .bytes()
                .filter(value -> Arrays.equals(value, element))
                .isPresent();
    }

    /** {@return what marks a missing element in the other array} */
    private byte[] missing(byte[] element) throws StoreException {
        if (to.missingValue().bytes().isPresent()) {
            return to.missingValue().bytes().get();
        }
        if (!isFloat(to)) {
            throw new StoreException(
                    place + " has the missing value " + from.dataType().value(from.byteOrder(), element)
                            + ", for which the array that it is joined with has no value");
        }
        byte[] nan = new byte[to.dataType().itemSize()];
        ByteBuffer buffer = ByteBuffer.wrap(nan).order(to.byteOrder());
        return (nan.length == 4 ? buffer.putFloat(Float.NaN) : buffer.putDouble(Double.NaN)).array();
    }

    /** {@return the exact number of an element; empty if it is not finite} */
    private static Optional<BigDecimal> number(ArraySpec spec, byte[] element) {
        ByteBuffer buffer = ByteBuffer.wrap(element).order(spec.byteOrder());
        if (isFloat(spec)) {
            double value = element.length == 4 ? buffer.getFloat() : buffer.getDouble();
            return Double.isFinite(value) ? Optional.of(new BigDecimal(value)) : Optional.empty();
        }
        byte[] bigEndian = element.clone();
        if (spec.byteOrder() == ByteOrder.LITTLE_ENDIAN) {
            Bytes.reverse(bigEndian);
        }
        boolean isUnsigned = spec.dataType().kind() == DataType.Kind.UINT;
        return Optional.of(new BigDecimal(isUnsigned ? new BigInteger(1, bigEndian) : new BigInteger(bigEndian)));
    }

    /** {@return the element of the other array that is nearest to a number; empty if its type has none} */
    private Optional<byte[]> stored(BigDecimal number) {
        byte[] element = new byte[to.dataType().itemSize()];
        ByteBuffer buffer = ByteBuffer.wrap(element).order(to.byteOrder());
        if (isFloat(to)) {
            return Optional.of((element.length == 4
                                    ? buffer.putFloat(number.floatValue())
                                    : buffer.putDouble(number.doubleValue()))
                            .array())
                    .filter(bytes -> number(to, bytes).isPresent());
        }
        BigInteger whole = number.setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
        boolean isUnsigned = to.dataType().kind() == DataType.Kind.UINT;
        int bits = 8 * element.length;
        boolean fits = isUnsigned ? whole.signum() >= 0 && whole.bitLength() <= bits : whole.bitLength() < bits;
        if (!fits) {
            return Optional.empty();
        }
        long value = whole.longValue();
        for (int i = 0; i < element.length; i++) {
            element[to.byteOrder() == ByteOrder.LITTLE_ENDIAN ? i : element.length - 1 - i] = (byte) (value >> (8 * i));
        }
        return Optional.of(element);
    }
}
