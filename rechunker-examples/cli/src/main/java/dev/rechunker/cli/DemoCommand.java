package dev.rechunker.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The command {@code demo}, which makes a file, and runs the commands with which one begins. */
final class DemoCommand extends Command {
    private final Arg<String> directory =
            argument(String.class, "0", "1", "DIR", "The directory to make; it must not exist, or be empty.");
    private final boolean terminal;

    /**
     * Creates the command.
     *
     * @param terminal whether progress goes to a terminal
     */
    DemoCommand(boolean terminal) {
        super("demo", "Make an image of 34 MB in a new directory, and show how to copy it into other chunks.");
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path place = emptyDirectory();
        Path scan = place.resolve("scan.h5");
        Path zarr = place.resolve("scan.ome.zarr");
        say(scan + " is an image of 64 planes, as a microscope may store it.");
        DemoScan.write(scan);
        String image = scan + "#entry/data";
        int status = run("Describe it.", "info", image);
        if (status == Rechunk.DONE) {
            status = run(
                    "Copy it into cubes that are compressed, with at most 32 MB of memory for data, and compare.",
                    "copy",
                    image,
                    zarr.toString(),
                    "--chunks",
                    "16,128,128",
                    "--codec",
                    "zstd",
                    "--max-mem",
                    "32MB",
                    "--verify",
                    "--html",
                    place.resolve("copy.html").toString());
        }
        if (status == Rechunk.DONE) {
            status = run("Describe the result.", "info", zarr.toString());
        }
        if (status == Rechunk.DONE) {
            say("");
            say(place.resolve("copy.html")
                    + " is a picture of the copy, for a browser. Now try it with data of your own.");
        }
        return status;
    }

    private Path emptyDirectory() throws IOException {
        Path path;
        try {
            path = Path.of(directory.given());
        } catch (InvalidPathException e) {
            throw new UsageException(e);
        }
        FilesBeside.requireShortNames(path);
        if (Files.exists(path) && !isEmptyDirectory(path)) {
            throw new UsageException(path + " exists; name a directory that does not exist, or an empty one");
        }
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UsageException("the directory " + path + " cannot be made: " + Wording.of(e));
        }
    }

    private static boolean isEmptyDirectory(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.findAny().isEmpty();
        }
    }

    /** Prints and runs a command. {@return its exit status} */
    private int run(String purpose, String... args) {
        say("");
        say("# " + purpose);
        say("$ rechunk " + Stream.of(args).map(DemoCommand::quoted).collect(Collectors.joining(" ")));
        CommandLine line = Rechunk.commandLine(terminal, args);
        line.setOut(out()).setErr(err());
        return Rechunk.run(line, args);
    }

    /** {@return an argument as a shell takes it} */
    private static String quoted(String arg) {
        boolean plain = arg.matches("[\\w@%+=:,./-]+(#[\\w@%+=:,./-]*)?");
        return plain ? arg : "'" + arg.replace("'", "'\\''") + "'";
    }

    private void say(String line) {
        PrintWriter out = out();
        out.println(line);
        out.flush();
    }
}
