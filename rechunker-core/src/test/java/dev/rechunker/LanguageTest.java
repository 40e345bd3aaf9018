package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sources and documentation are in plain English: they do not use metaphors for parts of the project, or phrases that
 * have a usual equivalent. Names in the code count, too: {@code whatIsHeld} is read as "what is held".
 */
class LanguageTest {
    private static final Path ROOT = Path.of("..");

    /**
     * A phrase that is not used.
     *
     * @param pattern matches the phrase in lower case, with single spaces
     * @param instead what to write instead
     */
    private record Phrase(Pattern pattern, String instead) {
        static Phrase of(String regex, String instead) {
            return new Phrase(Pattern.compile("\\b(?:" + regex + ")\\b"), instead);
        }
    }

    private static final List<Phrase> PHRASES = List.of(
            Phrase.of("houses?|rooms?|walls?", "package, module, architecture; for free space: space"),
            Phrase.of("(?:front )?doors?", "entry point, API"),
            Phrase.of("judges?|judged|judging", "reference implementation"),
            Phrase.of("(?:go|goes|going|gone|went) on with", "resume, continue"),
            Phrase.of(
                    "unless told|told otherwise|as (?:it|they) (?:is|are) told", "by default, unless OPTION is given"),
            Phrase.of("so many", "the noun, or a parameter name"),
            Phrase.of("what is held", "memory in use"),
            Phrase.of("(?<!left |leave |leaves |nothing )behind", "after"),
            Phrase.of("besides", "additional, in addition to, other"),
            Phrase.of("whoever|whomever|nobody|somebody|everybody", "a process, a run, a thread, no caller, ..."),
            Phrase.of("would do", "the least possible"),
            Phrase.of("anew", "again"));

    /** What has been checked so far, relative to the root of the project. */
    private static final List<String> CLEAN = List.of(
            "CHANGELOG.md",
            "README.md",
            "docs",
            "rechunker-core/src/main/java/dev/rechunker/array",
            "rechunker-core/src/main/java/dev/rechunker/copy",
            "rechunker-core/src/main/java/dev/rechunker/geometry",
            "rechunker-core/src/main/java/dev/rechunker/journal",
            "rechunker-core/src/main/java/dev/rechunker/memory",
            "rechunker-core/src/main/java/dev/rechunker/picture",
            "rechunker-core/src/main/java/dev/rechunker/plan",
            "rechunker-core/src/main/java/dev/rechunker/threads",
            "rechunker-core/src/main/java/dev/rechunker/verify",
            "rechunker-core/src/main/java/dev/rechunker/view",
            "rechunker-io/spark/src/main",
            "rechunker-io/spark/src/test",
            "rechunker-io/src/main/java/dev/rechunker/io/bytes",
            "rechunker-io/src/main/java/dev/rechunker/io/concat",
            "rechunker-io/src/main/java/dev/rechunker/io/imglib2",
            "rechunker-io/src/main/java/dev/rechunker/io/jobs",
            "rechunker-io/src/main/java/dev/rechunker/io/json",
            "rechunker-io/src/main/java/dev/rechunker/io/n5",
            "rechunker-io/src/main/java/dev/rechunker/io/ome",
            "rechunker-io/src/main/java/dev/rechunker/io/s3",
            "rechunker-io/src/main/java/dev/rechunker/io/tree",
            "rechunker-io/src/test/java/dev/rechunker/io/bytes",
            "rechunker-io/src/test/java/dev/rechunker/io/concat",
            "rechunker-io/src/test/java/dev/rechunker/io/imglib2",
            "rechunker-io/src/test/java/dev/rechunker/io/jobs",
            "rechunker-io/src/test/java/dev/rechunker/io/json",
            "rechunker-io/src/test/java/dev/rechunker/io/n5",
            "rechunker-io/src/test/java/dev/rechunker/io/ome",
            "rechunker-io/src/test/java/dev/rechunker/io/s3",
            "rechunker-io/src/test/java/dev/rechunker/io/tree");

    /**
     * A use that is right where it is.
     *
     * @param path the end of the path of the file
     * @param text the text with the phrase, in lower case
     * @param reason why it stays
     */
    private record Allowed(String path, String text, String reason) {}

    private static final List<Allowed> ALLOWED = List.of(
            new Allowed("docs/faq.md", "", "quotes messages of the code"),
            new Allowed("docs/correctness.md", "", "names tests"));

    @Test
    void textHasNoDroppedPhrases() throws IOException {
        List<String> found = new ArrayList<>();
        for (String clean : CLEAN) {
            for (Path file : files(ROOT.resolve(clean))) {
                found.addAll(phrasesIn(file));
            }
        }
        assertEquals(List.of(), found);
    }

    @Test
    void pathsExist() {
        for (String clean : CLEAN) {
            assertTrue(Files.exists(ROOT.resolve(clean)), clean);
        }
    }

    @Test
    void phrasesAreFoundInTextAndNamesAndAcrossLines() {
        for (String text : List.of(
                "/** Opens the front\n     * door. */",
                "what it goes on\n * with",
                "int whatIsHeld;",
                "As // so\n    // many",
                "RECHUNKER_JUDGES=1",
                "Unless\ntold otherwise")) {
            assertTrue(
                    PHRASES.stream()
                            .anyMatch(phrase ->
                                    phrase.pattern.matcher(plain(text)).find()),
                    text);
        }
        for (String text : List.of("indoors", "a broom", "the program went on")) {
            assertFalse(
                    PHRASES.stream()
                            .anyMatch(phrase ->
                                    phrase.pattern.matcher(plain(text)).find()),
                    text);
        }
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> phrasesIn(Path file) throws IOException {
        String path = ROOT.relativize(file).toString().replace('\\', '/');
        String text = plain(Files.readString(file));
        List<String> found = new ArrayList<>();
        for (Phrase phrase : PHRASES) {
            for (Matcher m = phrase.pattern.matcher(text); m.find(); ) {
                String around = text.substring(Math.max(0, m.start() - 40), Math.min(text.length(), m.end() + 40));
                if (ALLOWED.stream().noneMatch(e -> path.endsWith(e.path) && around.contains(e.text))) {
                    found.add(path + ": \"... " + around + " ...\": write " + phrase.instead);
                }
            }
        }
        return found;
    }

    /**
     * {@return a text in lower case, with single spaces, without marks of comments, and with the words of names apart}
     */
    private static String plain(String text) {
        return text.replaceAll("([a-z])([A-Z])", "$1 $2")
                .replace('_', ' ')
                .replaceAll("(?m)^\\s*(?:\\*|//|>)", " ")
                .replaceAll("\\s+", " ")
                .toLowerCase(Locale.ROOT);
    }
}
