package dev.rechunker.io.concat;

import dev.rechunker.io.concat.Concat.DescriptorOpener;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the descriptor of joined sources, and opens them again from it. It contains the settings and a descriptor of
 * each source.
 */
final class ConcatDescriptor {
    private static final String KIND = "concat";

    private final Join join;
    private final int limit;
    private final MemberCheck check;
    private final boolean coordinates;
    private final List<Object> sources = new ArrayList<>();
    private boolean complete = true;

    /**
     * Creates a descriptor without sources.
     *
     * @param join the axis as it was asked for
     * @param coordinates whether sources that are arrays come with their coordinates
     */
    ConcatDescriptor(Join join, int limit, MemberCheck check, boolean coordinates) {
        this.join = join;
        this.limit = limit;
        this.check = check;
        this.coordinates = coordinates;
    }

    /** Adds a source whose store is open. */
    void add(Source source, ChunkStore store) {
        Optional<StoreDescriptor> descriptor = store.descriptor();
        complete &= descriptor.isPresent();
        if (descriptor.isPresent()) {
            Map<String, @Nullable Object> data = new LinkedHashMap<>();
            data.put("name", source.name());
            data.put("path", Variables.path(source, store));
            data.put("store", descriptor.get().toData());
            sources.add(data);
        }
    }

    /** {@return the descriptor; empty if a source has none} */
    Optional<StoreDescriptor> descriptor() {
        if (!complete) {
            return Optional.empty();
        }
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        settings.put("axis", join.name());
        settings.put("number", (long) join.number());
        settings.put("fresh", join.fresh());
        settings.put("atMostOpen", (long) limit);
        settings.put("keepFirst", List.copyOf(new TreeSet<>(check.kept())));
        settings.put("withCoordinates", coordinates);
        settings.put("sources", sources);
        return Optional.of(new StoreDescriptor(KIND, settings));
    }

    static ChunkStore open(StoreDescriptor descriptor, DescriptorOpener opener) throws IOException {
        Map<String, @Nullable Object> settings = descriptor.settings();
        if (!(settings.get("sources") instanceof List<?> members
                && settings.get("keepFirst") instanceof List<?> kept
                && settings.get("number") instanceof Number number
                && settings.get("atMostOpen") instanceof Number limit)) {
            throw new StoreException("the descriptor of joined sources lacks sources, keepFirst, number or atMostOpen");
        }
        List<Source> sources = new ArrayList<>();
        for (Object member : members) {
            if (!(member instanceof Map<?, ?> data
                    && data.get("name") instanceof String name
                    && data.get("path") instanceof String path
                    && data.get("store") instanceof Map<?, ?> store)) {
                throw new StoreException("the descriptor of joined sources has a source without name, path or store");
            }
            StoreDescriptor of = StoreDescriptor.of(store);
            sources.add(new Source(name, path, () -> opener.open(of)));
        }
        String axis = settings.get("axis") instanceof String text ? text : null;
        boolean fresh = Boolean.TRUE.equals(settings.get("fresh"));
        Concat.Options options = Concat.options()
                .atMostOpen(limit.intValue())
                .keepFirst(kept.stream().map(String::valueOf).toArray(String[]::new));
        return (Boolean.TRUE.equals(settings.get("withCoordinates")) ? options.withCoordinates() : options)
                .inspect(new Join(axis, number.intValue(), fresh), sources);
    }
}
