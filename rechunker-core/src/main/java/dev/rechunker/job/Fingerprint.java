package dev.rechunker.job;

import com.google.common.hash.Hashing;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.exec.SpillPlace;
import dev.rechunker.exec.SpillValues;
import dev.rechunker.exec.Spills;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What must be the same in a run and in the run that resumes it, as lines of {@code key<TAB>value}: the location of the
 * source, the specs of each array in source and target, and the tasks of its copy. The data of the source are not
 * compared.
 */
final class Fingerprint {
    private static final int LONGEST = 300;
    private static final String RUN = "run";
    private static final String SHARED = "several processes";
    private static final String SPILL = "spill";
    private static final String DURABLE = "durable";
    private static final String NONE = "none";
    private static final String AT_TARGET = " at the target";
    private static final String VALUES = "values in ";
    private static final String VIEW_ASKED = "view";
    private static final String VIEW_FOUND = "view, found";

    private final Map<String, String> lines = new LinkedHashMap<>();

    private Fingerprint() {}

    /**
     * {@return the fingerprint of a run that is about to begin}
     *
     * @param run the name of the run
     * @param spill the place of its spill, null if it has none
     */
    static Fingerprint of(
            String run, StoreLocation source, List<JobArray> arrays, @Nullable SpillPlace spill, Options options) {
        Fingerprint print = new Fingerprint();
        print.put(RUN, run);
        print.put("source", source.store().identity() + "#" + source.path());
        print.put(SPILL, text(spill));
        print.put("empty chunks", options.get(Option.KEEP_EMPTY) ? "written" : "left out");
        print.put(DURABLE, options.get(Option.DURABLE) ? "yes" : "no, since start " + boot() + " of the machine");
        options.get(Option.FOUND_VIEW).filter(FoundView::isAny).ifPresent(view -> {
            print.lines.put(VIEW_ASKED, view.asked());
            print.lines.put(VIEW_FOUND, view.found());
        });
        print.putAll(arrays);
        return print;
    }

    /** {@return the part that does not depend on a place or machine: the specs and tasks of arrays} */
    static Fingerprint of(List<JobArray> arrays) {
        Fingerprint print = new Fingerprint();
        print.putAll(arrays);
        return print;
    }

    /** {@return the fingerprint of these lines} */
    static Fingerprint of(Map<?, ?> lines) {
        Fingerprint print = new Fingerprint();
        lines.forEach((key, value) -> print.lines.put(String.valueOf(key), String.valueOf(value)));
        return print;
    }

    /** {@return the fingerprint of a run of several processes, each of which has a journal of its own elsewhere} */
    static Fingerprint ofShared(String run, List<JobArray> arrays, @Nullable SpillPlace spill) {
        Fingerprint print = new Fingerprint();
        print.put(RUN, run);
        print.put(SHARED, "yes");
        print.put(SPILL, text(spill));
        print.putAll(arrays);
        return print;
    }

    private void putAll(List<JobArray> arrays) {
        for (JobArray array : arrays) {
            String name = name(array.path());
            put(name + " at the source", text(array.source()));
            put(name + AT_TARGET, text(array.target()));
            Strategy strategy = array.copy().strategy();
            if (!strategy.copies().isEmpty()) {
                for (int i = 0; i < strategy.copies().size(); i++) {
                    put(name + ": blocks " + i, text(strategy.copies().get(i).blocks()));
                }
                put(name + ": in memory", strategy.residentBytes() + " bytes of each block");
                put(name + ": pieces", strategy.compressed() ? "compressed" : "plain");
            }
            List<Stage> stages = array.copy().stages();
            for (int i = 0; i < stages.size(); i++) {
                Stage stage = stages.get(i);
                put(
                        name + ": stage " + i,
                        stage.name() + ", from " + text(stage.source()) + " by windows " + text(stage.windows())
                                + " to units " + text(stage.units()) + " along " + stage.axisOrder());
            }
        }
    }

    private static String name(String path) {
        return path.isEmpty() ? "array" : "array " + path;
    }

    /** {@return whether the run writes the array at a path below the target} */
    boolean hasArray(String path) {
        return lines.containsKey(key(name(path) + AT_TARGET));
    }

    private static String key(String text) {
        return text.replaceAll("\\s+", " ");
    }

    /** {@return the fingerprint in the header of a journal} */
    static Fingerprint parse(String header) {
        Fingerprint print = new Fingerprint();
        for (String line : header.split("\n", -1)) {
            String[] parts = line.split("\t", 2);
            print.lines.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        return print;
    }

    /**
     * {@return what identifies the time since the start of the machine: data that are not durable may be lost at a
     * start}
     */
    private static String boot() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** {@return the lines by their keys} */
    Map<String, String> lines() {
        return Collections.unmodifiableMap(lines);
    }

    /** {@return whether several processes share the run} */
    boolean isShared() {
        return lines.containsKey(SHARED);
    }

    /** {@return the view of the run, if something was found about the values of its source} */
    Optional<FoundView> view() {
        String found = lines.get(VIEW_FOUND);
        return found == null
                ? Optional.empty()
                : Optional.of(new FoundView(lines.getOrDefault(VIEW_ASKED, NONE), found));
    }

    /** {@return the name of the run} */
    String run() {
        return lines.getOrDefault(RUN, "");
    }

    /**
     * {@return the spill of the run, if it has one in files, or in the object store of these options}
     *
     * @param options the options of the run that follows
     */
    Optional<SpillPlace> spill(Options options) {
        String spill = lines.getOrDefault(SPILL, NONE);
        if (spill.startsWith(VALUES)) {
            return options.get(Option.SPILL_STORE)
                    .<SpillPlace>map(store -> new SpillValues(store, run(), true))
                    .filter(place -> spill.equals(text(place)));
        }
        return spill.equals(NONE) ? Optional.empty() : Optional.of(new Spills(Path.of(spill), run(), null));
    }

    private static String text(@Nullable SpillPlace spill) {
        if (spill instanceof SpillValues values) {
            return VALUES + values.store().identity();
        }
        return spill == null
                ? NONE
                : spill.localDirectory()
                        .orElseThrow()
                        .toAbsolutePath()
                        .normalize()
                        .toString();
    }

    /** {@return the first difference to an earlier run, other than the name; empty if there is none} */
    Optional<String> difference(Fingerprint earlier) {
        return difference(earlier, Set.of(RUN));
    }

    /** {@return the first difference to an earlier run that is not about its spill, which may be on another machine} */
    Optional<String> differenceWithoutSpill(Fingerprint earlier) {
        return difference(earlier, Set.of(RUN, SPILL, DURABLE));
    }

    /** {@return whether the spill of an earlier run is at the same place, on the same machine since its start} */
    boolean hasSpillOf(Fingerprint earlier) {
        boolean isSame = lines.getOrDefault(SPILL, NONE).equals(earlier.lines.getOrDefault(SPILL, NONE));
        boolean isAnywhere = lines.getOrDefault(SPILL, NONE).startsWith(VALUES);
        return isSame && (isAnywhere || isOfThisStart(earlier));
    }

    /** {@return whether an earlier run has the same durability, on the same machine since its start} */
    boolean isOfThisStart(Fingerprint earlier) {
        return lines.getOrDefault(DURABLE, NONE).equals(earlier.lines.getOrDefault(DURABLE, NONE));
    }

    private Optional<String> difference(Fingerprint earlier, Set<String> ignored) {
        Set<String> keys = new LinkedHashSet<>(lines.keySet());
        keys.addAll(earlier.lines.keySet());
        keys.removeAll(ignored);
        for (String key : keys) {
            String was = earlier.lines.getOrDefault(key, NONE);
            String is = lines.getOrDefault(key, NONE);
            if (!was.equals(is)) {
                return Optional.of(key + " was " + was + ", and is now " + is);
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        lines.forEach((key, value) ->
                text.append(text.isEmpty() ? "" : "\n").append(key).append('\t').append(value));
        return text.toString();
    }

    private void put(String key, String value) {
        String line = value.replaceAll("\\s+", " ");
        lines.put(
                key(key),
                line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "... with hash " + hash(value));
    }

    private static String text(ArraySpec spec) {
        return spec + ", " + text(spec.chunks()) + ", shards "
                + spec.shards().map(Fingerprint::text).orElse("none") + ", " + spec.byteOrder() + ", fill "
                + spec.fillValue() + ", axes " + spec.dimensionNames() + ", hints " + new TreeMap<>(spec.hints())
                + ", attributes "
                + hash(spec.attributes().toString());
    }

    private static String text(ChunkGrid grid) {
        if (grid.isRegular()) {
            return grid.toString();
        }
        StringBuilder cuts = new StringBuilder();
        for (int axis = 0; axis < grid.rank(); axis++) {
            for (long i = 0; i < grid.axis(axis).count(); i++) {
                cuts.append(grid.axis(axis).end(i)).append(' ');
            }
            cuts.append('/');
        }
        return grid + " " + hash(cuts.toString());
    }

    private static String hash(String text) {
        return Hashing.sha256()
                .hashString(text, StandardCharsets.UTF_8)
                .toString()
                .substring(0, 16);
    }
}
