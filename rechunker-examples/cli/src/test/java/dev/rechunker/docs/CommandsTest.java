package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.cli.Cli;
import dev.rechunker.cli.ExamplesTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands of the documentation. Those in {@code sh} blocks are run, page by page, each page in its own directory,
 * and must succeed. They must print each line of a {@code text} block after them, apart from numbers. Commands that
 * only show a form must be valid.
 */
class CommandsTest {
    private static final Pattern JAR = Pattern.compile("^java .*-jar (\\S*/)?rechunk\\.jar ");
    private static final Pattern MAIN = Pattern.compile("^java -cp \\S*rechunk\\.jar (dev\\.rechunker\\.\\S+) ?");
    private static final Pattern TOKEN = Pattern.compile("\"[^\"]*\"|[^\\s\"]+");
    private static final Pattern PLACE = Pattern.compile("\\w+://.*|[^=:]*\\.(zarr|h5|html)(#.*)?|quickstart|scratch");

    /** The beginnings of commands that are not run, because they build the project. */
    private static final String MAVEN = "mvn ";

    @TempDir
    Path temp = Path.of("");

    static List<Page> pages() throws IOException {
        return Page.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commandsPrintWhatThePageShows(Page page)
            throws ReflectiveOperationException, IOException, InterruptedException {
        String printed = "";
        for (Page.Block block : page.blocks()) {
            if (block.language().equals("sh")) {
                StringBuilder all = new StringBuilder();
                for (String line : lines(block.text())) {
                    all.append(run(line));
                }
                printed = all.toString();
            } else {
                if (block.language().equals("text") && !printed.isEmpty()) {
                    assertPrinted(block.text(), printed);
                }
                printed = "";
            }
        }
    }

    private static void assertPrinted(String expected, String printed) {
        Set<String> lines = printed.lines().map(CommandsTest::numberless).collect(Collectors.toSet());
        for (String line : expected.lines().toList()) {
            assertTrue(lines.contains(numberless(line)), () -> "not printed: " + line + "\nbut:\n" + printed);
        }
    }

    private static String numberless(String line) {
        return line.replaceAll("\\d+(\\.\\d+)?", "0").strip().replaceAll("\\s+", " ");
    }

    /** {@return the commands, each on one line} */
    private static List<String> lines(String block) {
        return block.replaceAll("\\\\\n\\s*", "")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    private String run(String line) throws ReflectiveOperationException, IOException, InterruptedException {
        if (JAR.matcher(line).find()) {
            Cli cli = Cli.run(placed(arguments(JAR.matcher(line).replaceFirst(""))));
            assertEquals(0, cli.status(), line + "\n" + cli.out() + cli.err());
            return cli.out() + cli.err();
        }
        var main = MAIN.matcher(line);
        if (main.find()) {
            String[] arguments = placed(arguments(main.replaceFirst("")));
            var method = Class.forName(main.group(1)).getMethod("main", String[].class);
            List<ReflectiveOperationException> failure = new ArrayList<>();
            String printed = ExamplesTest.printed(() -> {
                try {
                    method.invoke(null, (Object) arguments);
                } catch (ReflectiveOperationException e) {
                    failure.add(e);
                }
            });
            assertEquals(List.of(), failure, line);
            return printed;
        }
        assertTrue(line.startsWith(MAVEN), () -> "no test runs this command: " + line);
        return "";
    }

    private static List<String> arguments(String text) {
        return TOKEN.matcher(text)
                .results()
                .map(token -> token.group().replace("\"", ""))
                .toList();
    }

    /** {@return the arguments, with paths moved to the directory of the test} */
    private String[] placed(List<String> arguments) {
        return arguments.stream()
                .map(argument -> PLACE.matcher(argument).matches() ? LocalScheme.in(temp, argument) : argument)
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void documentedFormsAreValid(Page page) {
        for (String line : lines(page.text())) {
            if (JAR.matcher(line).find() && !line.contains("COMMAND")) {
                String form = line.replaceAll("\\[.*?\\](\\.\\.\\.)?", "");
                Cli.parse(arguments(JAR.matcher(form).replaceFirst("")).toArray(String[]::new));
            }
        }
    }
}
