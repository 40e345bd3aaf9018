package dev.rechunker.cli;

import static java.util.Objects.requireNonNull;

import dev.rechunker.Rechunker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a job that {@link Rechunker#options()} lists, each an option of the command line. An option that is
 * new there is also new here.
 */
final class JobOptions {
    /** Options that the command line has in another form. */
    private static final Set<String> OWN = Set.of("format", "spill", "checksums", "checksum-file", "checksum-contents");

    private final Map<String, Arg<?>> args = new LinkedHashMap<>();

    JobOptions(Command command) {
        for (Rechunker.OptionInfo option : Rechunker.options()) {
            if (!OWN.contains(option.name())) {
                args.put(option.name(), add(command, option));
            }
        }
    }

    /** {@return an option of the list by its name, for a command that has no job} */
    static Rechunker.OptionInfo named(String name) {
        return Rechunker.options().stream()
                .filter(option -> option.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Arg<?> add(Command command, Rechunker.OptionInfo option) {
        String name = "--" + option.name();
        String label = option.label();
        String description = option.description().replace("%", "%%"); // of picocli
        if (label.isEmpty()) {
            return command.flag(name, description);
        }
        return label.startsWith("[")
                ? command.attached(name, label.substring(1, label.length() - 1), "", description)
                : command.text(name, label, description);
    }

    /** {@return the value of an option as it was given: empty if it has none; null if the option was not given} */
    @Nullable
    String text(String name) {
        Arg<?> arg = requireNonNull(args.get(name), name);
        if (arg.value() instanceof String text) {
            return text;
        }
        return arg.isGiven() ? "" : null;
    }

    /** {@return whether an option was given} */
    boolean isGiven(String name) {
        return text(name) != null;
    }

    /**
     * {@return a job with the options that were given}
     *
     * @throws UsageException if one has a value that is not accepted
     */
    Rechunker.Job in(Rechunker.Job job) {
        Rechunker.Job result = job;
        for (String name : args.keySet()) {
            String text = text(name);
            if (text != null && !(name.equals("workers") && CostOptions.isAuto(this))) {
                try {
                    result = result.option(name, text);
                } catch (IllegalArgumentException e) {
                    throw new UsageException("--" + name + ": " + e.getMessage());
                }
            }
        }
        return result;
    }
}
