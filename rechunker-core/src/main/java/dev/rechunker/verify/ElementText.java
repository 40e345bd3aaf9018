package dev.rechunker.verify;

import dev.rechunker.array.DataType;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** Elements as text, for messages. */
final class ElementText {
    private ElementText() {}

    /** {@return the value and the bits of an element, as in {@code 1.5 (0x3fc00000)}} */
    static String text(DataType type, ByteOrder order, byte[] element) {
        Object value = type.value(order, element);
        return type.kind() == DataType.Kind.OPAQUE || type.isVariable()
                ? value.toString()
                : value + " (0x" + HexFormat.of().formatHex(bits(type, order, element)) + ")";
    }

    /** {@return the bytes of an element, the most significant byte of each word first} */
    private static byte[] bits(DataType type, ByteOrder order, byte[] element) {
        byte[] ordered = element.clone();
        int word = type.wordSize();
        if (order == ByteOrder.LITTLE_ENDIAN) {
            for (int i = 0; i < ordered.length; i++) {
                ordered[i] = element[i / word * word + word - 1 - i % word];
            }
        }
        return ordered;
    }
}
