package dev.rechunker.distribution;

import dev.rechunker.cli.Rechunk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Generates man pages, completions for shells, and licences. */
public final class Generate {
    private Generate() {}

    /**
     * Writes the directories {@code man}, {@code completions} and {@code licenses}.
     *
     * @param args the directory to write to, that of the jars of the distribution, that of additional licences, the
     *     version, and the day of the version
     */
    public static void main(String[] args) throws IOException {
        Locale.setDefault(Locale.ROOT); // of the texts of picocli
        Path target = Path.of(args[0]);
        CommandLine commands = Rechunk.commands();
        write(target.resolve("man/man1"), new ManPages(commands.getCommandSpec(), args[3], args[4]).pages());
        String bash = AutoComplete.bash("rechunk", commands);
        write(
                target.resolve("completions"),
                Map.of(
                        "rechunk.bash",
                        bash,
                        "_rechunk",
                        "#compdef rechunk\n" + bash,
                        "rechunk.fish",
                        new FishCompletion(commands.getCommandSpec()).text()));
        write(
                target.resolve("licenses"),
                new Licenses(Path.of(args[2])).of(Path.of(args[1])).files());
    }

    private static void write(Path directory, Map<String, String> files) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(directory.resolve(file.getKey()), file.getValue());
        }
    }
}
