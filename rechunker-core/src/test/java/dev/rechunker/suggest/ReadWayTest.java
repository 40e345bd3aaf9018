package dev.rechunker.suggest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadWayTest {
    private static final ArraySpec ARRAY = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(100, 20, 40), Shape.of(1, 20, 40)), DataType.FLOAT32)
            .dimensionNames(List.of("time", "lat", "lon"))
            .build();

    @Test
    void axesThatAreNotNamedAreReadAtOnePosition() {
        assertEquals(List.of(100L, 1L, 1L), ReadWay.parse("time=-1").of(ARRAY));
        assertEquals(List.of(1L, 20L, 40L), ReadWay.parse(" lat = -1, lon=500 ").of(ARRAY));
        assertEquals(
                List.of(24L, 20L, 40L), ReadWay.parse("time=24, ...=-1 @0.1").of(ARRAY));
        assertEquals(List.of(100L, 2L, 3L), ReadWay.parse("-1, 2, 3").of(ARRAY));
        assertEquals(0.1, ReadWay.parse("time=24 @ 0.1").weight());
    }

    @Test
    void fitsArraysThatHaveItsAxes() {
        assertTrue(ReadWay.parse("time=-1").fits(ARRAY));
        assertFalse(ReadWay.parse("depth=-1").fits(ARRAY));
        assertFalse(ReadWay.parse("-1, 1").fits(ARRAY));
        assertTrue(ReadWay.parse("2=-1").fits(ARRAY));
        assertFalse(ReadWay.parse("3=-1").fits(ARRAY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time=0|is not a number of elements",
                "time=x|is not a number of elements",
                "time=-2|is not a number of elements",
                "time=1, 3|names some axes but not all",
                "time=1, time=2|names time twice",
                "time=1 @0|is not a weight",
                "time=1 @many|is not a weight",
                "time=1 @1@2|is not a way of reading",
                "@1|is not a way of reading",
                "=4|names some axes but not all",
            })
    void refusesWhatItCannotRead(String text, String message) {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> ReadWay.parse(text));
        String refusal = String.valueOf(refused.getMessage());
        assertTrue(refusal.contains(message), refusal);
    }

    @Test
    void refusesAxesThatTheArrayLacks() {
        Exception refused = assertThrows(
                IllegalArgumentException.class, () -> ReadWay.parse("depth=-1").of(ARRAY));
        assertEquals(
                "\"depth=-1\" reads along depth, but the array has the axes [time, lat, lon]", refused.getMessage());
        refused = assertThrows(
                IllegalArgumentException.class, () -> ReadWay.parse("1,2").of(ARRAY));
        assertEquals("\"1,2\" has 2 numbers, but the array has 3 axes", refused.getMessage());
    }
}
