package dev.rechunker.io.codec;

import java.math.BigDecimal;
import java.nio.ByteOrder;

/**
 * A number in the options of a filter, which is an integer or a float as written. In operations with arrays, the rules
 * of NumPy before 2.0 apply: the type of the result depends on the value.
 */
record Scalar(boolean isFloat, long integer, double value) {
    /** {@return a scalar: an integer, or a float if the number is written with a decimal point or an exponent} */
    static Scalar of(Number number) {
        String text = number.toString();
        try {
            long integer = Long.parseLong(text);
            return new Scalar(false, integer, integer);
        } catch (NumberFormatException e) {
            return new Scalar(true, 0, number instanceof Double real ? real : parse(text));
        }
    }

    private static double parse(String text) {
        return new BigDecimal(text).doubleValue();
    }

    /** {@return the type of the result of an operation of an array and this scalar} */
    NumberType resultType(NumberType array) {
        if (isFloat && !array.isFloat()) {
            return NumberType.FLOAT64;
        }
        if (isFloat) {
            double magnitude = Math.abs(value);
            int size = magnitude < 65000 || !Double.isFinite(value) ? 2 : magnitude < 3.4e38 ? 4 : 8;
            return NumberType.promote(array, type(NumberType.Kind.FLOAT, size));
        }
        if (integer >= 0 && array.kind() != NumberType.Kind.INT) {
            return NumberType.promote(
                    array, type(NumberType.Kind.UINT, bytes(64 - Long.numberOfLeadingZeros(integer))));
        }
        int bits = 65 - Long.numberOfLeadingZeros(integer < 0 ? ~integer : integer);
        if (integer >= 0 && array.kind() == NumberType.Kind.INT && bits > 8 * array.size()) {
            return NumberType.promote(array, type(NumberType.Kind.UINT, bytes(bits - 1)));
        }
        return NumberType.promote(array, type(NumberType.Kind.INT, bytes(bits)));
    }

    private static int bytes(int bits) {
        return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    }

    private static NumberType type(NumberType.Kind kind, int size) {
        return new NumberType(kind, size, ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return the value rounded to a type of floats} */
    double in(NumberType type) {
        return type.round(value);
    }

    @Override
    public String toString() {
        return isFloat ? Double.toString(value) : Long.toString(integer);
    }
}
