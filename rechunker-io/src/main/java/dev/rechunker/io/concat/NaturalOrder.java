package dev.rechunker.io.concat;

import java.util.Comparator;

/**
 * Orders names as people do: sequences of digits as numbers, and all else character by character, so that {@code ssh-2}
 * is before {@code ssh-10}.
 */
public final class NaturalOrder implements Comparator<String> {
    /** The only instance. */
    public static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {}

    @Override
    public int compare(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int order;
            if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
                int endA = endOfDigits(a, i);
                int endB = endOfDigits(b, j);
                order = compareNumbers(a.substring(i, endA), b.substring(j, endB));
                i = endA;
                j = endB;
            } else {
                order = Character.compare(a.charAt(i++), b.charAt(j++));
            }
            if (order != 0) {
                return order;
            }
        }
        int rest = Integer.compare(a.length() - i, b.length() - j);
        // The names may differ only in leading zeros.
        return rest != 0 ? rest : a.compareTo(b);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int endOfDigits(String text, int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Compares numbers with any number of digits. */
    private static int compareNumbers(String a, String b) {
        String x = withoutZeros(a);
        String y = withoutZeros(b);
        int byLength = Integer.compare(x.length(), y.length());
        return byLength != 0 ? byLength : x.compareTo(y);
    }

    private static String withoutZeros(String digits) {
        int start = 0;
        while (start < digits.length() - 1 && digits.charAt(start) == '0') {
            start++;
        }
        return digits.substring(start);
    }
}
