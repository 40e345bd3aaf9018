package dev.rechunker.job;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.LevelsView;
import dev.rechunker.view.MeasuredView;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The function from a request to its plan. It sets the defaults that depend on the stores, checks that source and
 * target fit, and plans every node of the source. Views of the stores make regions and existing arrays look like whole
 * arrays.
 */
final class Planning {
    private Planning() {}

    /**
     * {@return the plan of a request; nothing is written}
     *
     * @throws IllegalArgumentException if chunks, region or options do not fit the source
     * @throws dev.rechunker.run.InfeasiblePlanException if no plan keeps the memory limit
     * @throws IOException if the source cannot be read or understood, or the target does not support it
     */
    static JobPlan plan(JobRequest asked) throws IOException {
        JobRequest request = asked.with(settled(asked)).viewed().measured();
        if (!request.options().isInsertion()
                && !request.target().store().capabilities().writable()) {
            throw new StoreException(request.target() + " can only be read");
        }
        Optional<VariableRequest> variable = VariableRequest.of(request);
        if (variable.isEmpty()) {
            requireApart(request, request.source());
            JobRequest named = request.to(nameOf(request));
            return plan(named, named.source(), region -> region);
        }
        StoreLocation group = variable.get().source();
        requireApart(request, group);
        return plan(request.with(variable.get().choice(request.chunks())), group, variable.get()::byName);
    }

    /** {@return the target, with the name of the source if it is an array that needs one there} */
    private static StoreLocation nameOf(JobRequest request) throws IOException {
        StoreLocation source = request.source();
        StoreLocation target = request.target();
        boolean needsName = target.path().isEmpty()
                && target.store().capabilities().namedArrays()
                && source.store().node(source.path()).orElse(null) instanceof ChunkStore.ArrayNode;
        if (!needsName) {
            return target;
        }
        return target.resolve(source.path().isEmpty() ? "data" : NodePaths.leaf(source.path()));
    }

    private static JobPlan plan(JobRequest request, StoreLocation whole, UnaryOperator<RegionText> naming)
            throws IOException {
        Optional<RegionText> asked = request.options().get(Option.REGION).map(naming);
        Optional<RegionText> region =
                asked.isPresent() ? Optional.of(ValueRegion.resolve(asked.get(), whole, request.maxMem())) : asked;
        Options options = request.options().with(Option.REGION, region);
        StoreLocation levels = LevelRule.of(options)
                .map(rule -> rule.of(whole, request.target()).at(""))
                .orElse(whole);
        Optional<Region> part = region.isPresent() ? region.get().requireFits(whole, levels) : Optional.empty();
        StoreLocation chosen = region.isPresent() ? region.get().of(whole) : whole;
        Optional<TextForm> text = options.get(Option.TEXT);
        StoreLocation source =
                text.isPresent() ? text.get().of(chosen, request.target().store()) : chosen;
        JobRequest resolved = request.with(options);
        return options.isInsertion() ? insertion(resolved, source, part) : copy(resolved, source);
    }

    private static JobPlan copy(JobRequest request, StoreLocation whole) throws IOException {
        StoreLocation target = request.target();
        RecordedChoice chunks = new RecordedChoice(request.chunks());
        JobRequest recorded = request.with(chunks);
        Optional<LevelRule> rule = LevelRule.of(request.options());
        Optional<LevelsView> levels = rule.map(made -> made.of(whole, target));
        StoreLocation source =
                target.store().rules().arrange(levels.map(view -> view.at("")).orElse(whole));
        Skipped skipped = new Skipped(request.options());
        HierarchyPlan hierarchy = walk(source, target, new NewArrays(recorded, levels), skipped);
        rule.ifPresent(made -> made.requireUse(whole));
        skipped.requireUse(source);
        chunks.requireKnownAxes(source, request.options().get(Option.SHARDS));
        HierarchyPlan fused = levels.isEmpty()
                ? hierarchy
                : hierarchy.with(new FusionPlanning(levels.get(), target.store()).fused(hierarchy.arrays()));
        return plan(recorded, source, target, fused, request.options(), TargetLock.NONE, chunks.chosen());
    }

    private static JobPlan insertion(JobRequest asked, StoreLocation source, Optional<Region> part) throws IOException {
        CommonLengths lengths = CommonLengths.of(source, asked.target(), asked.maxMem());
        JobRequest request = asked.to(lengths.other());
        Options options = request.options();
        options.requireNoneForNewArrays();
        ExistingTarget existing = new ExistingTarget(
                request.target(), options.get(Option.PLACEMENT).orElseThrow(), options.get(Option.KEEP_EMPTY));
        StoreLocation rebased = existing.rebased(lengths.one(), request.maxMem());
        Skipped skipped = new Skipped(options);
        HierarchyPlan hierarchy = walk(rebased, existing.view(), new InsertedArrays(request, existing, part), skipped);
        skipped.requireUse(source);
        existing.requireWhole(rebased);
        // Existing elements are replaced, also by chunks that contain only the fill value.
        Options running = options.with(Option.OVERWRITE, true).with(Option.KEEP_EMPTY, true);
        return plan(request, rebased, existing.view(), hierarchy, running, existing.lock(), Map.of());
    }

    private static JobPlan plan(
            JobRequest request,
            StoreLocation source,
            StoreLocation target,
            HierarchyPlan hierarchy,
            Options running,
            TargetLock lock,
            Map<String, ChunkGrid> chosen)
            throws StoreException {
        if (request.options().get(Option.DURABLE)) {
            JobPlan.durable(target); // refuses what cannot be made durable
        }
        Optional<Loss.Kind> refused = request.options().get(Option.STRICT);
        List<Loss> losses = hierarchy.losses().stream()
                .filter(loss -> refused.filter(loss.kind()::isAtLeast).isPresent())
                .toList();
        if (!losses.isEmpty()) {
            throw new StoreException("not everything of " + source + " can be kept in " + target
                    + ", and the copy is strict: " + String.join("; ", Loss.sentences(losses)));
        }
        HierarchyPlan fitted = hierarchy.with(new CopyPlanning(request).fittedIntoOneWorkspace(hierarchy.arrays()));
        StoreLocation read = running.isInsertion() ? target : withLengths(target, fitted);
        ArraysAtOnce atOnce = atOnce(request, source, target, fitted.arrays());
        return new JobPlan(request, source, read, fitted.with(atOnce.all()), atOnce, running, lock, chosen);
    }

    /** {@return the arrays of which several are copied at once, if the stores can do that, and one process does it} */
    private static ArraysAtOnce atOnce(
            JobRequest request, StoreLocation source, StoreLocation target, List<JobArray> arrays) {
        boolean possible = source.store().capabilities().concurrentArrays()
                && target.store().capabilities().concurrentArrays()
                && request.options().get(Option.WORKERS) == 1;
        return possible
                ? ArraysAtOnce.of(
                        arrays,
                        request.options().executor().threads(),
                        request.maxMem().bytes())
                : ArraysAtOnce.none(arrays);
    }

    /** {@return a target whose new arrays are read with the lengths of the plan, also by other processes} */
    private static StoreLocation withLengths(StoreLocation target, HierarchyPlan plan) {
        Map<String, Integer> longest = new HashMap<>();
        for (JobArray array : plan.arrays()) {
            DataType type = array.target().dataType();
            if (type.isVariable()) {
                longest.put(target.resolve(array.path()).path(), type.longest());
            }
        }
        return MeasuredView.lengthened(target, longest);
    }

    private static HierarchyPlan walk(
            StoreLocation source, StoreLocation target, ArrayPlanning planning, Predicate<String> skipped)
            throws IOException {
        target.store().rules().requireName(target.path());
        ChunkStore.Node root = source.store()
                .node(source.path())
                .orElseThrow(() -> new StoreException("there is no array or group at " + source));
        requirePlaceFor(root, source, target);
        return HierarchyWalk.of(source, root, target, planning, skipped);
    }

    /** Checks that a target that holds one array, at its root, is not to hold anything else. */
    private static void requirePlaceFor(ChunkStore.Node root, StoreLocation source, StoreLocation target)
            throws StoreException {
        if (target.store().capabilities().hierarchical()) {
            return;
        }
        if (!target.path().isEmpty()) {
            throw new StoreException(
                    target + " cannot be an array: " + target.store().name() + " holds one array, at its root");
        }
        if (!(root instanceof ChunkStore.ArrayNode)) {
            throw new StoreException(target + " holds one array, but " + source
                    + " is a group, or becomes one with levels; copy one of its arrays there, without levels");
        }
    }

    /** Checks that source and target are not the same node, nor one inside the other, whatever their stores. */
    private static void requireApart(JobRequest request, StoreLocation source) throws IOException {
        StoreLocation target = request.target();
        List<DataPlace> read = source.store().places(source.path());
        List<DataPlace> written = target.store().places(target.path());
        for (DataPlace from : read) {
            for (DataPlace to : written) {
                if (from.overlaps(to)) {
                    throw new StoreException("source and target are the same place, or one is inside the other: "
                            + source + " and " + target + "; write to another place");
                }
            }
        }
        ChecksumFile.requireApart(request.options().get(Option.CHECKSUM_FILE), source, read);
        ChecksumFile.requireApart(request.options().get(Option.CHECKSUM_FILE), target, written);
    }

    /** {@return the options with defaults that depend on the stores} */
    private static Options settled(JobRequest request) throws IOException {
        Options options = withSharedSpill(request.options(), request.target());
        boolean remote = request.source().store().capabilities().remote()
                || request.target().store().capabilities().remote()
                || (options.get(Option.SPILL_STORE).isPresent() && !options.get(Option.NO_SPILL));
        return options.settled(remote);
    }

    /**
     * {@return the options with a spill in the target's store, if processes share the run but no directory, and no
     * place was chosen}
     */
    private static Options withSharedSpill(Options options, StoreLocation target) throws IOException {
        boolean isChosen = options.get(Option.SPILL).isPresent()
                || options.get(Option.SPILL_STORE).isPresent();
        if (isChosen
                || options.get(Option.NO_SPILL)
                || options.get(Option.WORKERS) == 1
                || Recovery.directory(target).isPresent()) {
            return options;
        }
        Optional<Joinable> joinable = target.store().joinable();
        return joinable.isEmpty()
                ? options
                : options.with(Option.SPILL_STORE, joinable.get().spillStore(target.path()));
    }
}
