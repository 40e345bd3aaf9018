package dev.rechunker.examples.cli;

import dev.rechunker.io.concat.Concat;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How several sources are one. */
final class JoinOptions {
    @Option(
            names = "--concat",
            paramLabel = "AXIS",
            description = "Put the sources one after the other along an axis, given by name or number.")
    private @Nullable String concat;

    @Option(
            names = "--stack",
            paramLabel = "NAME",
            description = "Put the sources one behind the other along a new first axis of this name.")
    private @Nullable String stack;

    @Option(
            names = "--open",
            paramLabel = "N",
            description = "How many sources are open at once, at most; 64 unless told otherwise.")
    private @Nullable Integer open;

    @Option(
            names = "--keep-first",
            paramLabel = "ATTRIBUTES",
            split = ",",
            description = "Attributes that are taken from the first source though the others differ.")
    private String[] keepFirst = {};

    /** {@return the one source that the arguments make} */
    StoreLocation source(List<String> arguments) throws IOException {
        if (concat == null && stack == null) {
            if (keepFirst.length > 0 || open != null) {
                throw new UsageException((open == null ? "--keep-first" : "--open")
                        + " is for sources that are joined, by --concat or --stack");
            }
            if (arguments.size() > 1) {
                throw new UsageException(
                        arguments.size() + " sources; say how they are one array with --concat AXIS or --stack NAME");
            }
            return Locations.existing(arguments.get(0));
        }
        if (concat != null && stack != null) {
            throw new UsageException("--concat " + concat + " and --stack " + stack + " exclude each other");
        }
        List<Concat.Source> sources = new ArrayList<>();
        for (String argument : arguments) {
            sources.addAll(Locations.sources(argument));
        }
        try {
            Concat.Options options = Concat.options().keepFirst(keepFirst);
            options = open == null ? options : options.atMostOpen(open);
            if (stack != null) {
                return options.stack(stack, sources).at("");
            }
            String axis = String.valueOf(concat);
            if (axis.isEmpty()) {
                throw new UsageException("--concat \"\" names no axis; write its name or number");
            }
            boolean number = Numbers.isAxis(axis);
            return (number ? options.along(Integer.parseInt(axis), sources) : options.along(axis, sources)).at("");
        } catch (IllegalArgumentException | StoreException e) {
            throw new UsageException(e);
        }
    }
}
