package dev.rechunker.io.reference;

import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A text with expressions in {@code {{ }}}, in the form of Jinja, as far as references use it: integers, texts, names,
 * arithmetic, and calls of other templates. What is not understood is refused.
 */
final class Template {
    /** The most characters of a text that is made. */
    private static final int LONGEST = 1 << 14;

    private static final int LONGEST_EXPRESSION = 1000;

    private final String text;
    private final List<Expression> parts;

    private Template(String text, List<Expression> parts) {
        this.text = text;
        this.parts = parts;
    }

    /** {@return a template} */
    static Template parse(String text) throws StoreException {
        if (text.length() > LONGEST) {
            throw new StoreException("the template \"" + shown(text) + "\" has more than " + LONGEST + " characters");
        }
        if (text.contains("{%") || text.contains("{#")) {
            throw new StoreException("the template \"" + shown(text) + "\" has a statement or comment of Jinja, which"
                    + " is not supported; write the references without it");
        }
        List<Expression> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf("{{", at);
            String plain = text.substring(at, open < 0 ? text.length() : open);
            if (!plain.isEmpty()) {
                parts.add(names -> plain);
            }
            if (open < 0) {
                break;
            }
            int close = text.indexOf("}}", open);
            if (close < 0) {
                throw new StoreException("the template \"" + shown(text) + "\" has {{ without }}");
            }
            String expression = text.substring(open + 2, close);
            if (expression.length() > LONGEST_EXPRESSION) {
                throw new StoreException("the expression {{" + shown(expression) + "}} of the references has more than "
                        + LONGEST_EXPRESSION + " characters");
            }
            parts.add(new ExpressionParser(expression).parse());
            at = close + 2;
        }
        return new Template(text, parts);
    }

    /** {@return whether a text has expressions} */
    static boolean isTemplate(String text) {
        return text.contains("{{");
    }

    /** {@return the text with the values of its expressions} */
    String render(Map<String, ?> names) throws StoreException {
        StringBuilder rendered = new StringBuilder();
        for (Expression part : parts) {
            rendered.append(part.value(names));
            if (rendered.length() > LONGEST) {
                throw new StoreException(
                        "the template \"" + shown(text) + "\" makes a text of more than " + LONGEST + " characters");
            }
        }
        return rendered.toString();
    }

    /** {@return the start of a text, for messages} */
    static String shown(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "..." : text;
    }

    /** A value that depends on names. */
    @FunctionalInterface
    interface Expression {
        /** {@return the value: a {@code Long} or a {@code String}} */
        Object value(Map<String, ?> names) throws StoreException;
    }
}
