package dev.rechunker.cli;

import dev.rechunker.Plan;
import dev.rechunker.Run;
import dev.rechunker.run.ProgressListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The option {@code --watch}, and the server that it starts. */
final class WatchOption implements AutoCloseable {
    private final Command command;
    private final Arg<String> port;
    private final Run.Page page = new Run.Page("copy");
    private @Nullable WatchServer server;

    WatchOption(Command command) {
        this.command = command;
        port = command.attached(
                "--watch",
                "PORT",
                "0",
                "Serve a page on the run while it lasts, to browsers on this machine only. Its address is printed; the"
                        + " port is a free one unless it is given as --watch=PORT.");
    }

    boolean isGiven() {
        return port.value() != null;
    }

    /** {@return a listener that also tells the page, if the option is given} */
    ProgressListener and(ProgressListener other) {
        if (!isGiven()) {
            return other;
        }
        return progress -> {
            other.onProgress(progress);
            page.onProgress(progress);
        };
    }

    /** Starts the server for a run, if the option is given, and prints its address. */
    void begin(Plan plan) throws IOException {
        String text = port.value();
        if (text == null) {
            return;
        }
        page.begin(plan);
        int number = number(text);
        try {
            server = new WatchServer(page, number);
        } catch (IOException e) {
            throw new UsageException("--watch=" + number + " cannot be served: " + e.getMessage()
                    + "; give another port, or none for a free one");
        }
        command.err().println("watch " + server.address());
    }

    private static int number(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= 65_535) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new UsageException("--watch=" + text + " is not a port; write a number from 1 to 65535, or --watch alone"
                + " for a free port");
    }

    /** Shows what came of the run, and ends the server. */
    void end(String result) {
        if (server != null) {
            server.end(result);
            server = null;
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.end("The run has failed.");
        }
    }
}
