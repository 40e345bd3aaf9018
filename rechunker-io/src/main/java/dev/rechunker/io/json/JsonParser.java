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
 * Reads JSON (RFC 8259) into plain data: maps, lists, strings, booleans, nulls and exact numbers. An integer becomes a
 * {@code Long} or, beyond its range, a {@code BigInteger}; a number with a point or exponent a {@code Double} if that
 * is exact in its shortest decimal form, else a {@code BigDecimal}.
 *
 * <p>The tokens {@code NaN}, {@code Infinity} and {@code -Infinity}, which Python's json module writes, are doubles; a
 * general JSON library takes them for strings, and they would not survive a copy. A key that stands twice in one object
 * is refused, since readers differ in which one they take.
 *
 * <p>Refused too is what would take a stack or a heap without end: values that are nested more than 200 deep, numbers
 * of more than 1000 characters, and more values than take half of the heap.
 */
public final class JsonParser {
    private static final int MAX_DEPTH = 200;

    /** Making a number of its digits takes time that grows as their square. */
    private static final int LONGEST_NUMBER = 1000;

    /** A member of an object takes up to 256 bytes. */
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
     * @param where names the document in messages
     * @throws StoreException if it is not UTF-8, not JSON, or not an object
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

    /** {@return the value that a text stands for} */
    public static @Nullable Object value(String where, String text) throws StoreException {
        JsonParser parser = new JsonParser(where, text);
        Object value = parser.value(0);
        parser.end();
        return value;
    }

    private void end() throws StoreException {
        space();
        if (at < text.length()) {
            throw malformed("something follows the end of the value");
        }
    }

    private @Nullable Object value(int depth) throws StoreException {
        if (depth > MAX_DEPTH) {
            throw malformed("nested more than " + MAX_DEPTH + " deep");
        }
        if (++values > MOST_VALUES) {
            throw malformed("more than " + MOST_VALUES + " values take half of this heap; -Xmx makes it larger");
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
                throw malformed("a key in quotes is missing");
            }
            String key = string();
            space();
            expect(':');
            Object value = value(depth + 1);
            if (map.containsKey(key)) {
                throw malformed("the key \"" + key + "\" stands twice in one object");
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
                throw malformed("a control character in a string");
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
                        throw malformed("\\u without four hexadecimal digits");
                    }
                    code = code * 16 + digit;
                }
                yield (char) code;
            }
            default -> throw malformed("the unknown escape \\" + c);
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
            throw malformed("a value of " + token.length() + " characters is no number that can be read");
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
            throw malformed("it ends too early");
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
