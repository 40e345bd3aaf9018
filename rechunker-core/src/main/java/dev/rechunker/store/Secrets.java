package dev.rechunker.store;

import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces what may be secret in texts that contain locations: credentials, and values in queries. */
final class Secrets {
    private static final String HIDDEN = "***";

    /** A URI: scheme, slashes, and the rest. A URI that was taken for a path has a single slash. */
    private static final Pattern LOCATION = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(/*)([^\\s\"<>]+)");

    /** A parameter whose name says that its value is a secret, also outside of a URI. */
    private static final Pattern SECRET_PARAMETER = Pattern.compile(
            "(?i)([?&;#](?:[\\w.-]*(?:signature|credential|token|secret|passw|pwd|api-?_?key|accesskey|auth)[\\w.-]*"
                    + "|sig)=)[^&#\\s\"]*?(?=['.,;:)]*(?:[&#\\s\"]|\\z))");

    private static final Pattern PORT = Pattern.compile("[^:]*(?::\\d*)?|\\[[0-9a-fA-F:.]*](?::\\d*)?");
    private static final Pattern PUNCTUATION = Pattern.compile("['.,;:)]+\\z");

    /** The settings of a URI that are not secret. */
    private static final Set<String> SETTINGS =
            Set.of("account", "region", "anonymous", "redirects", "requesterPays", "userProject");

    private Secrets() {}

    /** {@return a text with {@code ***} in place of everything in its locations that may be secret} */
    static String hide(String text) {
        if (text.indexOf(':') < 0 && text.indexOf('=') < 0) {
            return text;
        }
        String hidden = LOCATION.matcher(text).replaceAll(location -> Matcher.quoteReplacement(location(location)));
        return SECRET_PARAMETER.matcher(hidden).replaceAll("$1" + Matcher.quoteReplacement(HIDDEN));
    }

    private static String location(MatchResult location) {
        String scheme = location.group(1).toLowerCase(Locale.ROOT);
        String rest = location.group(3);
        String start = location.group(1) + ":" + location.group(2);
        if (scheme.equals("file")) {
            return start + rest;
        }
        boolean web = scheme.equals("http") || scheme.equals("https");
        int credentials = credentials(rest, web);
        String shown = credentials < 0 ? rest : HIDDEN + rest.substring(credentials);
        return start + (location.group(2).isEmpty() ? shown : query(shown));
    }

    /**
     * {@return the position of the at sign after credentials, or -1 if there are none}
     *
     * <p>Credentials that are not encoded may contain slashes and question marks. They are then recognised by a colon
     * that does not precede a port.
     */
    private static int credentials(String rest, boolean web) {
        String authority = rest.split("[/?#]", 2)[0];
        boolean ofHost = web ? PORT.matcher(authority).matches() : authority.indexOf(':') < 0;
        return (ofHost ? authority : rest).lastIndexOf('@');
    }

    /** {@return the part of a URI after its scheme, without the values of its query that may be secret} */
    private static String query(String rest) {
        int question = rest.indexOf('?');
        if (question < 0) {
            return rest;
        }
        int end = rest.indexOf('#', question);
        String query = rest.substring(question + 1, end < 0 ? rest.length() : end);
        Matcher trailing = PUNCTUATION.matcher(query);
        String after = (trailing.find() ? trailing.group() : "") + (end < 0 ? "" : rest.substring(end));
        String parameters = trailing.replaceFirst("");
        StringBuilder shown = new StringBuilder(rest.substring(0, question + 1));
        String separator = "";
        for (String parameter : parameters.split("&", -1)) {
            shown.append(separator).append(parameter(parameter));
            separator = "&";
        }
        return shown.append(after).toString();
    }

    private static String parameter(String parameter) {
        int sign = parameter.indexOf('=');
        String name = sign < 0 ? parameter : parameter.substring(0, sign);
        String value = sign < 0 ? "" : parameter.substring(sign + 1);
        if (SETTINGS.contains(name) || parameter.isEmpty() || (sign >= 0 && value.isEmpty())) {
            return parameter;
        }
        if (name.equals("endpoint") && !value.matches("(?i).*(@|%40|[?]|%3f).*")) {
            return parameter;
        }
        return sign < 0 ? HIDDEN : name + "=" + HIDDEN;
    }
}
