package dev.rechunker.distribution;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A man page for each command, and one of all commands, in the language of the macros {@code man}. */
final class ManPages {
    private final CommandSpec root;
    private final String version;
    private final String day;

    /**
     * Creates the pages of a tool.
     *
     * @param root the tool
     * @param version the version, for the foot of each page
     * @param day the day of the version, such as {@code 2026-01-01}
     */
    ManPages(CommandSpec root, String version, String day) {
        this.root = root;
        this.version = version;
        this.day = day;
    }

    /** {@return the pages by the names of their files} */
    Map<String, String> pages() {
        Map<String, String> pages = new TreeMap<>();
        pages.put(root.name() + ".1", page(root, root.name(), root.name() + " COMMAND ..."));
        for (CommandSpec command : commands()) {
            String name = root.name() + "-" + command.name();
            pages.put(name + ".1", page(command, name, synopsis(command)));
        }
        return pages;
    }

    private List<CommandSpec> commands() {
        return root.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .toList();
    }

    private String synopsis(CommandSpec command) {
        return root.name() + " " + command.name()
                + command.positionalParameters().stream()
                        .map(arg -> arg.required() ? " " + arg.paramLabel() : " [" + arg.paramLabel() + "]")
                        .collect(Collectors.joining())
                + command.options().stream()
                        .filter(ArgSpec::required)
                        .map(option -> " " + term(option))
                        .collect(Collectors.joining())
                + " [OPTIONS]";
    }

    private String page(CommandSpec command, String name, String synopsis) {
        String[] description = Texts.of(command);
        StringBuilder page = new StringBuilder();
        page.append(String.format(
                ".TH \"%s\" 1 \"%s\" \"rechunk %s\"\n", roff(name.toUpperCase(Locale.ROOT)), day, version));
        page.append(".nh\n.ad l\n");
        page.append(".SH NAME\n")
                .append(roff(name))
                .append(" \\- ")
                .append(roff(Texts.firstSentence(description[0])))
                .append('\n');
        page.append(".SH SYNOPSIS\n.B ").append(roff(synopsis)).append('\n');
        page.append(".SH DESCRIPTION\n");
        for (String paragraph : description) {
            page.append(".PP\n").append(roff(paragraph)).append('\n');
        }
        section(
                page,
                "COMMANDS",
                command.subcommands().values(),
                each -> each.getCommandName(),
                each -> Texts.of(each.getCommandSpec())[0]);
        section(page, "ARGUMENTS", command.positionalParameters(), ArgSpec::paramLabel, Texts::of);
        section(page, "OPTIONS", command.options(), ManPages::term, Texts::of);
        String footer = Texts.footer(command);
        if (!footer.isEmpty()) {
            page.append(".SH EXIT STATUS\n").append(roff(footer)).append('\n');
        }
        String others = command == root
                ? commands().stream()
                        .map(each -> root.name() + "-" + each.name() + "(1)")
                        .collect(Collectors.joining(", "))
                : root.name() + "(1)";
        page.append(".SH SEE ALSO\n").append(roff(others)).append('\n');
        return page.toString();
    }

    private static <T> void section(
            StringBuilder page,
            String title,
            Collection<T> entries,
            Function<T, String> term,
            Function<T, String> text) {
        if (entries.isEmpty()) {
            return;
        }
        page.append(".SH ").append(title).append('\n');
        for (T entry : entries) {
            page.append(".TP\n.B ").append(roff(term.apply(entry))).append('\n');
            page.append(roff(text.apply(entry))).append('\n');
        }
    }

    /** {@return an option with its names and its value, such as {@code -h, --help}} */
    private static String term(OptionSpec option) {
        String value = option.arity().max() == 0
                ? ""
                : option.arity().min() == 0 ? "[=" + option.paramLabel() + "]" : " " + option.paramLabel();
        return String.join(", ", option.names()) + value;
    }

    /** {@return text as a line that has no command of the formatter, with hyphens that can be copied} */
    private static String roff(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('\n', ' ');
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
