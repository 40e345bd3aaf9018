package dev.rechunker.io.hdf5.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selections of regions as texts. */
class ReferredRegionTest {
    private static String text(byte[] bytes) throws StoreException {
        return ReferredRegion.of(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[...]",
                "[]",
                "[2:5,0:10]",
                "[0:7:2,3:4]",
                "[0:22:10/2,3:4]",
                "[0:1,5:9][4:8,5:9]",
                "[0:1][5:9][7:8]",
                "(0,5)(7,2)(0,5)",
                "(4294967294)",
                "[4294967294:4294967295]",
                "[4294967295:4294967296]",
                "[7000000000:7000000093:10/3,0:1]",
                "[0:199999:2]"
            })
    void selectionsAreKept(String text) throws StoreException {
        assertEquals(text, text(ReferredRegion.bytes(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2:5",
                "[2:5",
                "[2:5,0:10]x",
                "[2:5](1)",
                "[2:5][0:1,0:1]",
                "(1)(1,2)",
                "[5:2]",
                "[2:2]",
                "[02:5]",
                "[-2:5]",
                "[0:9:3]",
                "[0:10:2/3]",
                "[0:4:0]",
                "[0:999999999999999999:1/0]",
                "[0:1][1000000000000000000:5]",
                "[0:1:1]",
                "[0:1][2:3]",
                "(4294967295)",
                "[0:1][5:4294967296]",
                "()",
                "(1) (2)"
            })
    void otherTextsAreRefused(String text) {
        assertThrows(StoreException.class, () -> ReferredRegion.bytes(text));
    }

    @Test
    void largeSelectionsAreRefused() {
        String points = IntStream.range(0, 10_000).mapToObj(i -> "(" + i + ")").collect(Collectors.joining());
        StoreException refusal = assertThrows(StoreException.class, () -> ReferredRegion.bytes(points));
        String message = refusal.toString();
        assertTrue(message.contains("more than 32768 bytes in HDF5"), message);
        assertTrue(message.length() < 300, message);
    }
}
