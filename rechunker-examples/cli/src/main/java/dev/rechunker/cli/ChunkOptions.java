package dev.rechunker.cli;

import dev.rechunker.ChunkRule;
import dev.rechunker.store.StoreLocation;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which chunks are wanted. */
final class ChunkOptions {
    private final Arg<String> chunks;
    private final Arg<String[]> rules;

    /** The rules that have fitted no array so far, and for each what it is for. */
    private final Map<String, ChunkRule> unused = new LinkedHashMap<>();

    /** The arrays that chunks were asked for, by their paths; also those that are then left out. */
    private final Set<String> asked = new LinkedHashSet<>();

    ChunkOptions(Command command) {
        chunks = command.text(
                "--chunks",
                "CHUNKS",
                "The chunks wanted: 600,72,72, or by name: \"time=-1, ...=72\". An entry is a number, -1 (the"
                        + " whole axis), keep, auto, or a size such as 100MB; one entry without a name is for all axes."
                        + " Needed unless there is a --rule; then arrays without a rule keep theirs.");
        rules = command.value(
                String[].class,
                "--rule",
                "PATTERN=CHUNKS",
                "The chunks of arrays whose name, or path, fits a pattern: \"**/0=1,256,256\". * stands for any"
                        + " part of a name, ** for any part of a path. May be given several times: the first that fits"
                        + " counts, and --chunks is for the others.");
    }

    private String[] rules() {
        return rules.or(new String[0]);
    }

    /** Refuses a rule that is for none of the arrays of a source that was planned: its pattern may be misspelt. */
    void requireUse(StoreLocation source) {
        if (!unused.isEmpty()) {
            throw new UsageException("no array fits --rule "
                    + unused.keySet().iterator().next()
                    + (asked.equals(Set.of("")) ? "; " + source + " is one array" : "; the arrays are " + asked));
        }
    }

    /** Refuses chunks where arrays exist already. */
    void requireNothing() {
        if (chunks.value() != null || rules().length > 0) {
            throw new UsageException((chunks.value() != null ? "--chunks" : "--rule")
                    + " is for new arrays; what exists and is written into keeps its chunks");
        }
    }

    /** {@return the rule that they make} */
    ChunkRule rule() {
        String others = chunks.value();
        if (others == null && rules().length == 0) {
            throw new UsageException("--chunks is missing; --chunks keep copies arrays in the chunks that they have");
        }
        ChunkRule first = (path, source) -> Optional.empty();
        for (String text : rules()) {
            int equals = text.indexOf('=');
            if (equals <= 0) {
                throw new UsageException("--rule is \"" + text + "\"; write PATTERN=CHUNKS, such as **/0=1,256,256");
            }
            String pattern = text.substring(0, equals).trim();
            first = first.orElse(ChunkRule.named(pattern, text.substring(equals + 1)));
            unused.put(text, ChunkRule.named(pattern, "keep"));
        }
        return noted(others == null ? first.orElseKeep() : first.orElse(ChunkRule.parse(others)));
    }

    /**
     * {@return a rule that notes which arrays there are, and which rules fit them, whether or not they are the first}
     */
    private ChunkRule noted(ChunkRule rule) {
        return (path, source) -> {
            asked.add(path);
            unused.values().removeIf(fits -> fits.chunks(path, source).isPresent());
            return rule.chunks(path, source);
        };
    }
}
