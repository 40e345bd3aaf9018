package dev.rechunker.cli;

/** Integers, as options write them. */
final class Numbers {
    private Numbers() {}

    /** {@return whether a text tells an axis by its number, rather than by its name} */
    static boolean isAxis(String text) {
        return text.matches("[0-9]{1,9}");
    }

    /** {@return the integers of a text that separates them by commas; none if it is blank} */
    static long[] parse(String option, String text) {
        if (text.isBlank()) {
            return new long[0];
        }
        String[] parts = text.split(",", -1);
        long[] numbers = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            try {
                numbers[i] = Long.parseLong(parts[i].trim());
            } catch (NumberFormatException e) {
                boolean large = parts[i].trim().matches("[-+]?\\d+");
                throw new UsageException(option + " \"" + text + "\" has \"" + parts[i].trim() + "\", which is "
                        + (large ? "beyond 2^63" : "no integer; write them like 8901,720,1440"));
            }
        }
        return numbers;
    }
}
