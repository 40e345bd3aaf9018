package dev.rechunker.cli;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.rechunker.store.StoreLocation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * The result of a command.
 *
 * @param status the exit status
 * @param out the standard output
 * @param err the standard error
 */
public record Cli(int status, String out, String err) {
    /** Runs a command. {@return its result} */
    public static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Rechunk.commandLine(false, args);
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = Rechunk.run(line, args);
        Cli result = new Cli(status, out.toString(), err.toString());
        result.requireNoSecret();
        return result;
    }

    /** Fails if anything was printed that tests mark as secret, or that looks like a secret in a location. */
    private void requireNoSecret() {
        String printed = out + err;
        if (printed.contains("SECRET") || !printed.equals(StoreLocation.withoutSecrets(printed))) {
            throw new AssertionError("a secret is printed: " + printed);
        }
    }

    /** Parses a command without running it, and fails if it is invalid. */
    public static void parse(String... args) {
        Rechunk.commandLine(false, args).parseArgs(args);
    }

    /** {@return the last line of the output, which is JSON} */
    JsonObject json() {
        List<String> lines = out.lines().toList();
        return JsonParser.parseString(lines.get(lines.size() - 1)).getAsJsonObject();
    }
}
