package dev.rechunker.job;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The function from a request to its plan. It settles what depends on the stores, checks that source and target fit,
 * looks at both through views where a part is copied or existing arrays are written into, and walks through the
 * source's hierarchy.
 */
final class Planning {
    private Planning() {}

    /**
     * {@return the plan of a request; nothing is written}
     *
     * @throws IllegalArgumentException if what is asked for makes no sense for the source
     * @throws dev.rechunker.run.InfeasiblePlanException if the bound cannot be held
     * @throws IOException if the source cannot be read or understood, or the target cannot hold it
     */
    static JobPlan plan(JobRequest asked) throws IOException {
        Map<String, Shape> chosen = new LinkedHashMap<>();
        JobRequest request = asked.with(settled(asked)).with(recorded(asked.chunks(), chosen));
        Options options = request.options();
        requireApart(request);
        if (!options.isInsertion() && !request.target().store().capabilities().writable()) {
            throw new StoreException(request.target() + " can only be read");
        }
        Optional<RegionText> region = options.get(Option.REGION);
        Optional<Region> part = region.isPresent() ? region.get().requireFits(request.source()) : Optional.empty();
        StoreLocation source = region.isPresent() ? region.get().of(request.source()) : request.source();
        return options.isInsertion()
                ? insertion(request, source, part)
                : copy(request, request.target().store().rules().arrange(source), chosen);
    }

    private static JobPlan copy(JobRequest request, StoreLocation source, Map<String, Shape> chosen)
            throws IOException {
        StoreLocation target = request.target();
        HierarchyPlan hierarchy = walk(source, target, new NewArrays(request));
        return plan(request, source, target, hierarchy, request.options(), TargetLock.NONE, chosen);
    }

    private static JobPlan insertion(JobRequest request, StoreLocation source, Optional<Region> part)
            throws IOException {
        Options options = request.options();
        options.requireNothingForNewArrays();
        ExistingTarget existing = new ExistingTarget(
                request.target(), options.get(Option.PLACEMENT).orElseThrow(), options.get(Option.KEEP_EMPTY));
        HierarchyPlan hierarchy = walk(source, existing.view(), new InsertedArrays(request, existing, part));
        existing.requireWhole(source);
        // What exists may be written over, and nothing of it may shine through.
        Options running = options.with(Option.OVERWRITE, true).with(Option.KEEP_EMPTY, true);
        return plan(request, source, existing.view(), hierarchy, running, existing.lock(), Map.of());
    }

    private static JobPlan plan(
            JobRequest request,
            StoreLocation source,
            StoreLocation target,
            HierarchyPlan hierarchy,
            Options running,
            TargetLock lock,
            Map<String, Shape> chosen)
            throws StoreException {
        if (request.options().get(Option.STRICT) && !hierarchy.losses().isEmpty()) {
            throw new StoreException("not everything of " + source + " can be kept in " + target
                    + ", and the copy is strict: " + String.join("; ", hierarchy.losses()));
        }
        HierarchyPlan fitted = hierarchy.with(new CopyPlanning(request).fittedIntoOneWorkspace(hierarchy.arrays()));
        return new JobPlan(request, source, target, fitted, running, lock, chosen);
    }

    private static HierarchyPlan walk(StoreLocation source, StoreLocation target, ArrayPlanning planning)
            throws IOException {
        target.store().rules().requireName(target.path());
        ChunkStore.Node root = source.store()
                .node(source.path())
                .orElseThrow(() -> new StoreException("there is no array or group at " + source));
        requirePlaceFor(root, source, target);
        return HierarchyWalk.of(source, root, target, planning);
    }

    /** Refuses what a target of one array, which is at its root, has no place for. */
    private static void requirePlaceFor(ChunkStore.Node root, StoreLocation source, StoreLocation target)
            throws StoreException {
        if (target.store().capabilities().hierarchical()) {
            return;
        }
        if (!target.path().isEmpty()) {
            throw new StoreException(
                    target + " is no place for an array: " + target.store().name() + " holds one, without a path");
        }
        if (!(root instanceof ChunkStore.ArrayNode)) {
            throw new StoreException(
                    target + " holds one array, but " + source + " is a group; copy one of its arrays there");
        }
    }

    /** Source and target must not be the same node, nor one inside the other, in one store or in two of any format. */
    private static void requireApart(JobRequest request) throws IOException {
        StoreLocation source = request.source();
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

    /** {@return the options, with what depends on the stores settled where nothing was said} */
    private static Options settled(JobRequest request) throws IOException {
        Options options = withSharedSpill(request.options(), request.target());
        boolean remote = request.source().store().capabilities().remote()
                || request.target().store().capabilities().remote()
                || (options.get(Option.SPILL_STORE).isPresent() && !options.get(Option.NO_SPILL));
        return options.settled(remote);
    }

    /** {@return options by which processes that share no directory spill to the target's store by default} */
    private static Options withSharedSpill(Options options, StoreLocation target) throws IOException {
        boolean toldWhere = options.get(Option.SPILL).isPresent()
                || options.get(Option.SPILL_STORE).isPresent();
        if (toldWhere
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

    /** {@return a choice of chunks that is noted by the path of the array} */
    private static ChunkChoice recorded(ChunkChoice chunks, Map<String, Shape> chosen) {
        return (path, spec) -> {
            Optional<Shape> chunk = chunks.chunks(path, spec);
            chunk.ifPresent(shape -> chosen.put(path, shape));
            return chunk;
        };
    }
}
