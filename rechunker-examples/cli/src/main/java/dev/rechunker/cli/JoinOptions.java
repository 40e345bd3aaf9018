package dev.rechunker.cli;

import dev.rechunker.io.concat.Concat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The options of how sources are opened, and how several are joined to one. */
final class JoinOptions {
    private final Arg<String> concat;
    private final Arg<String> stack;
    private final Arg<Integer> open;
    private final Arg<String[]> keepFirst;
    private final LinksOption links;

    JoinOptions(Command command) {
        concat = command.text("--concat", "AXIS", "Join the sources along an axis, given by name or number.");
        stack = command.text("--stack", "NAME", "Join the sources along a new first axis with this name.");
        open = command.value(
                Integer.class, "--open", "N", "The most sources that are open at the same time. Default: 64.");
        keepFirst = command.list(
                String[].class,
                "--keep-first",
                "ATTRIBUTES",
                "The attributes that are taken from the first source even if other sources differ.");
        links = new LinksOption(command);
    }

    /**
     * {@return the source, joined from several arguments if the options say so}
     *
     * @param coordinates whether arrays that are joined come with their coordinates
     */
    StoreLocation source(List<String> arguments, boolean coordinates) throws IOException {
        String along = concat.value();
        String name = stack.value();
        Integer most = open.value();
        String[] kept = keepFirst.or(new String[0]);
        if (along == null && name == null) {
            if (kept.length > 0 || most != null) {
                throw new UsageException((most == null ? "--keep-first" : "--open")
                        + " is only for sources that are joined with --concat or --stack");
            }
            if (arguments.size() > 1) {
                throw new UsageException(arguments.size() + " sources are given, " + String.join(" and ", arguments)
                        + "; join them with --concat AXIS or --stack NAME, or quote a value that has blanks");
            }
            return Locations.existing(arguments.get(0), links.follow());
        }
        if (along != null && name != null) {
            throw new UsageException("--concat " + along + " and --stack " + name + " exclude each other");
        }
        List<Concat.Source> sources = new ArrayList<>();
        for (String argument : arguments) {
            sources.addAll(Locations.sources(argument, links.follow()));
        }
        try {
            Concat.Options options = Concat.options().keepFirst(kept);
            options = most == null ? options : options.atMostOpen(most);
            options = coordinates ? options.withCoordinates() : options;
            if (name != null) {
                return variable(options.stack(name, sources), sources.get(0));
            }
            String axis = String.valueOf(along);
            if (axis.isEmpty()) {
                throw new UsageException("--concat \"\" does not name an axis; write its name or number");
            }
            ChunkStore joined = Numbers.isAxis(axis)
                    ? options.along(Integer.parseInt(axis), sources)
                    : options.along(axis, sources);
            return variable(joined, sources.get(0));
        } catch (IllegalArgumentException | StoreException e) {
            throw new UsageException(e);
        }
    }

    /** {@return the array that was named, if it has come with its coordinates; otherwise all} */
    private static StoreLocation variable(ChunkStore joined, Concat.Source first) throws IOException {
        StoreLocation named = joined.at(first.path().substring(first.path().lastIndexOf('/') + 1));
        return joined.node(named.path()).orElse(null) instanceof ChunkStore.ArrayNode ? named : joined.at("");
    }
}
