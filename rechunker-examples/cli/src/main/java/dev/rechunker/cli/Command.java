package dev.rechunker.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command with its options and arguments.
 *
 * <p>Picocli's annotations are not used, as finding them by reflection takes longer than running many commands.
 */
abstract class Command implements Callable<Integer> {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    /**
     * Creates a command without options.
     *
     * @param description the paragraphs of the description; the first one is shown in the list of commands
     */
    Command(String name, String... description) {
        spec.name(name).usageMessage().description(description).sortOptions(false);
    }

    /** {@return picocli's specification of this command, with the options of all commands after its own} */
    final CommandSpec spec() {
        addHelp(spec);
        return spec;
    }

    /** Adds the options of all commands. */
    static void addHelp(CommandSpec command) {
        command.addOption(OptionSpec.builder("-h", "--help")
                .type(boolean.class)
                .usageHelp(true)
                .description("Show this help message and exit.")
                .build());
        command.addOption(OptionSpec.builder("-V", "--version")
                .type(boolean.class)
                .versionHelp(true)
                .description("Print version information and exit.")
                .build());
        String version = Command.class.getPackage().getImplementationVersion();
        command.version("rechunk " + (version == null ? "(development)" : version));
    }

    /** {@return standard output, for lines of printable text; other characters are escaped} */
    final PrintWriter out() {
        return Printable.writer(spec.commandLine().getOut());
    }

    /** {@return standard error, for lines of printable text; other characters are escaped} */
    final PrintWriter err() {
        return Printable.writer(spec.commandLine().getErr());
    }

    /** {@return standard error, for a writer that escapes what it has from files by itself} */
    final PrintWriter unescapedErr() {
        return spec.commandLine().getErr();
    }

    /** {@return an option without a value} */
    final Arg<Boolean> flag(String name, String description) {
        return add(OptionSpec.builder(name).type(boolean.class).description(description));
    }

    /** {@return an option with a text as its value} */
    final Arg<String> text(String name, String label, String description) {
        return value(String.class, name, label, description);
    }

    /** {@return an option with a value of a type that picocli can parse} */
    final <T> Arg<T> value(Class<T> type, String name, String label, String description) {
        return add(option(type, name, label, description));
    }

    /** {@return a required option} */
    final <T> Arg<T> required(Class<T> type, String name, String label, String description) {
        return add(option(type, name, label, description).required(true));
    }

    /** {@return an option with any number of values, separated by commas} */
    final <T> Arg<T> list(Class<T> arrayType, String name, String label, String description) {
        return add(option(arrayType, name, label, description).splitRegex(","));
    }

    /** {@return an option with an optional value, given as {@code --name=text}; {@code leftOut} if there is none} */
    final Arg<String> attached(String name, String label, String leftOut, String description) {
        return add(option(String.class, name, label, description)
                .arity("0..1")
                .fallbackValue(leftOut)
                .preprocessor(new LeaveWhatFollows()));
    }

    /**
     * Takes a value only if it is attached with {@code =}, as the next argument may be a location.
     *
     * <p>A class, as all implementations of picocli's interfaces here: JDK 17 cannot put lambdas that implement them,
     * whose class files are of an old version, into an archive of classes, and aborts (JDK-8274944).
     */
    private static final class LeaveWhatFollows implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // picocli's own type
        public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (" ".equals(info.get("separator"))) {
                args.push(((OptionSpec) option).fallbackValue());
            }
            return false;
        }
    }

    private static OptionSpec.Builder option(Class<?> type, String name, String label, String description) {
        return OptionSpec.builder(name).type(type).paramLabel(label).description(description);
    }

    private <T> Arg<T> add(OptionSpec.Builder builder) {
        OptionSpec option = builder.build();
        spec.addOption(option);
        return new Arg<>(option);
    }

    /** {@return the argument at an index such as {@code "0"}, or the arguments of a range such as {@code "1..*"}} */
    final <T> Arg<T> argument(Class<T> type, String index, String arity, String label, String description) {
        PositionalParamSpec argument = PositionalParamSpec.builder()
                .type(type)
                .index(index)
                .arity(arity)
                .paramLabel(label)
                .required(!arity.startsWith("0"))
                .hideParamSyntax(arity.equals("1"))
                .description(description)
                .build();
        spec.addPositional(argument);
        return new Arg<>(argument);
    }
}
