package dev.rechunker.element;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeUnitsTest {
    @ParameterizedTest
    @CsvSource({
        "ns, ns",
        "1ns, ns",
        "01ns, ns",
        "25s, 25s",
        "025s, 25s",
        "10D, 10D",
        "999999999as, 999999999as",
        "\u03bcs, us",
        "3\u03bcs, 3us",
        "generic, ''"
    })
    void unitHasOneCanonicalName(String text, String unit) {
        assertEquals(Optional.of(unit), TimeUnits.of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0s", "000s", "25", "-1s", "1000000000s", "fortnight", "25generic", "s ", "D/3"})
    void invalidUnitsAreEmpty(String text) {
        assertEquals(Optional.empty(), TimeUnits.of(text));
    }
}
