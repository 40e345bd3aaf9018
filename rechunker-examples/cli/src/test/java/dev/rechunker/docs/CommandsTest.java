package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.cli.Cli;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
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
    @TempDir
    Path temp = Path.of("");

    static List<Page> pages() throws IOException {
        return Page.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commandsPrintWhatThePageShows(Page page)
            throws ReflectiveOperationException, IOException, InterruptedException {
        DocumentedCommands commands = new DocumentedCommands(temp);
        String printed = "";
        for (Page.Block block : page.blocks()) {
            if (block.language().equals("sh")) {
                StringBuilder all = new StringBuilder();
                for (String line : DocumentedCommands.lines(block.text())) {
                    all.append(commands.run(line));
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

    @ParameterizedTest
    @MethodSource("pages")
    void documentedFormsAreValid(Page page) {
        for (String line : DocumentedCommands.lines(page.text())) {
            if (DocumentedCommands.isCommand(line) && !line.contains("COMMAND")) {
                Cli.parse(DocumentedCommands.shown(line.replaceAll("\\[.*?\\](\\.\\.\\.)?", "")));
            }
        }
    }
}
