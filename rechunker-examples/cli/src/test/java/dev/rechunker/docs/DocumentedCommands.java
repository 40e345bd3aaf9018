package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.cli.Cli;
import dev.rechunker.cli.ExamplesTest;
import dev.rechunker.cli.Rechunk;
import dev.rechunker.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs commands of the documentation in a directory.
 *
 * @param directory the directory in which the files of the commands are
 */
record DocumentedCommands(Path directory) {
    private static final Pattern JAR = Pattern.compile("^(java .*-jar (\\S*/)?rechunk\\.jar |rechunk (?=("
            + String.join("|", Rechunk.commands().getSubcommands().keySet()) + ") ))");
    private static final Pattern MAIN = Pattern.compile("^java -cp \\S*rechunk\\.jar (dev\\.rechunker\\.\\S+) ?");
    private static final Pattern TOKEN = Pattern.compile("\"[^\"]*\"|[^\\s\"]+");
    private static final Pattern PLACE =
            Pattern.compile("\\w+://.*|[^=:]*\\.(zarr|h5|nc|html)(#.*)?|quickstart|scratch|daily|tryout");

    /** The beginnings of commands that are not run, because they build the project. */
    private static final String MAVEN = "mvn ";

    /** {@return the commands, each on one line} */
    static List<String> lines(String block) {
        return block.replaceAll("\\\\\n\\s*", "")
                .lines()
                .map(line -> line.replaceFirst("\\s# .*", "").strip())
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    /** {@return whether a line is a command of the command line} */
    static boolean isCommand(String line) {
        return JAR.matcher(line).find();
    }

    /** {@return the arguments of a command of the command line, with places as they are shown} */
    static String[] shown(String line) {
        return arguments(JAR.matcher(line).replaceFirst("")).toArray(String[]::new);
    }

    /** Runs a command, which must succeed. {@return what it prints} */
    String run(String line) throws ReflectiveOperationException, IOException, InterruptedException {
        if (JAR.matcher(line).find()) {
            Cli cli = Cli.run(placed(List.of(shown(line))));
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
                .map(argument -> PLACE.matcher(argument).matches() ? LocalScheme.in(directory, argument) : argument)
                .toArray(String[]::new);
    }

    /** {@return a process that runs a command of the command line} */
    ProcessBuilder process(String line) {
        return ChildJvm.of(List.of(), Rechunk.class, placed(List.of(shown(line))))
                .directory(directory.toFile());
    }
}
