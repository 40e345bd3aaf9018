package dev.rechunker.cli;

import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.StoreLocation;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** The main class of the command line. */
public final class Rechunk {
    /** The exit status if the command is done. */
    static final int DONE = 0;

    /** The exit status if two arrays differ. */
    static final int DIFFERENT = 1;

    /** The exit status if the command is invalid or refused, for example for a {@code --max-mem} that is too small. */
    static final int REFUSED = 2;

    /** The exit status if a run failed. */
    static final int FAILED = 3;

    /** The exit status if a copy is done, but whole arrays of the source are left out. */
    static final int INCOMPLETE = 4;

    private static final List<String> COMMANDS =
            List.of("info", "plan", "copy", "run-tasks", "finish", "verify", "bench");

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("rechunk");
    private final Arg<Boolean> debug;

    private Rechunk() {
        spec.usageMessage()
                .description("Change the chunks of N-dimensional arrays within a fixed amount of memory.")
                .synopsisSubcommandLabel("COMMAND")
                .footer(
                        "",
                        "Exit status: 0 if done; 1 if verify found a difference; 2 if the command is invalid or was"
                                + " refused (for example, --max-mem is too small or the target exists), and nothing"
                                + " was written; 3 if a run failed; 4 if a copy is done, but arrays of the source are left"
                                + " out that --skip does not name.");
        OptionSpec option = OptionSpec.builder("--debug")
                .type(boolean.class)
                .scopeType(ScopeType.INHERIT)
                .description("Print the stack trace of an error in addition to its message.")
                .build();
        spec.addOption(option);
        debug = new Arg<>(option);
        Command.addHelp(spec);
    }

    private static Command command(String name, boolean terminal) {
        return switch (name) {
            case "info" -> new InfoCommand();
            case "plan" -> new PlanCommand();
            case "copy" -> new CopyCommand(terminal);
            case "run-tasks" -> new RunTasksCommand();
            case "finish" -> new FinishCommand();
            case "verify" -> new VerifyCommand(terminal);
            case "bench" -> new BenchCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Runs a command and exits with its status. */
    public static void main(String[] args) {
        CommandLine line = commandLine(ConsoleProgress.isTerminal(), args);
        Rechunk root = line.getCommand();
        StopSignal signal =
                StopSignal.ofThisThread(() -> root.print("stopped before the operation in progress had ended;"
                        + " what is recorded as done is kept: "
                        + (args.length > 0 && args[0].equals("copy")
                                ? "try the same command with --resume"
                                : "run the same command again")));
        int status = FAILED;
        try {
            status = run(line, args);
        } catch (OutOfMemoryError e) {
            // There is not even memory for the message.
        }
        signal.end();
        System.exit(status);
    }

    /**
     * {@return the command line, ready to be executed}
     *
     * @param terminal whether progress goes to a terminal
     * @param args the arguments. If the first one is a command, only that command is set up, as setting up all of them
     *     takes longer than running most of them
     */
    static CommandLine commandLine(boolean terminal, String... args) {
        System.setProperty("picocli.converters.excludes", "java.(time|sql).+"); // no option has such a value
        Rechunk root = new Rechunk();
        boolean one = args.length > 0 && COMMANDS.contains(args[0]);
        for (String name : one ? List.of(args[0]) : COMMANDS) {
            root.spec.addSubcommand(name, command(name, terminal).spec());
        }
        CommandLine line = new CommandLine(root.spec);
        line.setOut(line.getOut()); // the same object for all commands, so that write errors are known at the end
        line.setExpandAtFiles(false).setUsageHelpAutoWidth(true);
        line.getCommandSpec().preprocessor(UsageErrors::refuseUnknownOptions);
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().preprocessor(UsageErrors::refuseUnknownOptions));
        line.setParameterExceptionHandler((e, given) -> {
            boolean debug = List.of(given).contains("--debug"); // the parser may not have reached it
            return root.report(UsageErrors.inWords(e), REFUSED, debug);
        });
        line.setExecutionExceptionHandler((e, command, parsed) -> root.report(e, isRefusal(e) ? REFUSED : FAILED));
        return line;
    }

    /** {@return whether nothing was done; once a run has begun, its failures name it, also if a server is gone} */
    private static boolean isRefusal(Exception e) {
        return e instanceof UsageException || e instanceof RefusedException || e instanceof ConnectException;
    }

    /** Runs a command. {@return its exit status, also if it ran out of memory} */
    static int run(CommandLine line, String... args) {
        Rechunk root = line.getCommand();
        int status;
        try {
            status = line.execute(args);
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            return root.report(e, FAILED);
        }
        boolean lost = (line.getOut().checkError() || System.out.checkError()) && !isReaderGone();
        return lost && status < REFUSED
                ? root.report(new IOException("the results could not be written to standard output"), FAILED)
                : status;
    }

    /** {@return whether standard output is a pipe whose reader has ended, such as {@code head}} */
    private static boolean isReaderGone() {
        if (!System.out.checkError()) {
            return false;
        }
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
            return false;
        } catch (IOException e) {
            return "Broken pipe".equals(e.getMessage());
        }
    }

    private int report(Throwable error, int status) {
        return report(error, status, debug.isGiven());
    }

    private int report(Throwable error, int status, boolean trace) {
        print(StoreLocation.withoutSecrets(message(error)));
        if (trace) {
            PrintWriter err = spec.commandLine().getErr();
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text, true));
            Printable.writer(err, false).print(StoreLocation.withoutSecrets(text.toString()));
            err.flush();
        }
        return status;
    }

    private void print(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("rechunk: " + Printable.of(message.replaceAll("\\s*\\R\\s*", " ")));
        err.flush();
    }

    /** {@return the message of an exception, with the class name if it is an {@link Error}} */
    private static String message(Throwable error) {
        String reason = Wording.of(error);
        return error instanceof Error && error.getMessage() != null
                ? error.getClass().getSimpleName() + ": " + reason
                : reason;
    }
}
