package dev.rechunker.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HexFormat;

/**
 * Text from files, made safe to print: characters that a terminal obeys, or that change the order of others, are
 * written as {@code \\u001b} or the like, the escapes of JSON.
 */
final class Printable {
    private Printable() {}

    /** {@return a part of a line, in which line breaks are escaped, too} */
    static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            addTo(printable, text.charAt(i));
        }
        return printable.toString();
    }

    private static void addTo(StringBuilder printable, char c) {
        if (isSafe(c)) {
            printable.append(c);
        } else {
            printable.append("\\u").append(HexFormat.of().toHexDigits(c));
        }
    }

    private static boolean isSafe(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> c != TAGS;
        };
    }

    /** The first half of invisible characters that mirror ASCII. */
    private static final char TAGS = '\uDB40';

    /**
     * {@return a writer that passes lines on to another one, in which everything but line breaks and tabs is escaped}
     */
    static PrintWriter writer(PrintWriter target) {
        return new PrintWriter(new Lines(target));
    }

    private static final class Lines extends FilterWriter {
        Lines(PrintWriter target) {
            super(target);
        }

        @Override
        public void write(int c) throws IOException {
            out.write(lines(String.valueOf((char) c)));
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            out.write(lines(new String(text, from, length)));
        }

        @Override
        public void write(String text, int from, int length) throws IOException {
            out.write(lines(text.substring(from, from + length)));
        }

        private String lines(String text) {
            StringBuilder printable = new StringBuilder(text.length());
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                boolean breaks = c == '\n' || c == '\t' || text.startsWith("\r\n", i);
                if (breaks) {
                    printable.append(c);
                } else {
                    addTo(printable, c);
                }
            }
            return printable.toString();
        }
    }
}
