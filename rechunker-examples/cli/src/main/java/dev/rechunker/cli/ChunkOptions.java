package dev.rechunker.cli;

import dev.rechunker.ChunkRule;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.StoreLocation;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The options {@code --chunks} and {@code --rule}, which select the chunks of the target. */
final class ChunkOptions {
    private final Arg<String> chunks;
    private final Arg<String[]> rules;

    /** The rules that have not matched an array so far, by their texts. */
    private final Map<String, ChunkRule> unused = new LinkedHashMap<>();

    /** The paths of all arrays of the source, including those that are left out of the copy. */
    private final Set<String> asked = new LinkedHashSet<>();

    ChunkOptions(Command command) {
        chunks = command.text(
                "--chunks",
                "CHUNKS",
                "The chunks of the target, by axis, 600,72,72, or by name, \"time=-1, ...=72\". Each is a number of"
                        + " elements, -1 (the whole axis), keep, auto, a size such as 100MB, or a list of the sizes of all"
                        + " chunks, [31,28,31x2]; a single value without a name is for all axes. Required unless --rule is given; arrays that match no rule then"
                        + " keep their chunks.");
        rules = command.value(
                String[].class,
                "--rule",
                "PATTERN=CHUNKS",
                "The chunks of arrays whose name or path matches a pattern: \"**/0=1,256,256\". * matches any part of"
                        + " a name, ** any part of a path. Can be given several times; the first rule that matches is"
                        + " used, and --chunks for arrays that match none.");
    }

    private String[] rules() {
        return rules.or(new String[0]);
    }

    /**
     * Checks that every rule has matched an array of the source; to be called after planning.
     *
     * @throws UsageException if one has not, as its pattern may be misspelt
     */
    void requireUse(StoreLocation source) {
        if (!unused.isEmpty()) {
            throw new UsageException("no array matches --rule "
                    + unused.keySet().iterator().next()
                    + (asked.equals(Set.of("")) ? "; " + source + " is one array" : "; the arrays are " + asked));
        }
    }

    /**
     * Checks that neither option is given, for targets that exist.
     *
     * @throws UsageException if one is given
     */
    void requireNothing() {
        requireNothing("is for new arrays; existing arrays keep their chunks");
    }

    /**
     * Checks that neither option is given.
     *
     * @param why the end of the message
     * @throws UsageException if one is given
     */
    void requireNothing(String why) {
        if (chunks.value() != null || rules().length > 0) {
            throw new UsageException((chunks.value() != null ? "--chunks " : "--rule ") + why);
        }
    }

    /** {@return the rule that the options make} */
    ChunkRule rule() {
        String others = chunks.value();
        if (others == null && rules().length == 0) {
            throw new UsageException(
                    "--chunks is missing; write --chunks auto for chunks that suit most uses, or --chunks keep for those of the"
                            + " source");
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

    /** {@return a rule that records the arrays, and which rules match them, even if an earlier rule matches first} */
    private ChunkRule noted(ChunkRule rule) {
        return new ChunkRule() {
            @Override
            public Optional<ChunkGrid> chunks(String path, ArraySpec source) {
                asked.add(path);
                unused.values().removeIf(fits -> fits.chunks(path, source).isPresent());
                return rule.chunks(path, source);
            }

            @Override
            public Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
                return rule.unknownAxes(arrays);
            }
        };
    }
}
