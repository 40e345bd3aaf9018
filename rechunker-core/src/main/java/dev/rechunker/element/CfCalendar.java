package dev.rechunker.element;

import java.util.Locale;
import java.util.Optional;

/** The calendars of the CF conventions. */
public enum CfCalendar {
    /** Gregorian from 1582-10-15, Julian before; the default. */
    STANDARD,
    /** Gregorian at all times. */
    PROLEPTIC_GREGORIAN,
    /** Julian at all times. */
    JULIAN,
    /** Every year has 365 days. */
    NOLEAP,
    /** Every year has 366 days. */
    ALL_LEAP,
    /** Every month has 30 days. */
    DAYS_360;

    /** The days before each month of a year without a leap day. */
    private static final int[] BEFORE = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

    /** The first day of the Gregorian calendar, and the first that the Julian one does not have after it. */
    private static final long FIRST_GREGORIAN = 15821015;

    private static final long LAST_JULIAN = 15821004;

    /** {@return the calendar of a name, without regard to case; empty if there is none} */
    public static Optional<CfCalendar> of(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "standard", "gregorian" -> Optional.of(STANDARD);
            case "proleptic_gregorian" -> Optional.of(PROLEPTIC_GREGORIAN);
            case "julian" -> Optional.of(JULIAN);
            case "noleap", "365_day" -> Optional.of(NOLEAP);
            case "all_leap", "366_day" -> Optional.of(ALL_LEAP);
            case "360_day" -> Optional.of(DAYS_360);
            default -> Optional.empty();
        };
    }

    /** {@return whether the calendar is Gregorian from 1582-10-15 on} */
    boolean isGregorian() {
        return this == STANDARD || this == PROLEPTIC_GREGORIAN;
    }

    /** {@return the number of days in a month, 1 to 12} */
    public int daysIn(long year, int month) {
        if (this == DAYS_360) {
            return 30;
        }
        return BEFORE[month] - BEFORE[month - 1] + (month == 2 && isLeap(year) ? 1 : 0);
    }

    /**
     * {@return whether there is such a day}
     *
     * <p>The calendars that were in use have no year 0, and no earlier years here.
     */
    public boolean has(long year, int month, int day) {
        if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
            return false;
        }
        if (this == JULIAN) {
            return year > 0;
        }
        long date = year * 10_000 + month * 100L + day;
        return this != STANDARD || (year > 0 && (date <= LAST_JULIAN || date >= FIRST_GREGORIAN));
    }

    /** {@return the number of a day, counted from a day that is the same for all dates of the calendar} */
    public long day(long year, int month, int day) {
        if (this == DAYS_360) {
            return year * 360 + (month - 1) * 30L + day - 1;
        }
        int ofYear = BEFORE[month - 1] + (month > 2 && isLeap(year) ? 1 : 0) + day - 1;
        long before = year - 1; // the last whole year
        return switch (this) {
            case NOLEAP -> year * 365 + ofYear;
            case ALL_LEAP -> year * 366 + ofYear;
            case JULIAN -> julian(before) + ofYear;
            case STANDARD -> (isJulian(year, month, day) ? julian(before) : gregorian(before)) + ofYear;
            case PROLEPTIC_GREGORIAN, DAYS_360 -> gregorian(before) + ofYear;
        };
    }

    /** {@return the days up to the end of a year, counted so that both calendars give a day the same number} */
    private static long julian(long year) {
        return year * 365 + Math.floorDiv(year, 4) - 2;
    }

    private static long gregorian(long year) {
        return year * 365 + Math.floorDiv(year, 4) - Math.floorDiv(year, 100) + Math.floorDiv(year, 400);
    }

    private static boolean isJulian(long year, int month, int day) {
        return year * 10_000 + month * 100L + day < FIRST_GREGORIAN;
    }

    private boolean isLeap(long year) {
        boolean fourth = Math.floorMod(year, 4) == 0;
        boolean gregorian = fourth && (Math.floorMod(year, 100) != 0 || Math.floorMod(year, 400) == 0);
        return switch (this) {
            case ALL_LEAP -> true;
            case NOLEAP, DAYS_360 -> false;
            case JULIAN -> fourth;
            case PROLEPTIC_GREGORIAN -> gregorian;
            case STANDARD -> year < 1582 ? fourth : gregorian;
        };
    }
}
