package dev.rechunker;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Patterns of paths, as {@link ChunkRule#named} has them. */
final class PathPattern {
    private static final Pattern WILDCARD = Pattern.compile("(?<=^|/)\\*\\*/|\\*\\*|\\*");

    private PathPattern() {}

    /** {@return whether a path fits, for each path} */
    static Predicate<String> parse(String pattern) {
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
