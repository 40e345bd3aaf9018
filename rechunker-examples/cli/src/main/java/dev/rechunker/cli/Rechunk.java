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
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
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
            List.of("demo", "info", "suggest", "plan", "copy", "cost", "run-tasks", "finish", "verify", "bench");

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
            case "demo" -> new DemoCommand(terminal);
            case "info" -> new InfoCommand();
            case "suggest" -> new SuggestCommand();
            case "plan" -> new PlanCommand();
            case "copy" -> new CopyCommand(terminal);
            case "cost" -> new CostCommand();
            case "run-tasks" -> new RunTasksCommand();
            case "finish" -> new FinishCommand();
            case "verify" -> new VerifyCommand(terminal);
            case "bench" -> new BenchCommand();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** What is printed if no command is given. */
    private static final List<String> FIRST_STEPS = List.of(
            "rechunk copies N-dimensional arrays into other chunks: Zarr, OME-Zarr, N5, HDF5 and netCDF-4.",
            "",
            "  rechunk demo DIR                         makes a file in a new directory, and shows the others with it",
            "  rechunk info SRC                         describes a file or store of yours, and the arrays in it",
            "  rechunk copy SRC DST --chunks auto       copies it into chunks that suit most uses",
            "",
            "rechunk --help lists all commands, and rechunk COMMAND --help the options of one.");

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

    /** {@return the command line with all its commands, to read its options from} */
    public static CommandLine commands() {
        return commandLine(false);
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
        line.getCommandSpec().preprocessor(new UsageErrors.RefuseUnknownOptions());
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().preprocessor(new UsageErrors.RefuseUnknownOptions()));
        line.setParameterExceptionHandler(root.new UsageHandler());
        line.setExecutionExceptionHandler(root.new FailureHandler());
        return line;
    }

    /** Reports wrong usage. A class, for the reason that is given in {@link Command}. */
    private final class UsageHandler implements IParameterExceptionHandler {
        @Override
        public int handleParseException(ParameterException e, String[] given) {
            boolean trace = List.of(given).contains("--debug"); // the parser may not have reached it
            return report(UsageErrors.inWords(e), REFUSED, trace);
        }
    }

    /** Reports what a command throws. */
    private final class FailureHandler implements IExecutionExceptionHandler {
        @Override
        public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
            return report(e, isRefusal(e) ? REFUSED : FAILED);
        }
    }

    /** {@return whether nothing was done; once a run has begun, its failures name it, also if a server is gone} */
    private static boolean isRefusal(Exception e) {
        return e instanceof UsageException || e instanceof RefusedException || e instanceof ConnectException;
    }

    /** Runs a command. {@return its exit status, also if it ran out of memory} */
    static int run(CommandLine line, String... args) {
        Rechunk root = line.getCommand();
        if (args.length == 0) {
            PrintWriter err = line.getErr();
            FIRST_STEPS.forEach(err::println);
            err.flush();
            return REFUSED;
        }
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
            Printable.writer(err).print(StoreLocation.withoutSecrets(text.toString()));
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
