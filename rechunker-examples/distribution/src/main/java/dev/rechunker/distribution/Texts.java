package dev.rechunker.distribution;

import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Descriptions of commands, options and arguments as plain text. */
final class Texts {
    private Texts() {}

    /** {@return the description of an option or an argument} */
    static String of(ArgSpec arg) {
        return plain(arg.description());
    }

    /** {@return the paragraphs of the description of a command} */
    static String[] of(CommandSpec command) {
        return plain(command.usageMessage().description(), "\n").split("\n");
    }

    /** {@return the paragraphs after the options of a command} */
    static String footer(CommandSpec command) {
        return plain(command.usageMessage().footer());
    }

    /** {@return the first sentence of a text, without its full stop} */
    static String firstSentence(String text) {
        return text.replaceFirst("(?s)[.:;]( .*)?$", "");
    }

    private static String plain(String[] paragraphs) {
        return plain(paragraphs, " ").strip();
    }

    private static String plain(String[] paragraphs, String separator) {
        return String.join(separator, paragraphs).replace("%%", "%").replace("%n", " ");
    }
}
