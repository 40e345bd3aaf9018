package dev.rechunker.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Stack;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A command: the options and arguments that it takes, and what it does with them.
 *
 * <p>Picocli's annotations are not used: to find them by reflection takes longer than many a command.
 */
abstract class Command implements Callable<Integer> {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

    /**
     * Makes a command without options.
     *
     * @param description in paragraphs, the first of which is shown in the list of all commands
     */
    Command(String name, String... description) {
        spec.name(name).usageMessage().description(description).sortOptions(false);
    }

    /** {@return this command, as picocli knows it; with the options that every command has behind its own} */
    final CommandSpec spec() {
        addHelp(spec);
        return spec;
    }

    /** Adds what every command has. */
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

    /** {@return standard output} */
    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** {@return standard error} */
    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** {@return an option without a value} */
    final Arg<Boolean> flag(String name, String description) {
        return add(OptionSpec.builder(name).type(boolean.class).description(description));
    }

    /** {@return an option with a text} */
    final Arg<String> text(String name, String label, String description) {
        return value(String.class, name, label, description);
    }

    /** {@return an option with a value of a type that picocli knows} */
    final <T> Arg<T> value(Class<T> type, String name, String label, String description) {
        return add(option(type, name, label, description));
    }

    /** {@return an option that the command cannot be without} */
    final <T> Arg<T> required(Class<T> type, String name, String label, String description) {
        return add(option(type, name, label, description).required(true));
    }

    /** {@return an option with any number of values, separated by commas} */
    final <T> Arg<T> list(Class<T> arrayType, String name, String label, String description) {
        return add(option(arrayType, name, label, description).splitRegex(","));
    }

    /** {@return an option whose text is attached to it, {@code --name=text}, or left out, which stands for another} */
    final Arg<String> attached(String name, String label, String leftOut, String description) {
        return add(option(String.class, name, label, description)
                .arity("0..1")
                .fallbackValue(leftOut)
                .preprocessor(Command::leaveWhatFollows));
    }

    /** Takes a value only if it is attached: what follows the option may be a place. */
    @SuppressWarnings("JdkObsolete") // picocli's own type
    private static boolean leaveWhatFollows(
            Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (" ".equals(info.get("separator"))) {
            args.push(((OptionSpec) option).fallbackValue());
        }
        return false;
    }

    private static OptionSpec.Builder option(Class<?> type, String name, String label, String description) {
        return OptionSpec.builder(name).type(type).paramLabel(label).description(description);
    }

    private <T> Arg<T> add(OptionSpec.Builder builder) {
        OptionSpec option = builder.build();
        spec.addOption(option);
        return new Arg<>(option);
    }

    /** {@return the argument at an index, or the arguments in a range of them, {@code "1..*"}} */
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
