package dev.rechunker.job;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.hierarchy.PathPattern;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The nodes that are not copied, by patterns of their paths; it records which patterns match. */
final class Skipped implements Predicate<String> {
    /** The patterns that have not matched so far, by their texts. */
    private final Map<String, Predicate<String>> unused = new LinkedHashMap<>();

    private final Predicate<String> any;
    private final Set<String> asked = new TreeSet<>();
    private final Deque<String> skipped = new ArrayDeque<>();

    Skipped(Options options) {
        any = options.get(Option.SKIP).map(PathPattern::parseAny).orElse(path -> false);
        for (String pattern : options.get(Option.SKIP).orElse("").split(",", -1)) {
            if (!pattern.isBlank()) {
                unused.put(pattern.strip(), PathPattern.parse(pattern.strip()));
            }
        }
    }

    @Override
    public boolean test(String path) {
        boolean skips = any.test(path);
        if (!unused.isEmpty()) { // otherwise nothing is left to be recorded
            asked.add(path);
            unused.values().removeIf(pattern -> pattern.test(path));
            if (skips) {
                skipped.add(path);
            }
        }
        return skips;
    }

    /**
     * Checks that every pattern has matched; to be called after planning. What is in groups that are skipped counts.
     *
     * @throws IllegalArgumentException if one has not, as it may be misspelt
     */
    void requireUse(StoreLocation source) throws IOException {
        while (!unused.isEmpty() && !skipped.isEmpty()) {
            String group = skipped.remove();
            StoreLocation place = source.resolve(group);
            try {
                for (String child : place.store().children(place.path())) {
                    String path = NodePaths.below(group, child);
                    unused.values().removeIf(pattern -> pattern.test(path));
                    skipped.add(path);
                }
            } catch (StoreException notUnderstood) {
                return; // it may contain what the patterns mean
            }
        }
        if (!unused.isEmpty()) {
            throw new IllegalArgumentException("skip names " + unused.keySet() + ", but "
                    + (asked.isEmpty()
                            ? source + " is one array"
                            : "the arrays and groups in " + source + " are " + asked));
        }
    }
}
