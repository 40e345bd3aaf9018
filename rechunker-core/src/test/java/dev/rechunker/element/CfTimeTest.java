package dev.rechunker.element;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.element.CfTime.Period;
import dev.rechunker.testing.Cases;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.chrono.IsoChronology;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Optional;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CfTimeTest {
    private static final BigInteger DAY = BigInteger.valueOf(86_400_000_000_000L);

    private static CfTime time(String units, String calendar) {
        return CfTime.of(units, calendar).orElseThrow();
    }

    private static String number(CfTime time, String date) {
        BigInteger since = time.period(date).orElseThrow().start().subtract(time.epoch());
        return since.mod(time.unit()).signum() == 0 ? since.divide(time.unit()).toString() : since + "ns";
    }

    @ParameterizedTest
    @CsvSource({
        "days since 2000-01-01, standard, 2020-01-01, 7305",
        "days since 2000-01-01, noleap, 2020-01-01, 7300",
        "days since 2000-01-01, 366_day, 2020-01-01, 7320",
        "days since 2000-01-01, 360_day, 2020-02-30, 7259",
        "days since 1582-10-04, gregorian, 1582-10-15, 1",
        "days since 1582-10-04, proleptic_gregorian, 1582-10-15, 11",
        "days since 1582-10-04, julian, 1582-10-15, 11",
        "days since 0001-01-01, standard, 2000-01-01, 730121",
        "days since 0001-01-01, proleptic_gregorian, 2000-01-01, 730119",
        "days since 0000-01-01, noleap, 0001-01-01, 365",
        "hours since 1900-01-01 00:00:00.0, Gregorian, 1900-01-02T01, 25",
        "seconds since 1970-1-1T0:0:0Z, standard, 1970-01-01T00:01:02.5, 62500000000ns",
        "Minutes since 2000-01-01 12:00 -1:30, standard, 2000-01-01T13:31, 1",
        "hours since 2000-01-01 12 +0200, standard, 2000-01-01T10, 0",
        "msec since 2000-01-01, standard, 2000-01-01T00:00:00.123, 123",
        "days since 1-1-1 00:00:0.0, standard, 0001-01-02, 1",
        "nanoseconds since 2000-01-01, standard, 2000-01-01T00:00:00.000000001, 1",
    })
    void datesHaveTheirNumbers(String units, String calendar, String date, String number) {
        assertEquals(number, number(time(units, calendar), date));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "days",
                "months since 2000-01-01",
                "days since",
                "days since yesterday",
                "days since 2000-02-30",
                "days since 2000-01-01 25:00",
                "days since 0000-01-01",
                "days since 2000-01-01 PST"
            })
    void otherUnitsAreNoTimes(String units) {
        assertEquals(Optional.empty(), CfTime.of(units, null));
    }

    @Test
    void unknownCalendarsHaveNoTimes() {
        assertEquals(Optional.empty(), CfTime.of("days since 2000-01-01", "none"));
        assertEquals(Optional.empty(), CfTime.of("days since 1582-10-10", "standard"));
        assertTrue(CfTime.of("days since 1582-10-10", "proleptic_gregorian").isPresent());
    }

    @Test
    void theProlepticCalendarIsThatOfIso() {
        CfTime time = time("days since 1970-01-01", "proleptic_gregorian");
        Cases.check(500, cases -> {
            LocalDate date = LocalDate.ofEpochDay(cases.between(-800_000, 800_000));
            if (date.getYear() < 1 || !date.getChronology().equals(IsoChronology.INSTANCE)) {
                return;
            }
            assertEquals(String.valueOf(date.toEpochDay()), number(time, date.toString()));
            assertEquals(
                    date.toString(),
                    time.text(time.period(date.toString()).orElseThrow().start()));
        });
    }

    @Test
    void theStandardCalendarIsThatOfTheJdk() {
        CfTime time = time("days since 1970-01-01", "standard");
        GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        Cases.check(500, cases -> {
            long day = cases.between(-700_000, 100_000);
            calendar.setTimeInMillis(day * 86_400_000L);
            String date = String.format(Locale.ROOT, "%1$tY-%1$tm-%1$td", calendar);
            assertEquals(String.valueOf(day), number(time, date));
            assertEquals(date, time.text(time.epoch().add(DAY.multiply(BigInteger.valueOf(day)))));
        });
    }

    /** Every day of every calendar follows the one before it. */
    @ParameterizedTest
    @EnumSource(CfCalendar.class)
    void daysAreCountedOneByOne(CfCalendar calendar) {
        CfTime time = new CfTime(calendar, DAY, BigInteger.ZERO);
        long next = Long.MIN_VALUE;
        for (long year = 1575; year < 1605; year++) {
            for (int month = 1; month <= 12; month++) {
                for (int day = 1; day <= 31; day++) {
                    if (calendar.has(year, month, day)) {
                        long number = calendar.day(year, month, day);
                        assertEquals(next == Long.MIN_VALUE ? number : next, number, year + "-" + month + "-" + day);
                        next = number + 1;
                        String text = time.text(DAY.multiply(BigInteger.valueOf(number)));
                        assertEquals(String.format(Locale.ROOT, "%04d-%02d-%02d", year, month, day), text);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2020, 2020-01-01, 2021-01-01",
        "2020-02, 2020-02-01, 2020-03-01",
        "2020-12, 2020-12-01, 2021-01-01",
        "2020-02-28, 2020-02-28, 2020-02-29",
        "2020-02-28T12, 2020-02-28T12:00:00, 2020-02-28T13:00:00",
        "2020-02-28T23:59Z, 2020-02-28T23:59:00, 2020-02-29",
        "2020-02-28T12:30:59, 2020-02-28T12:30:59, 2020-02-28T12:31:00",
        "2020-02-28T12:30:59.25, 2020-02-28T12:30:59.25, 2020-02-28T12:30:59.26",
        "1582-10, 1582-10-01, 1582-11-01",
        "1582-10-04, 1582-10-04, 1582-10-15",
    })
    void aDateIsAPeriod(String date, String start, String end) {
        CfTime time = time("days since 2000-01-01", "standard");
        Period period = time.period(date).orElseThrow();
        assertEquals(start, time.text(period.start()));
        assertEquals(end, time.text(period.end()));
    }

    @Test
    void textsThatAreNoDates() {
        CfTime time = time("days since 2000-01-01", "noleap");
        for (String text : new String[] {"2020-13", "2020-02-29", "2020-01-32", "2020-01-01T24", "2020-01-01T00:60"}) {
            assertTrue(CfTime.isDate(text), text);
            assertEquals(Optional.empty(), time.period(text), text);
        }
        for (String text : new String[] {"", "20", "2020-1", "2020-01-01 12:00", "40.0", "2020-01-01T"}) {
            assertFalse(CfTime.isDate(text), text);
        }
    }
}
