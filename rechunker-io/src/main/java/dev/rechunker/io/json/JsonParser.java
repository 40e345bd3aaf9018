package dev.rechunker.io.json;

import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses JSON (RFC 8259) into plain data: maps, lists, strings, booleans, nulls and exact numbers. An integer becomes a
 * {@code Long} or, if that is too small, a {@code BigInteger}. A number with a decimal point or an exponent becomes a
 * {@code Double} if the shortest decimal form of that double is the same number, else a {@code BigDecimal}.
 *
 * <p>The tokens {@code NaN}, {@code Infinity} and {@code -Infinity}, which Python's json module writes, are doubles;
 * general JSON libraries turn them into strings, so they would not survive a copy. An object with a key twice is
 * refused, because readers differ in which value they use.
 *
 * <p>Documents that would need too much stack or heap are refused: with values nested more than 200 levels deep,
 * numbers of more than 1000 characters, or more values than fit into half of the heap.
 */
public final class JsonParser {
    private static final int MAX_DEPTH = 200;

    /** The maximum number of characters of a number: the time to convert digits to a number grows as their square. */
    private static final int LONGEST_NUMBER = 1000;

    /** The maximum number of values: a member of an object takes up to 256 bytes. */
    private static final long MOST_VALUES = Runtime.getRuntime().maxMemory() / 512;

    private static final Pattern NUMBER = Pattern.compile("-?(?:0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?");

    private final String where;
    private final String text;
    private int at;
    private long values;

    private JsonParser(String where, String text) {
        this.where = where;
        this.text = text;
    }

    /**
     * {@return the object in a document}
     *
     * @param where the location of the document, for messages
     * @throws StoreException if the document is not UTF-8, not JSON, or not an object
     */
    public static Map<String, @Nullable Object> object(String where, byte[] document) throws StoreException {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(document))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StoreException(where + " is not UTF-8 text", e);
        }
        JsonParser parser = new JsonParser(where, text.startsWith("\ufeff") ? text.substring(1) : text);
        parser.space();
        if (parser.at >= parser.text.length() || parser.text.charAt(parser.at) != '{') {
            throw new StoreException(where + " is not a JSON object");
        }
        Map<String, @Nullable Object> object = parser.map(0);
        parser.end();
        return object;
    }

    /** {@return the value in a text} */
    public static @Nullable Object value(String where, String text) throws StoreException {
        JsonParser parser = new JsonParser(where, text);
        Object value = parser.value(0);
        parser.end();
        return value;
    }

    private void end() throws StoreException {
        space();
        if (at < text.length()) {
            throw malformed("there is text after the end of the value");
        }
    }

    private @Nullable Object value(int depth) throws StoreException {
        if (depth > MAX_DEPTH) {
            throw malformed("it is nested more than " + MAX_DEPTH + " levels deep");
        }
        if (++values > MOST_VALUES) {
            throw malformed("it has more than " + MOST_VALUES + " values, which take half of the heap; raise -Xmx");
        }
        space();
        char c = peek();
        return switch (c) {
            case '{' -> map(depth);
            case '[' -> list(depth);
            case '"' -> string();
            default -> {
                int start = at;
                while (at < text.length() && ",]} \t\r\n:".indexOf(text.charAt(at)) < 0) {
                    at++;
                }
                yield scalar(text.substring(start, at));
            }
        };
    }

    private Map<String, @Nullable Object> map(int depth) throws StoreException {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return map;
        }
        while (true) {
            space();
            if (peek() != '"') {
                throw malformed("a key in quotation marks is missing");
            }
            String key = string();
            space();
            expect(':');
            Object value = value(depth + 1);
            if (map.containsKey(key)) {
                throw malformed("the key \"" + key + "\" occurs twice in an object");
            }
            map.put(key, value);
            space();
            if (peek() == '}') {
                at++;
                return map;
            }
            expect(',');
        }
    }

    private List<@Nullable Object> list(int depth) throws StoreException {
        List<@Nullable Object> list = new ArrayList<>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return list;
        }
        while (true) {
            list.add(value(depth + 1));
            space();
            if (peek() == ']') {
                at++;
                return list;
            }
            expect(',');
        }
    }

    private String string() throws StoreException {
        StringBuilder out = new StringBuilder();
        at++;
        while (true) {
            char c = peek();
            at++;
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                throw malformed("a string contains a control character");
            }
            out.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() throws StoreException {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int end = at + 4;
                int code = 0;
                for (; at < end; at++) {
                    int digit = Character.digit(peek(), 16);
                    if (digit < 0) {
                        throw malformed("\\u is not followed by four hexadecimal digits");
                    }
                    code = code * 16 + digit;
                }
                yield (char) code;
            }
            default -> throw malformed("the escape \\" + c + " is unknown");
        };
    }

    private @Nullable Object scalar(String token) throws StoreException {
        return switch (token) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> number(token);
        };
    }

    private Number number(String token) throws StoreException {
        if (token.length() > LONGEST_NUMBER) {
            throw malformed(
                    "a value has " + token.length() + " characters, but a number may have at most " + LONGEST_NUMBER);
        }
        Matcher number = NUMBER.matcher(token);
        if (!number.matches()) {
            throw malformed("\"" + token + "\" is not a value");
        }
        if (number.group(1) == null && number.group(2) == null) {
            BigInteger integer = new BigInteger(token);
            if (integer.bitLength() > 63) {
                return integer;
            }
            return integer.longValue();
        }
        double approximation = Double.parseDouble(token);
        BigDecimal exact = new BigDecimal(token);
        boolean isExact =
                Double.isFinite(approximation) && exact.compareTo(new BigDecimal(Double.toString(approximation))) == 0;
        if (isExact) {
            return approximation;
        }
        return exact;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws StoreException {
        if (at >= text.length()) {
            throw malformed("it is incomplete");
        }
        return text.charAt(at);
    }

    private void expect(char wanted) throws StoreException {
        if (peek() != wanted) {
            throw malformed("'" + wanted + "' is missing");
        }
        at++;
    }

    private StoreException malformed(String what) {
        return new StoreException(where + " is not valid JSON at character " + at + ": " + what);
    }
}
