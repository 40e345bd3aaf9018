package dev.rechunker.io.hdf5.write;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/** Creates datatype messages for tests of reading. */
public final class DatatypeBytes {
    private static final MessageBytes INTEGER = DatatypeMessage.integer(1, true, ByteOrder.LITTLE_ENDIAN);

    private DatatypeBytes() {}

    /** {@return a compound with fields {@code one} and {@code two}} */
    public static byte[] compound() {
        return DatatypeMessage.compound(
                        List.of(DatatypeMessage.field("one", 0, INTEGER), DatatypeMessage.field("two", 1, INTEGER)), 2)
                .toArray();
    }

    /** {@return an enumeration of {@code one} and {@code two}} */
    public static byte[] enumeration() {
        return DatatypeMessage.enumeration(INTEGER, 1, ByteOrder.LITTLE_ENDIAN, Map.of("one", 1L, "two", 2L))
                .toArray();
    }

    /** {@return a compound of opaque bytes, one with a tag, in a compound with an enumeration} */
    public static byte[] nested() {
        MessageBytes inner = DatatypeMessage.compound(
                List.of(
                        DatatypeMessage.field("tagged", 0, DatatypeMessage.opaque(2, "what")),
                        DatatypeMessage.field("plain", 2, DatatypeMessage.opaque(2, ""))),
                4);
        MessageBytes named = DatatypeMessage.enumeration(INTEGER, 1, ByteOrder.LITTLE_ENDIAN, Map.of("one", 1L));
        return DatatypeMessage.compound(
                        List.of(DatatypeMessage.field("in", 0, inner), DatatypeMessage.field("named", 4, named)), 5)
                .toArray();
    }
}
