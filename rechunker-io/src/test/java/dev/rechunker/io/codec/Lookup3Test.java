package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Lookup3Test {
    /** Checksums that numcodecs 0.16 adds to the bytes 0, 1, 2, and so on. */
    @ParameterizedTest
    @CsvSource({"0, deadbeef", "1, 8ba9414b", "11, 2ca6817a", "12, 5e4aa593", "13, bc9d6816", "40, 1c9fa888"})
    void hashesAsNumcodecsDoes(int length, String expected) {
        ByteBuffer bytes = ByteBuffer.allocate(length + 3).position(3);
        for (int i = 0; i < length; i++) {
            bytes.put(3 + i, (byte) i);
        }
        assertEquals(expected, Integer.toHexString(Lookup3.of(bytes)));
    }

    @Test
    void settingsOfNumcodecsAreAcceptedAndOthersRefused() throws CodecException {
        CodecSpec plain = CodecSpec.of("jenkins_lookup3").with("initval", 0);
        Chunks.checkRoundTrip(List.of(plain), Chunks.line(DataType.UINT8, 5), new byte[] {1, 2, 3, 4, 5});
        for (CodecSpec other : List.of(plain.with("initval", 7), plain.with("prefix", Collections.nCopies(3, 1L)))) {
            String refusal = assertThrows(
                            CodecException.class, () -> Codecs.chain(List.of(other), Chunks.line(DataType.UINT8, 5)))
                    .getMessage();
            assertTrue(String.valueOf(refusal).contains("jenkins_lookup3"), refusal);
        }
    }
}
