package dev.rechunker.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.cli.Rechunk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is in the archives. */
class ContentsTest {
    private static final String ARCHIVE = System.getProperty("archive");
    private static final Map<String, CommandLine> COMMANDS = Rechunk.commands().getSubcommands();

    @TempDir
    static Path temp = Path.of("");

    private static Path home = Path.of("");

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        home = Installed.unpack(Path.of(ARCHIVE + ".tar.gz"), temp).home();
    }

    private static String text(String name) throws IOException {
        return Files.readString(home.resolve(name));
    }

    private static Set<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(Files::isRegularFile).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void bothArchivesHaveTheSameFilesOfTheSameTime() throws IOException {
        Set<String> unpacked = new TreeSet<>();
        Set<String> times = new TreeSet<>();
        for (Path file : files()) {
            unpacked.add(temp.relativize(file).toString());
            times.add(Files.getLastModifiedTime(file).toString());
        }
        assertEquals(1, times.size(), times.toString());
        try (ZipFile zip = new ZipFile(ARCHIVE + ".zip")) {
            Set<String> zipped = zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(unpacked, zipped);
        }
        assertTrue(Files.isExecutable(home.resolve("bin/rechunk")));
        assertTrue(unpacked.contains(home.getFileName() + "/docs/getting-started.md"));
        assertTrue(text("site/index.html").contains("docs/getting-started.html"));
        assertTrue(text("bin/rechunk.bat").contains("\r\n"));
    }

    @Test
    void everyLibraryHasALicence() throws IOException {
        Map<String, String> licenses = text("licenses/README.txt")
                .lines()
                .filter(line -> line.matches("\\S+: .*"))
                .collect(Collectors.toMap(line -> line.split(": ")[0], line -> line.split(": ")[1]));
        for (Path file : files()) {
            String jar = file.getFileName().toString();
            if (jar.endsWith(".jar") && !jar.startsWith("rechunk")) {
                String library = jar.replaceFirst("-\\d.*", "");
                String named = String.valueOf(licenses.get(library));
                for (String license : named.split(", ")) {
                    assertTrue(text("licenses/" + license).length() > 100, library);
                }
            }
        }
        assertTrue(text("licenses/" + licenses.get("guava")).contains("Apache License"));
    }

    @Test
    void everyCommandHasAPageAndCompletions() throws IOException {
        for (Map.Entry<String, CommandLine> command : COMMANDS.entrySet()) {
            String page = text("man/man1/rechunk-" + command.getKey() + ".1");
            for (String option :
                    command.getValue().getCommandSpec().optionsMap().keySet()) {
                assertTrue(page.contains(option.replace("-", "\\-")), option);
                if (option.startsWith("--")) {
                    assertTrue(
                            text("completions/rechunk.fish")
                                    .contains("from " + command.getKey() + "' "
                                            + (option.equals("--help")
                                                    ? "-s h "
                                                    : option.equals("--version") ? "-s V " : "")
                                            + "-l " + option.substring(2) + " "),
                            option);
                }
            }
        }
        String all = text("man/man1/rechunk.1");
        COMMANDS.keySet().forEach(name -> assertTrue(all.contains("\n.B " + name.replace("-", "\\-") + "\n"), name));
    }

    @Test
    void bashCompletesCommandsAndOptions() throws IOException, InterruptedException {
        assertEquals("run-tasks", completed("rechunk run"));
        assertEquals("--chunks --checksums", completed("rechunk copy --ch"));
    }

    private static String completed(String words) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source " + home.resolve("completions/rechunk.bash") + "; COMP_WORDS=(" + words
                                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_rechunk; echo \"${COMPREPLY[*]}\"")
                .start();
        String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, bash.waitFor());
        return printed;
    }

    @Test
    void theScriptIsPlainShell() throws IOException, InterruptedException {
        Process shell = new ProcessBuilder(
                        "sh", "-n", home.resolve("bin/rechunk").toString())
                .inheritIO()
                .start();
        assertEquals(0, shell.waitFor());
    }
}
