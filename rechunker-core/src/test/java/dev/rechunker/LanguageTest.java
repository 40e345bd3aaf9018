package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Sources and documentation are in plain English: they do not use metaphors for parts of the project, or phrases that
 * have a usual equivalent. Names in the code count, too: {@code whatIsHeld} is read as "what is held".
 */
class LanguageTest {
    private static final Path ROOT = Path.of("..");

    /** The endings of the names of files that are checked. */
    private static final List<String> TEXTS = List.of(".java", ".md", ".py", ".mjs", ".xml", ".svg", "/.ci/run");

    /** The names of directories that are not part of the project's text: outputs, and fixtures of other projects. */
    private static final Set<String> SKIPPED = Set.of(".git", "target", "resources");

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

    @Test
    void textHasNoDroppedPhrases() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            found.addAll(phrasesIn(file));
        }
        assertEquals(List.of(), found);
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

    /** {@return all sources and pages that are checked, without this test, which has the phrases} */
    private static List<Path> files() throws IOException {
        List<Path> checked = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean skipped = SKIPPED.contains(String.valueOf(directory.getFileName()));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (isText(file) && !file.endsWith("LanguageTest.java")) {
                    checked.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertTrue(checked.size() > 500, () -> "only " + checked.size() + " files are checked");
        return checked;
    }

    private static boolean isText(Path file) {
        return TEXTS.stream().anyMatch(ending -> file.toString().endsWith(ending));
    }

    private static String relative(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    private static List<String> phrasesIn(Path file) throws IOException {
        String path = relative(file);
        String text = plain(Files.readString(file));
        List<String> found = new ArrayList<>();
        for (Phrase phrase : PHRASES) {
            for (Matcher m = phrase.pattern.matcher(text); m.find(); ) {
                String around = text.substring(Math.max(0, m.start() - 40), Math.min(text.length(), m.end() + 40));
                found.add(path + ": \"... " + around + " ...\": write " + phrase.instead);
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
