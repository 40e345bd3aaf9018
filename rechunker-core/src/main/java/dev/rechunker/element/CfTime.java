package dev.rechunker.element;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What numbers of time mean by the CF conventions, such as {@code days since 2000-01-01} in a calendar. Instants are
 * nanoseconds since a day that is the same for all dates of a calendar.
 *
 * @param calendar the calendar
 * @param unit the nanoseconds of one unit
 * @param epoch the instant of the number 0
 */
public record CfTime(CfCalendar calendar, BigInteger unit, BigInteger epoch) {
    private static final long SECOND = 1_000_000_000;
    private static final long DAY = 86_400 * SECOND;

    /** The nanoseconds of the units by their names. */
    private static final Map<String, Long> UNITS = Map.ofEntries(
            Map.entry("nanosecond", 1L),
            Map.entry("nanosec", 1L),
            Map.entry("ns", 1L),
            Map.entry("microsecond", 1_000L),
            Map.entry("microsec", 1_000L),
            Map.entry("us", 1_000L),
            Map.entry("millisecond", 1_000_000L),
            Map.entry("millisec", 1_000_000L),
            Map.entry("msec", 1_000_000L),
            Map.entry("ms", 1_000_000L),
            Map.entry("second", SECOND),
            Map.entry("sec", SECOND),
            Map.entry("s", SECOND),
            Map.entry("minute", 60 * SECOND),
            Map.entry("min", 60 * SECOND),
            Map.entry("hour", 3600 * SECOND),
            Map.entry("hr", 3600 * SECOND),
            Map.entry("h", 3600 * SECOND),
            Map.entry("day", DAY),
            Map.entry("d", DAY));

    private static final Pattern SINCE =
            Pattern.compile("\\s*(\\w+)\\s+since\\s+(\\S.*?)\\s*", Pattern.CASE_INSENSITIVE);

    private static final Pattern EPOCH = Pattern.compile("([+-]?\\d{1,6})-(\\d{1,2})-(\\d{1,2})"
            + "(?:(?:T|\\s+)(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{0,9})0*)?)?)?)?"
            + "\\s*(?:Z|UTC|GMT|([+-])(\\d{1,2}):?(\\d{2})?)?");

    /** A date, which may lack its last parts. */
    private static final Pattern DATE = Pattern.compile("(-?\\d{4,6})(?:-(\\d{2})(?:-(\\d{2})"
            + "(?:T(\\d{2})(?::(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?)?Z?)?)?)?");

    private static final Pattern TRAILING_ZEROS = Pattern.compile("0+$");

    /** {@return the meaning of numbers with these units; empty if they are not times that are counted from a date} */
    public static Optional<CfTime> of(String units, @Nullable String calendar) {
        Matcher since = SINCE.matcher(units);
        Optional<CfCalendar> known = CfCalendar.of(calendar == null ? "standard" : calendar);
        if (!since.matches() || known.isEmpty()) {
            return Optional.empty();
        }
        Long unit = UNITS.get(singular(since.group(1).toLowerCase(Locale.ROOT)));
        Matcher epoch = EPOCH.matcher(since.group(2));
        if (unit == null || !epoch.matches()) {
            return Optional.empty();
        }
        Optional<BigInteger> local = instant(known.get(), epoch);
        return local.map(instant ->
                new CfTime(known.get(), BigInteger.valueOf(unit), instant.subtract(BigInteger.valueOf(offset(epoch)))));
    }

    /**
     * {@return whether an instant has the same date in the calendar of other times} The standard and the proleptic
     * Gregorian calendar have the same dates since 1582-10-15.
     */
    public boolean hasSameDate(CfTime other, BigInteger instant) {
        long first = CfCalendar.PROLEPTIC_GREGORIAN.day(1582, 10, 15);
        return calendar == other.calendar
                || (calendar.isGregorian()
                        && other.calendar.isGregorian()
                        && instant.compareTo(BigInteger.valueOf(first).multiply(BigInteger.valueOf(DAY))) >= 0);
    }

    private static String singular(String unit) {
        return unit.length() > 2 && unit.endsWith("s") ? unit.substring(0, unit.length() - 1) : unit;
    }

    /** {@return the nanoseconds by which a time zone is ahead} */
    private static long offset(Matcher epoch) {
        if (epoch.group(8) == null) {
            return 0;
        }
        long minutes = Long.parseLong(epoch.group(9)) * 60 + number(epoch, 10, 0);
        return (epoch.group(8).equals("-") ? -minutes : minutes) * 60 * SECOND;
    }

    private static int number(Matcher text, int group, int otherwise) {
        String digits = text.group(group);
        return digits == null ? otherwise : Integer.parseInt(digits);
    }

    /** {@return the instant of a date in groups 1 to 7 of a match; empty if the calendar does not have it} */
    private static Optional<BigInteger> instant(CfCalendar calendar, Matcher date) {
        long year = Long.parseLong(date.group(1));
        int month = number(date, 2, 1);
        int day = number(date, 3, 1);
        int hour = number(date, 4, 0);
        int minute = number(date, 5, 0);
        int second = number(date, 6, 0);
        if (!calendar.has(year, month, day) || hour > 23 || minute > 59 || second > 59) {
            return Optional.empty();
        }
        String fraction = Objects.requireNonNullElse(date.group(7), "");
        long ofDay = (hour * 3600L + minute * 60L + second) * SECOND
                + Long.parseLong((fraction + "000000000").substring(0, 9));
        return Optional.of(BigInteger.valueOf(calendar.day(year, month, day))
                .multiply(BigInteger.valueOf(DAY))
                .add(BigInteger.valueOf(ofDay)));
    }

    /**
     * A time between two instants.
     *
     * @param start the first instant
     * @param end the first instant after it
     */
    public record Period(BigInteger start, BigInteger end) {}

    /** {@return whether a text has the form of a date, such as {@code 2020-01} or {@code 2020-01-01T12:30}} */
    public static boolean isDate(String text) {
        return DATE.matcher(text).matches();
    }

    /** {@return the period that a date names, such as a whole day; empty if the calendar does not have it} */
    public Optional<Period> period(String text) {
        Matcher date = DATE.matcher(text);
        if (!date.matches()) {
            return Optional.empty();
        }
        return instant(calendar, date).map(start -> new Period(start, start.add(length(date))));
    }

    private BigInteger length(Matcher date) {
        long year = Long.parseLong(date.group(1));
        if (date.group(3) == null) {
            int first = number(date, 2, 1);
            int last = number(date, 2, 12);
            long days = calendar.day(year, last, 1) - calendar.day(year, first, 1) + lengthOf(year, last);
            return BigInteger.valueOf(days).multiply(BigInteger.valueOf(DAY));
        }
        if (date.group(7) != null) {
            return BigInteger.TEN.pow(9 - date.group(7).length());
        }
        boolean hours = date.group(5) == null;
        long length =
                date.group(4) == null ? DAY : hours ? 3600 * SECOND : date.group(6) == null ? 60 * SECOND : SECOND;
        return BigInteger.valueOf(length);
    }

    /** {@return the days in a month, of which October 1582 has fewer if the calendar changes in it} */
    private long lengthOf(long year, int month) {
        return calendar.day(year, month, calendar.daysIn(year, month)) - calendar.day(year, month, 1) + 1;
    }

    /** {@return a date as text, such as {@code 2020-01-31} or {@code 2020-01-31T12:30:00}} */
    public String text(BigInteger instant) {
        BigInteger[] parts = instant.divideAndRemainder(BigInteger.valueOf(DAY));
        boolean before = parts[1].signum() < 0;
        long day = parts[0].longValueExact() - (before ? 1 : 0);
        long ofDay = parts[1].longValueExact() + (before ? DAY : 0);
        long seconds = ofDay / SECOND;
        String fraction = String.valueOf(SECOND + ofDay % SECOND).substring(1);
        return date(day)
                + (ofDay == 0
                        ? ""
                        : "T" + two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
                                + (ofDay % SECOND == 0
                                        ? ""
                                        : "." + TRAILING_ZEROS.matcher(fraction).replaceFirst("")));
    }

    private String date(long day) {
        long year = Math.floorDiv(day, 366) - 1;
        while (calendar.day(year + 1, 1, 1) <= day) {
            year++;
        }
        int month = 1;
        while (month < 12 && calendar.day(year, month + 1, 1) <= day) {
            month++;
        }
        int ofMonth = 1;
        while (ofMonth < 31 && !(calendar.has(year, month, ofMonth) && calendar.day(year, month, ofMonth) == day)) {
            ofMonth++;
        }
        String digits = String.valueOf(Math.abs(year));
        return (year < 0 ? "-" : "") + "0".repeat(Math.max(0, 4 - digits.length())) + digits + "-" + two(month) + "-"
                + two(ofMonth);
    }

    private static String two(long number) {
        return (number < 10 ? "0" : "") + number;
    }
}
