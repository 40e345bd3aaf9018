package dev.rechunker.io.n5api;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonPrimitive;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts between fill values and the JSON of Zarr: numbers, {@code "NaN"}, {@code "Infinity"}, {@code "0x7fc00000"}
 * for the bits of a float, and null. Numbers may be in quotation marks, because n5-zarr writes them so.
 */
final class FillValueJson {
    /** The maximum number of digits of an integer of 64 bits. */
    private static final int MOST_DIGITS = 20;

    private FillValueJson() {}

    /** {@return the fill value; undefined if it is null} */
    static FillValue parse(Object where, @Nullable JsonElement json, DataType type, ByteOrder order)
            throws StoreException {
        if (json == null || json.isJsonNull()) {
            return FillValue.UNDEFINED;
        }
        ByteBuffer element = ByteBuffer.allocate(type.itemSize()).order(order);
        try {
            String text = json.getAsString();
            if (type.kind() == Kind.FLOAT) {
                putFloat(element, text);
            } else {
                putInteger(element, text, type.kind() == Kind.INT);
            }
            return FillValue.of(element.array());
        } catch (RuntimeException e) {
            throw new StoreException(
                    where + " has the fill value " + json + ", which is not a value of type " + type, e);
        }
    }

    private static void putFloat(ByteBuffer element, String text) {
        boolean isSingle = element.capacity() == Float.BYTES;
        if (text.startsWith("0x")) {
            putLow(element, isSingle ? Integer.parseUnsignedInt(text, 2, text.length(), 16) : bits(text));
        } else if (isSingle) {
            element.putFloat(Float.parseFloat(text));
        } else {
            element.putDouble(Double.parseDouble(text));
        }
    }

    private static long bits(String text) {
        return Long.parseUnsignedLong(text, 2, text.length(), 16);
    }

    private static void putInteger(ByteBuffer element, String text, boolean isSigned) {
        BigDecimal decimal = new BigDecimal(text.equals("true") ? "1" : text.equals("false") ? "0" : text);
        if (decimal.precision() - (long) decimal.scale() > MOST_DIGITS) {
            throw new ArithmeticException("too large");
        }
        BigInteger number = decimal.toBigIntegerExact();
        int bits = 8 * element.capacity();
        if (isSigned ? number.bitLength() >= bits : number.signum() < 0 || number.bitLength() > bits) {
            throw new ArithmeticException("out of range");
        }
        putLow(element, number.longValue());
    }

    private static void putLow(ByteBuffer element, long word) {
        int size = element.capacity();
        for (int i = 0; i < size; i++) {
            int at = element.order() == ByteOrder.LITTLE_ENDIAN ? i : size - 1 - i;
            element.put(at, (byte) (word >>> (8 * i)));
        }
    }

    /** {@return the JSON of a fill value, null if it is undefined; empty if the JSON would be read as another value} */
    static Optional<JsonElement> toJson(FillValue fill, DataType type, ByteOrder order) {
        if (!fill.isDefined()) {
            return Optional.of(JsonNull.INSTANCE);
        }
        ByteBuffer element = ByteBuffer.wrap(fill.element(type.itemSize())).order(order);
        JsonElement json = type.kind() == Kind.FLOAT ? jsonFloat(element) : jsonInteger(element, type);
        try {
            return parse("", json, type, order).equals(fill) ? Optional.of(json) : Optional.empty();
        } catch (StoreException e) {
            return Optional.empty();
        }
    }

    private static JsonElement jsonFloat(ByteBuffer element) {
        // The digits of the float, not of the double with the same value.
        double number = element.capacity() == Float.BYTES
                ? Double.parseDouble(Float.toString(element.getFloat(0)))
                : element.getDouble(0);
        return Double.isFinite(number) ? new JsonPrimitive(number) : new JsonPrimitive(Double.toString(number));
    }

    private static JsonElement jsonInteger(ByteBuffer element, DataType type) {
        int size = element.capacity();
        byte[] bigEndian = new byte[size];
        for (int i = 0; i < size; i++) {
            bigEndian[i] = element.get(element.order() == ByteOrder.BIG_ENDIAN ? i : size - 1 - i);
        }
        return new JsonPrimitive(type.kind() == Kind.INT ? new BigInteger(bigEndian) : new BigInteger(1, bigEndian));
    }
}
