package dev.rechunker.cli;

/** Parsing of integers in options. */
final class Numbers {
    private Numbers() {}

    /** {@return whether a text is the number of an axis, not a name} */
    static boolean isAxis(String text) {
        return text.matches("[0-9]{1,9}");
    }

    /** {@return the integers in a text, which are separated by commas; none if it is blank} */
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
                        + (large ? "beyond 2^63" : "not an integer; write integers like 8901,720,1440"));
            }
        }
        return numbers;
    }
}
