package dev.rechunker.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Stack;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Messages for unknown options and for missing or unexpected arguments. */
final class UsageErrors {
    /** The least similarity of a name that is suggested. */
    private static final double SIMILAR = 0.6;

    /** The most names that are suggested. */
    private static final int SUGGESTIONS = 3;

    private UsageErrors() {}

    /**
     * Refuses unknown options at any position, so that none is taken for an argument or for the value of another
     * option. Accepts them if help or the version is requested.
     */
    static final class RefuseUnknownOptions implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // picocli's own type
        public boolean preprocess(
                Stack<String> args, CommandSpec command, @Nullable ArgSpec none, Map<String, Object> info) {
            Map<String, OptionSpec> known = new HashMap<>(command.optionsMap());
            known.putAll(command.negatedOptionsMap());
            List<String> names = optionNames(args, command);
            if (names.stream().map(known::get).anyMatch(o -> o != null && (o.usageHelp() || o.versionHelp()))) {
                return false;
            }
            for (String name : names) {
                if (!known.containsKey(name)) {
                    throw new ParameterException(
                            command.commandLine(),
                            unknown(
                                    "option",
                                    name,
                                    command,
                                    command.optionsMap().keySet()));
                }
            }
            return false;
        }
    }

    /** {@return the arguments that look like options of this command, without their values; negative numbers do not} */
    private static List<String> optionNames(Collection<String> args, CommandSpec command) {
        List<String> inOrder = new ArrayList<>(args);
        Collections.reverse(inOrder);
        boolean root = command.parent() == null; // its options are flags, which a command follows
        return inOrder.stream()
                .takeWhile(arg -> !arg.equals("--") && !(root && !arg.startsWith("-")))
                .filter(arg -> arg.matches("(?s)-[^0-9.].*"))
                .map(arg -> arg.replaceFirst("(?s)=.*", ""))
                .toList();
    }

    /** {@return an error of the parser with a message that names missing or unexpected arguments} */
    static ParameterException inWords(ParameterException error) {
        CommandSpec command = error.getCommandLine().getCommandSpec();
        String message = error.getMessage();
        if (error instanceof MissingParameterException missing
                && missing.getMissing().stream().anyMatch(ArgSpec::isPositional)) {
            message = "missing " + missing(command) + "; write " + form(command);
        } else if (error instanceof UnmatchedArgumentException e
                && !command.subcommands().isEmpty()) {
            message = unknown(
                    "command",
                    e.getUnmatched().get(0),
                    command,
                    command.subcommands().keySet());
        } else if (error instanceof UnmatchedArgumentException e) {
            List<String> unmatched = e.getUnmatched();
            message = "unexpected argument" + (unmatched.size() == 1 ? " '" : "s '") + String.join("', '", unmatched)
                    + "'; write " + form(command);
        }
        return new ParameterException(error.getCommandLine(), String.valueOf(message), error);
    }

    private static String missing(CommandSpec command) {
        return required(command)
                .filter(arg -> arg.stringValues().isEmpty())
                .map(arg -> label(arg).replace("...", ""))
                .collect(Collectors.joining(", "));
    }

    /** {@return the name of a command with its required options and arguments} */
    private static String form(CommandSpec command) {
        return command.name() + " " + required(command).map(UsageErrors::label).collect(Collectors.joining(" "));
    }

    private static Stream<ArgSpec> required(CommandSpec command) {
        return Stream.<Collection<? extends ArgSpec>>of(command.positionalParameters(), command.options())
                .<ArgSpec>flatMap(Collection::stream)
                .filter(ArgSpec::required);
    }

    private static String label(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() + " " + arg.paramLabel() : arg.paramLabel();
    }

    private static String unknown(String kind, String name, CommandSpec command, Collection<String> known) {
        boolean isKnown = known.stream().anyMatch(other -> similarity(name, other) == 1);
        List<String> similar = known.stream()
                .filter(other -> similarity(name, other) >= (isKnown ? 1 : SIMILAR))
                .sorted(Comparator.comparingDouble((String other) -> similarity(name, other))
                        .reversed())
                .limit(SUGGESTIONS)
                .map(other -> "'" + other + "'")
                .toList();
        return "unknown " + kind + " '" + name + "'; "
                + (similar.isEmpty()
                        ? command.name() + " --help lists all " + kind + "s"
                        : "did you mean " + String.join(" or ", similar) + "?");
    }

    /**
     * {@return the similarity of two names: the length of their longest common subsequence relative to their mean
     * length, 1 if they are equal}
     */
    private static double similarity(String one, String other) {
        String a = plain(one);
        String b = plain(other);
        int[] common = new int[b.length() + 1];
        for (int i = 0; i < a.length(); i++) {
            int diagonal = 0;
            for (int j = 1; j <= b.length(); j++) {
                int above = common[j];
                common[j] = a.charAt(i) == b.charAt(j - 1) ? diagonal + 1 : Math.max(above, common[j - 1]);
                diagonal = above;
            }
        }
        return 2.0 * common[b.length()] / (a.length() + b.length());
    }

    private static String plain(String name) {
        return name.replaceFirst("^-+", "").toLowerCase(Locale.ROOT);
    }
}
