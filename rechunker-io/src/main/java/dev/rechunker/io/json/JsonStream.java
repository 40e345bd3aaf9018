package dev.rechunker.io.json;

import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a large JSON document from its start to its end, value by value, without the whole of it in memory.
 *
 * <p>The caller takes the members of objects and the items of lists in their order, and the value of each before the
 * next. Values that are small are taken as plain data of {@link JsonParser}.
 */
public final class JsonStream implements Closeable {
    private static final int PIECE = 1 << 13;
    private static final int MAX_DEPTH = 200;

    /** The maximum number of characters of a value that is taken at once. */
    private static final long LONGEST = Math.min(1 << 29, Runtime.getRuntime().maxMemory() / 16);

    private final String where;
    private final Reader in;
    private final char[] piece = new char[PIECE];
    private final StringBuilder text = new StringBuilder();
    private int at;
    private int end;
    private long before;

    /** For each open object or list, whether nothing of it was taken yet. */
    private final Deque<Boolean> untouched = new ArrayDeque<>();

    /**
     * Creates a reader of a document in UTF-8.
     *
     * @param where the location of the document, for messages
     * @param in the document, which is closed with this
     */
    public JsonStream(String where, InputStream in) {
        this.where = where;
        this.in = new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder());
    }

    /** {@return the first character of the next value} */
    public char peek() throws IOException {
        while (true) {
            int c = next();
            if (c < 0) {
                throw malformed("it is incomplete");
            }
            boolean isMark = c == '\ufeff' && before + at == 0;
            if (!isMark && " \t\r\n".indexOf(c) < 0) {
                return (char) c;
            }
            at++;
        }
    }

    /** {@return the next character, which is not taken; -1 at the end} */
    private int next() throws IOException {
        if (at == end) {
            before += end;
            at = 0;
            end = 0;
            try {
                end = Math.max(0, in.read(piece));
            } catch (CharacterCodingException e) {
                throw new StoreException(where + " is not UTF-8 text after character " + before, e);
            }
            if (end == 0) {
                return -1;
            }
        }
        return piece[at];
    }

    private void expect(char wanted) throws IOException {
        if (peek() != wanted) {
            throw malformed("'" + wanted + "' is missing");
        }
        at++;
    }

    /** Begins an object. */
    public void beginObject() throws IOException {
        begin('{');
    }

    /** Begins a list. */
    public void beginList() throws IOException {
        begin('[');
    }

    private void begin(char bracket) throws IOException {
        expect(bracket);
        untouched.push(true);
        if (untouched.size() > MAX_DEPTH) {
            throw malformed("it is nested more than " + MAX_DEPTH + " levels deep");
        }
    }

    /** {@return the name of the next member of the object; null after its last one, when the object is left} */
    public @Nullable String nextMember() throws IOException {
        if (!hasNext('}')) {
            return null;
        }
        String name = string();
        expect(':');
        return name;
    }

    /** {@return whether there is a next item of the list; after its last one, the list is left} */
    public boolean nextItem() throws IOException {
        return hasNext(']');
    }

    private boolean hasNext(char bracket) throws IOException {
        boolean isFirst = untouched.pop();
        char c = peek();
        if (c == bracket) {
            at++;
            return false;
        }
        if (!isFirst) {
            expect(',');
        }
        untouched.push(false);
        return true;
    }

    /** {@return the next value, which must be a text} */
    public String string() throws IOException {
        if (peek() != '"') {
            throw malformed("a text is missing");
        }
        text.setLength(0);
        takeString();
        int last = text.length() - 1;
        return text.indexOf("\\") < 0
                ? text.substring(1, last)
                : (String) Objects.requireNonNull(JsonParser.value(where, text.toString()));
    }

    /** {@return the next value as JSON} */
    public String json() throws IOException {
        peek();
        text.setLength(0);
        takeValue();
        return text.toString();
    }

    /** {@return the next value as plain data} */
    public @Nullable Object value() throws IOException {
        long start = before + at;
        String json = json();
        return JsonParser.value(where + ", from character " + start, json);
    }

    /** Appends a value as it is, of which only brackets and the ends of texts are checked. */
    private void takeValue() throws IOException {
        int depth = 0;
        do {
            char c = peek();
            if (c == '"') {
                takeString();
                continue;
            }
            if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
            if (depth < 0 || ((c == ',' || c == ':') && depth == 0)) {
                throw malformed("a value is missing");
            }
            at++;
            append(c);
            if ("{}[],:".indexOf(c) < 0) {
                takeToken();
            }
        } while (depth > 0);
    }

    private void append(int c) throws IOException {
        if (text.length() >= LONGEST) {
            throw malformed("a value has more than " + LONGEST + " characters, the most with this size of the heap;"
                    + " raise -Xmx");
        }
        text.append((char) c);
    }

    private void takeToken() throws IOException {
        int c = next();
        while (c >= 0 && ",]}{[: \t\r\n\"".indexOf(c) < 0) {
            at++;
            append(c);
            c = next();
        }
    }

    private void takeString() throws IOException {
        text.append('"');
        at++;
        while (true) {
            int c = next();
            if (c < ' ') {
                throw malformed(c < 0 ? "it is incomplete" : "a text contains a control character");
            }
            at++;
            append(c);
            if (c == '"') {
                return;
            }
            if (c == '\\') {
                int escaped = next();
                if (escaped < 0) {
                    throw malformed("it is incomplete");
                }
                at++;
                append(escaped);
            }
        }
    }

    /** Requires that nothing follows the value that was taken last. */
    public void requireEnd() throws IOException {
        while (next() >= 0) {
            if (" \t\r\n".indexOf(piece[at]) < 0) {
                throw malformed("there is text after the end of the value");
            }
            at++;
        }
    }

    /** {@return a failure at the current position} */
    public StoreException malformed(String what) {
        return new StoreException(where + " is not valid at character " + (before + at) + ": " + what);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
