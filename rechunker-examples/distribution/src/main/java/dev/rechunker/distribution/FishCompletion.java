package dev.rechunker.distribution;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion of commands and options in the shell fish, which picocli does not generate. */
final class FishCompletion {
    private final CommandSpec root;

    FishCompletion(CommandSpec root) {
        this.root = root;
    }

    /** {@return the script: a line for each command, and for each option of a command} */
    String text() {
        Stream<String> commands = root.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .flatMap(command -> Stream.concat(
                        Stream.of("complete -c rechunk -n __fish_use_subcommand -f -a " + command.name()
                                + described(Texts.of(command)[0])),
                        options(command, "'__fish_seen_subcommand_from " + command.name() + "'")));
        return Stream.concat(options(root, "__fish_use_subcommand"), commands)
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static Stream<String> options(CommandSpec command, String condition) {
        return command.options().stream().map(option -> "complete -c rechunk -n " + condition + option(option));
    }

    private static String option(OptionSpec option) {
        String names = Stream.of(option.names())
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
        return names + (option.arity().min() > 0 ? " -r" : "") + described(Texts.of(option));
    }

    private static String described(String text) {
        return " -d '" + Texts.firstSentence(text).replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
