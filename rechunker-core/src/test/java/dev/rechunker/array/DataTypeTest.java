package dev.rechunker.array;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class DataTypeTest {
    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void integersHaveTheirValue() {
        assertEquals(-2L, DataType.INT16.value(LITTLE_ENDIAN, bytes(0xFE, 0xFF)));
        assertEquals(0xFEFFL, DataType.UINT16.value(BIG_ENDIAN, bytes(0xFE, 0xFF)));
        assertEquals(
                "18446744073709551615",
                DataType.UINT64.value(BIG_ENDIAN, bytes(255, 255, 255, 255, 255, 255, 255, 255)));
        assertEquals(true, DataType.BOOL.value(BIG_ENDIAN, bytes(1)));
        assertEquals(3L, DataType.datetime64("ns").value(LITTLE_ENDIAN, bytes(3, 0, 0, 0, 0, 0, 0, 0)));
    }

    @Test
    void floatsAreNumbersIfJsonHasThem() {
        assertEquals(1.5, DataType.FLOAT16.value(BIG_ENDIAN, bytes(0x3E, 0)));
        assertEquals(0.1, DataType.FLOAT32.value(BIG_ENDIAN, bytes(0x3D, 0xCC, 0xCC, 0xCD)));
        assertEquals("NaN", DataType.FLOAT32.value(LITTLE_ENDIAN, bytes(0, 0, 0xC0, 0x7F)));
        assertEquals("1.5+-2.0i", DataType.COMPLEX64.value(BIG_ENDIAN, bytes(0x3F, 0xC0, 0, 0, 0xC0, 0, 0, 0)));
    }

    @Test
    void othersAreText() {
        assertEquals("ab", DataType.bytes(4).value(LITTLE_ENDIAN, bytes('a', 'b', 0, 0)));
        assertEquals("\u03bc", DataType.unicode(2).value(LITTLE_ENDIAN, bytes(0xBC, 3, 0, 0, 0, 0, 0, 0)));
        assertEquals("0x00ff", DataType.opaque(2, "").value(LITTLE_ENDIAN, bytes(0, 255)));
    }

    @Test
    void elementsOfAnotherSizeAreRefused() {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> DataType.INT32.value(LITTLE_ENDIAN, bytes(1, 2)));
        assertEquals("an element of type int32 has 4 bytes, not 2", refused.getMessage());
    }
}
