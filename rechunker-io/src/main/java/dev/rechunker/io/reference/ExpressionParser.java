package dev.rechunker.io.reference;

import dev.rechunker.io.reference.Template.Expression;
import dev.rechunker.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses an expression of a template. From the loosest to the tightest, operators are: {@code + -}, {@code ~} (which
 * joins texts), {@code * // %}, the sign, {@code **}. A text before {@code %} is a format of one number, such as
 * {@code '%03d' % i}.
 */
final class ExpressionParser {
    private static final int MAX_DEPTH = 50;
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*([0-9]{1,18}|[A-Za-z_][A-Za-z0-9_]*|'[^'\\\\]*'|\"[^\"\\\\]*\"|//|\\*\\*|[-+~*%(),=])");
    private static final Pattern FORMAT = Pattern.compile("(.*?)%(0?[1-9]?[0-9]?)([dis])(.*)", Pattern.DOTALL);

    private final String text;
    private final Matcher tokens;
    private int at;
    private int depth;
    private String token = "";

    ExpressionParser(String text) {
        this.text = text;
        this.tokens = TOKEN.matcher(text);
    }

    Expression parse() throws StoreException {
        advance();
        Expression value = sum();
        if (!token.isEmpty()) {
            throw refuse("\"" + token + "\" is not expected there");
        }
        return value;
    }

    /** Goes on to the next token, which is empty at the end. */
    private void advance() throws StoreException {
        if (text.substring(at).isBlank()) {
            token = "";
            return;
        }
        tokens.region(at, text.length());
        if (!tokens.lookingAt()) {
            throw refuse("\"" + text.substring(at).strip().charAt(0) + "\" is not supported");
        }
        token = tokens.group(1);
        at = tokens.end();
    }

    private boolean take(String wanted) throws StoreException {
        if (!token.equals(wanted)) {
            return false;
        }
        advance();
        return true;
    }

    private Expression sum() throws StoreException {
        if (++depth > MAX_DEPTH) {
            throw refuse("it is nested too deep");
        }
        Expression left = join();
        while (token.equals("+") || token.equals("-")) {
            Expression a = left;
            boolean isSum = take("+") || !take("-");
            Expression b = join();
            left = names -> sum(a.value(names), b.value(names), isSum);
        }
        depth--;
        return left;
    }

    private Object sum(Object a, Object b, boolean isSum) throws StoreException {
        if (isSum && a instanceof String left && b instanceof String right) {
            return left + right;
        }
        return number(a, b, isSum ? Math::addExact : Math::subtractExact);
    }

    private Expression join() throws StoreException {
        Expression left = product();
        while (take("~")) {
            Expression a = left;
            Expression b = product();
            left = names -> "" + a.value(names) + b.value(names);
        }
        return left;
    }

    private Expression product() throws StoreException {
        Expression left = sign();
        while (token.equals("*") || token.equals("//") || token.equals("%")) {
            String operator = token;
            advance();
            Expression a = left;
            Expression b = sign();
            left = names -> product(a.value(names), b.value(names), operator);
        }
        return left;
    }

    private Object product(Object a, Object b, String operator) throws StoreException {
        if (operator.equals("%") && a instanceof String format) {
            return format(format, b);
        }
        return switch (operator) {
            case "*" -> number(a, b, Math::multiplyExact);
            case "//" -> number(a, b, Math::floorDiv);
            default -> number(a, b, Math::floorMod);
        };
    }

    private String format(String format, Object value) throws StoreException {
        Matcher parts = FORMAT.matcher(format);
        if (!parts.matches() || parts.group(4).contains("%")) {
            throw refuse("the format '" + format + "' is not supported; use one such as '%03d'");
        }
        boolean isText = parts.group(3).equals("s");
        if (!isText && !(value instanceof Long)) {
            throw refuse("the format '" + format + "' needs a number");
        }
        String directive = "%" + (isText ? parts.group(2).replaceFirst("^0", "") : parts.group(2));
        return parts.group(1)
                + String.format(Locale.ROOT, (directive.equals("%0") ? "%" : directive) + (isText ? "s" : "d"), value)
                + parts.group(4);
    }

    private Expression sign() throws StoreException {
        if (take("-")) {
            if (++depth > MAX_DEPTH) {
                throw refuse("it is nested too deep");
            }
            Expression a = sign();
            depth--;
            return names -> number(0L, a.value(names), Math::subtractExact);
        }
        return power();
    }

    private Expression power() throws StoreException {
        Expression base = single();
        if (!take("**")) {
            return base;
        }
        Expression exponent = single();
        return names -> number(base.value(names), exponent.value(names), ExpressionParser::power);
    }

    private static long power(long base, long exponent) {
        if (exponent < 0 || exponent > 64) {
            throw new ArithmeticException("its exponent is not in 0 to 64");
        }
        long power = 1;
        for (long i = 0; i < exponent; i++) {
            power = Math.multiplyExact(power, base);
        }
        return power;
    }

    private Expression single() throws StoreException {
        String first = token;
        if (take("(")) {
            Expression inside = sum();
            require(")");
            return inside;
        }
        if (first.isEmpty()) {
            throw refuse("it ends early");
        }
        char c = first.charAt(0);
        if (c >= '0' && c <= '9') {
            advance();
            long number = Long.parseLong(first);
            return names -> number;
        }
        if (c == '\'' || c == '"') {
            advance();
            String value = first.substring(1, first.length() - 1);
            return names -> value;
        }
        if (!Character.isLetter(c) && c != '_') {
            throw refuse("\"" + first + "\" is not expected there");
        }
        advance();
        return take("(") ? call(first) : names -> named(first, names);
    }

    private Object named(String name, Map<String, ?> names) throws StoreException {
        Object value = names.get(name);
        if (value instanceof Template) {
            throw refuse("the template \"" + name + "\" has parameters; write " + name + "(parameter='value')");
        }
        if (value == null) {
            throw refuse("\"" + name + "\" is not defined");
        }
        return value;
    }

    /** A call of a template, after its opening parenthesis. Only the values that it is given are known in it. */
    private Expression call(String name) throws StoreException {
        Map<String, Expression> given = new LinkedHashMap<>();
        while (!take(")")) {
            if (!given.isEmpty()) {
                require(",");
            }
            String parameter = token;
            advance();
            require("=");
            given.put(parameter, sum());
        }
        return names -> {
            if (!(names.get(name) instanceof Template template)) {
                throw refuse("\"" + name + "\" is not a template with parameters");
            }
            Map<String, Object> values = new LinkedHashMap<>();
            for (Map.Entry<String, Expression> each : given.entrySet()) {
                values.put(each.getKey(), each.getValue().value(names));
            }
            return template.render(values);
        };
    }

    private void require(String wanted) throws StoreException {
        if (!take(wanted)) {
            throw refuse("\"" + wanted + "\" is missing");
        }
    }

    /** An operation on two integers. */
    private interface Operation {
        long apply(long a, long b);
    }

    private Long number(Object a, Object b, Operation operation) throws StoreException {
        if (!(a instanceof Long x) || !(b instanceof Long y)) {
            throw refuse("it calculates with a text");
        }
        try {
            return operation.apply(x, y);
        } catch (ArithmeticException e) {
            throw refuse("it has no value, or one that is too large: " + e.getMessage());
        }
    }

    private StoreException refuse(String why) {
        return new StoreException("the expression {{" + Template.shown(text) + "}} of the references: " + why);
    }
}
