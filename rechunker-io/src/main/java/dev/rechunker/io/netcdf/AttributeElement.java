package dev.rechunker.io.netcdf;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The type of the elements of an attribute in HDF5, which {@link AttributeType#element} has as a text:
 *
 * <table>
 * <caption>Texts</caption>
 * <tr><th>text</th><th>type</th></tr>
 * <tr><td>{@code int16}, {@code float32}, {@code bool}</td><td>numbers and booleans</td></tr>
 * <tr><td><code>int8 {"LOW":0,"HIGH":1}</code></td><td>an enumeration</td></tr>
 * <tr><td>{@code string}</td><td>text of variable length: null-terminated, UTF-8</td></tr>
 * <tr><td>{@code string null-terminated ascii}</td><td>other text of variable length</td></tr>
 * <tr><td>{@code char}</td><td>text of fixed length: null-terminated, ASCII, as long as the longest text of the attribute in UTF-8 and at least one byte, without a zero at its end, as in netCDF</td></tr>
 * <tr><td>{@code text null-padded utf-8 12}</td><td>other text of fixed length, and its length in bytes</td></tr>
 * <tr><td>{@code reference}</td><td>a reference to an object: its path relative to the group of the attribute</td></tr>
 * <tr><td>{@code region reference}</td><td>a reference to a region of a dataset: its selection and path</td></tr>
 * <tr><td>{@code float64(3, 3)}</td><td>an array type: each element of the attribute is an array</td></tr>
 * <tr><td><code>int8 {"LOW":0} as "../level"</code></td><td>a named type: its path relative to the group of the attribute</td></tr>
 * </table>
 *
 * <p>A writer makes a fixed length larger if a text needs it.
 */
public sealed interface AttributeElement {
    /** {@link AttributeType#STRING}. */
    Text STRING = new Text(true, 0, 1, 0);

    /** {@link AttributeType#CHAR}. */
    Text CHAR = new Text(false, 0, 0, 0);

    /** A reference to an object, or to a region of a dataset, as a text; see the text of a reference. */
    enum Reference implements AttributeElement {
        /** A reference to an object. */
        OBJECT("reference"),
        /** A reference to a region. */
        REGION("region reference");

        private final String text;

        Reference(String text) {
            this.text = text;
        }

        private static Optional<AttributeElement> parse(String text) {
            return Stream.of(values())
                    .filter(reference -> reference.text.equals(text))
                    .map(reference -> (AttributeElement) reference)
                    .findFirst();
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Numbers or booleans. */
    record Numbers(DataType type) implements AttributeElement {
        private static Optional<AttributeElement> parse(String name) {
            return DataType.numbers(name)
                    .filter(type -> type.kind() != DataType.Kind.COMPLEX)
                    .map(Numbers::new);
        }

        @Override
        public String toString() {
            return type.name();
        }
    }

    /**
     * Integers with names.
     *
     * @param base the type of the integers
     * @param names the integers by name, as a JSON object
     */
    record Enumeration(DataType base, String names) implements AttributeElement {
        private static final Pattern TEXT = Pattern.compile("(u?int\\d+) (\\{.*})", Pattern.DOTALL);

        private static Optional<AttributeElement> parse(Matcher text) {
            return DataType.numbers(text.group(1)).map(base -> new Enumeration(base, text.group(2)));
        }

        @Override
        public String toString() {
            return base + " " + names.replace("[", "\\u005b").replace("]", "\\u005d");
        }
    }

    /**
     * Text.
     *
     * @param isVariable whether each text has its own length
     * @param padding the number of the padding in a datatype message
     * @param charset the number of the character set in a datatype message
     * @param length the fixed length in bytes; 0 if it is that of the longest text, or variable
     */
    record Text(boolean isVariable, int padding, int charset, int length) implements AttributeElement {
        private static final Pattern TEXT =
                Pattern.compile("(string|text) ([a-z-]+) ([a-z0-9-]+)(?: ([1-9]\\d{0,8}))?");

        /** {@return whether HDF5 defines the padding and the character set} */
        public boolean isDefined() {
            return padding < StringForm.PADDINGS.size() && charset < StringForm.CHARSETS.size();
        }

        /** {@return the length of fixed texts in bytes: that of the type, or of the longest text} */
        public int length(List<Object> texts) {
            int longest = texts.stream()
                    .mapToInt(text -> ((String) text).getBytes(StandardCharsets.UTF_8).length)
                    .max()
                    .orElse(0);
            return Math.max(1, Math.max(longest, length));
        }

        private static Optional<AttributeElement> parse(Matcher text) {
            boolean isVariable = text.group(1).equals("string");
            int padding = StringForm.PADDINGS.indexOf(text.group(2));
            int charset = StringForm.CHARSETS.indexOf(text.group(3));
            return padding < 0 || charset < 0 || isVariable != (text.group(4) == null)
                    ? Optional.empty()
                    : Optional.of(
                            new Text(isVariable, padding, charset, isVariable ? 0 : Integer.parseInt(text.group(4))));
        }

        @Override
        public String toString() {
            if (equals(STRING)) {
                return AttributeType.STRING;
            }
            if (equals(CHAR)) {
                return AttributeType.CHAR;
            }
            String form = StringForm.PADDINGS.get(padding) + " " + StringForm.CHARSETS.get(charset);
            return isVariable ? "string " + form : "text " + form + " " + length;
        }
    }

    /** Arrays of elements that are not arrays themselves. */
    record Array(AttributeElement of, Shape extents) implements AttributeElement {
        private static final Pattern TEXT =
                Pattern.compile("(.*)\\(([1-9]\\d{0,17}(?:, [1-9]\\d{0,17})*)\\)", Pattern.DOTALL);

        @Override
        public String toString() {
            return of
                    + LongStream.of(extents.toArray())
                            .mapToObj(Long::toString)
                            .collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /**
     * A type that is an object of the file.
     *
     * @param name the path relative to the group of the attribute; that is the attribute's own object if it is a group
     * @param of a type without a name
     */
    record Named(String name, AttributeElement of) implements AttributeElement {
        private static final Pattern TEXT = Pattern.compile("(.*) as ([^\\s\"{}\\[\\]]+)", Pattern.DOTALL);
        private static final Pattern SPECIAL = Pattern.compile("[%\\s\"{}\\[\\]]");
        private static final Pattern ESCAPED = Pattern.compile("%([0-9a-f]{4})");

        private static Optional<AttributeElement> parse(Matcher text) {
            String name = ESCAPED.matcher(text.group(2))
                    .replaceAll(
                            code -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(code.group(1), 16))));
            return parseUnnamed(text.group(1)).map(of -> new Named(name, of));
        }

        @Override
        public String toString() {
            return of + " as "
                    + SPECIAL.matcher(name)
                            .replaceAll(found -> String.format(
                                    Locale.ROOT, "%%%04x", (int) found.group().charAt(0)));
        }
    }

    /** {@return a type without its name, if it has one} */
    static AttributeElement unnamed(AttributeElement element) {
        return element instanceof Named named ? named.of : element;
    }

    /** {@return the type with a text; empty if there is none} */
    static Optional<AttributeElement> parse(String text) {
        return matched(Named.TEXT, text, Named::parse).or(() -> parseUnnamed(text));
    }

    private static Optional<AttributeElement> parseUnnamed(String text) {
        return matched(Array.TEXT, text, AttributeElement::array).or(() -> single(text));
    }

    private static Optional<AttributeElement> array(Matcher text) {
        long[] extents = Stream.of(text.group(2).split(", ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        return single(text.group(1)).map(of -> new Array(of, Shape.of(extents)));
    }

    private static Optional<AttributeElement> single(String text) {
        return switch (text) {
            case AttributeType.STRING -> Optional.of(STRING);
            case AttributeType.CHAR -> Optional.of(CHAR);
            default ->
                Numbers.parse(text)
                        .or(() -> Reference.parse(text))
                        .or(() -> matched(Text.TEXT, text, Text::parse))
                        .or(() -> matched(Enumeration.TEXT, text, Enumeration::parse));
        };
    }

    private static Optional<AttributeElement> matched(
            Pattern pattern, String text, Function<Matcher, Optional<AttributeElement>> read) {
        Matcher matcher = pattern.matcher(text);
        return matcher.matches() ? read.apply(matcher) : Optional.empty();
    }
}
