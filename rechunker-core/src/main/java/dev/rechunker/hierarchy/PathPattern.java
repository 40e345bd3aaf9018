package dev.rechunker.hierarchy;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Patterns of the paths of arrays. */
public final class PathPattern {
    private static final Pattern WILDCARD = Pattern.compile("(?<=^|/)\\*\\*/|\\*\\*|\\*");

    private PathPattern() {}

    /**
     * {@return a predicate that accepts the paths that match one of several patterns, which are separated by commas}
     *
     * @throws IllegalArgumentException if a pattern is empty
     */
    public static Predicate<String> parseAny(String patterns) {
        Predicate<String> any = path -> false;
        for (String pattern : patterns.split(",", -1)) {
            if (pattern.isBlank()) {
                throw new IllegalArgumentException("\"" + patterns + "\" has an empty pattern");
            }
            any = any.or(parse(pattern.strip()));
        }
        return any;
    }

    /**
     * {@return a predicate that accepts the paths that match a pattern}
     *
     * <p>A pattern without a slash is the name of arrays, in any group. A pattern with a slash is a whole path, with or
     * without a slash at its beginning. {@code *} stands for any part of a name, {@code **} for any part of a path.
     */
    public static Predicate<String> parse(String pattern) {
        StringBuilder regex = new StringBuilder(pattern.contains("/") ? "" : "(?:.*/)?");
        Matcher wildcard = WILDCARD.matcher(pattern);
        int literal = pattern.startsWith("/") ? 1 : 0;
        while (wildcard.find()) {
            regex.append(Pattern.quote(pattern.substring(literal, wildcard.start())));
            regex.append(
                    switch (wildcard.group()) {
                        case "**/" -> "(?:.*/)?";
                        case "**" -> ".*";
                        default -> "[^/]*";
                    });
            literal = wildcard.end();
        }
        regex.append(Pattern.quote(pattern.substring(literal)));
        return Pattern.compile(regex.toString(), Pattern.DOTALL).asMatchPredicate();
    }
}
