package dev.rechunker.array;

import dev.rechunker.element.Half;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Conversion of single elements to values of Java, see {@link DataType#value}. */
final class ElementValue {
    private ElementValue() {}

    static Object of(DataType type, ByteOrder order, byte[] element) {
        ByteBuffer bytes = ByteBuffer.wrap(element).order(order);
        return switch (type.kind()) {
            case BOOL -> element[0] != 0;
            case INT, DATETIME, TIMEDELTA -> integer(bytes);
            case UINT -> element.length == 8 ? Long.toUnsignedString(bytes.getLong()) : unsigned(bytes);
            case FLOAT -> finite(real(bytes, element.length));
            case COMPLEX -> {
                double realPart = real(bytes, element.length / 2);
                yield realPart + "+" + real(bytes, element.length / 2) + "i";
            }
            case BYTES -> new String(element, StandardCharsets.ISO_8859_1).replaceAll("\0+$", "");
            case UNICODE -> unicode(bytes);
            case OPAQUE -> "0x" + HexFormat.of().formatHex(element);
            case TEXT -> new String(contents(element), StandardCharsets.UTF_8);
            case BINARY, SEQUENCE -> "0x" + HexFormat.of().formatHex(contents(element));
        };
    }

    /** {@return the bytes of an element of variable length, without its length and padding} */
    static byte[] contents(byte[] element) {
        int length = ByteBuffer.wrap(element).order(ByteOrder.LITTLE_ENDIAN).getInt();
        return Arrays.copyOfRange(
                element,
                DataType.LENGTH_SIZE,
                DataType.LENGTH_SIZE + Math.min(Math.max(length, 0), element.length - DataType.LENGTH_SIZE));
    }

    private static long integer(ByteBuffer bytes) {
        return switch (bytes.remaining()) {
            case 1 -> bytes.get();
            case 2 -> bytes.getShort();
            case 4 -> bytes.getInt();
            default -> bytes.getLong();
        };
    }

    private static long unsigned(ByteBuffer bytes) {
        int bits = 8 * bytes.remaining();
        return integer(bytes) & ((1L << bits) - 1);
    }

    private static double real(ByteBuffer bytes, int size) {
        return switch (size) {
            case 2 -> Half.toDouble(bytes.getShort());
            case 4 -> Double.parseDouble(Float.toString(bytes.getFloat()));
            default -> bytes.getDouble();
        };
    }

    private static Object finite(double value) {
        if (Double.isFinite(value)) {
            return value;
        }
        return Double.toString(value);
    }

    private static String unicode(ByteBuffer bytes) {
        StringBuilder text = new StringBuilder();
        while (bytes.hasRemaining()) {
            int point = bytes.getInt();
            if (point != 0) {
                text.appendCodePoint(Character.isValidCodePoint(point) ? point : '?');
            }
        }
        return text.toString();
    }
}
