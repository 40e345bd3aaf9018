package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.NodePaths;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.UnsupportedArrayException;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.view.Insertion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the {@link JobPlan} of a job: walks the source's hierarchy, states each array's problem, and has it solved. */
final class Planning {
    /** So much less memory is as good, if it is that of all arrays. */
    private static final double ABOUT = 0.9;

    private StoreLocation source;
    private StoreLocation target;
    private final ChunkChoice chunks;
    private final ByteSize maxMem;
    private final Options options;
    private final FinalChecks aftercare;
    private final MemoryRefusals refusals = new MemoryRefusals();
    private @Nullable ExistingTarget existing;
    private @Nullable Region part;
    private final List<String> losses = new ArrayList<>();
    private final List<JobArray> arrays = new ArrayList<>();
    private final Map<String, Map<String, @Nullable Object>> groups = new LinkedHashMap<>();
    private final Map<String, Shape> chosen = new LinkedHashMap<>();
    private final StoreLocation askedSource;
    private final StoreLocation askedTarget;
    private boolean consolidated;

    /**
     * What was asked for, with what depends on the stores settled.
     *
     * @param source where from, not a view of it
     * @param target where to, likewise
     * @param chosen the chunks of each array by its path
     */
    record Job(StoreLocation source, StoreLocation target, Map<String, Shape> chosen, Options options) {}

    Planning(StoreLocation source, StoreLocation target, ChunkChoice chunks, ByteSize maxMem, Options told)
            throws IOException {
        Options options = withSharedSpill(told, target);
        this.source = source;
        this.target = target;
        this.askedSource = source;
        this.askedTarget = target;
        this.chunks = chunks;
        this.maxMem = maxMem;
        boolean remote = source.store().capabilities().remote()
                || target.store().capabilities().remote()
                || (options.get(Option.SPILL_STORE).isPresent() && !options.get(Option.NO_SPILL));
        this.options = options.settled(remote);
        this.aftercare = new FinalChecks(target, maxMem, this.options);
    }

    /** {@return options by which processes that share no directory spill to the target's store, unless told where} */
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

    JobPlan plan() throws IOException {
        requireApart();
        if (!options.isInsertion() && !target.store().capabilities().writable()) {
            throw new StoreException(target + " can only be read");
        }
        Optional<RegionText> region = options.get(Option.REGION);
        if (region.isPresent()) {
            part = region.get().requireFits(source).orElse(null);
            source = region.get().of(source);
        }
        Optional<Placement> placement = options.get(Option.PLACEMENT);
        if (placement.isPresent()) {
            options.requireNothingForNewArrays();
            existing = new ExistingTarget(target, placement.get(), options.get(Option.KEEP_EMPTY));
            target = existing.view();
        } else {
            source = target.store().rules().arrange(source);
        }
        target.store().rules().requireName(target.path());
        ChunkStore.Node root =
                node(source).orElseThrow(() -> new StoreException("there is no array or group at " + source));
        requirePlaceFor(root);
        visit("", root);
        refusals.throwLargest();
        if (existing != null) {
            existing.requireWhole(source);
        }
        if (options.get(Option.STRICT) && !losses.isEmpty()) {
            throw new StoreException("not everything of " + source + " can be kept in " + target
                    + ", and the copy is strict: " + String.join("; ", losses));
        }
        fitIntoOneWorkspace();
        Job job = new Job(askedSource, askedTarget, chosen, options);
        return new JobPlan(source, target, arrays, groups, losses, consolidated, maxMem, running(), aftercare, job);
    }

    /** Refuses what a target of one array, which is at its root, has no place for. */
    private void requirePlaceFor(ChunkStore.Node root) throws StoreException {
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
    private void requireApart() throws IOException {
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
        aftercare.requireApart(source, read);
        aftercare.requireApart(target, written);
    }

    private static Optional<ChunkStore.Node> node(StoreLocation place) throws IOException {
        return place.store().node(place.path());
    }

    private void visit(String path, ChunkStore.Node node) throws IOException {
        StoreLocation place = source.resolve(path);
        List<String> omitted = place.store().omissions(place.path()).stream()
                .map(omission -> Losses.sentence(place, omission))
                .toList();
        if (node instanceof ChunkStore.ArrayNode array) {
            Optional<JobArray> plan =
                    refusals.attempt(() -> planned(path, place, array.spec())).flatMap(made -> made);
            losses.addAll(omitted);
            plan.ifPresent(arrays::add);
            plan.ifPresent(p -> losses.addAll(p.losses()));
        } else if (node instanceof ChunkStore.GroupNode group) {
            Map<String, @Nullable Object> kept = resolvedGroup(path, place, group.attributes());
            losses.addAll(omitted);
            losses.addAll(Losses.of(place, group.attributes(), kept));
            groups.put(path, kept);
            consolidated |= group.consolidated();
            for (String child : place.store().children(place.path())) {
                visitBelow(NodePaths.below(path, child));
            }
        }
    }

    /**
     * Leaves out a node that nobody asked for by name if it is not understood, or the target has no such names or
     * elements.
     */
    private void visitBelow(String path) throws IOException {
        Optional<ChunkStore.Node> node;
        try {
            node = node(source.resolve(path));
        } catch (StoreException e) {
            losses.add(Losses.sentence(source.resolve(path), "is not understood, and left out: " + e.getMessage()));
            return;
        }
        try {
            target.store().rules().requireName(target.resolve(path).path());
        } catch (StoreException e) {
            leaveOut(path, e);
            return;
        }
        try {
            visit(
                    path,
                    node.orElseThrow(
                            () -> new StoreException("there is no array or group at " + source.resolve(path))));
        } catch (UnsupportedArrayException e) {
            leaveOut(path, e);
        }
    }

    private void leaveOut(String path, StoreException why) {
        losses.add(Losses.sentence(
                source.resolve(path), "has no place in " + target + ", and is left out: " + why.getMessage()));
    }

    /** {@return the plan of an array; empty if it has no part in what is appended} */
    private Optional<JobArray> planned(String path, StoreLocation place, ArraySpec spec) throws IOException {
        try {
            return existing == null ? Optional.of(array(path, place, spec)) : inserted(existing, path, place, spec);
        } catch (InfeasiblePlanException e) {
            throw path.isEmpty() ? e : e.of(place.toString());
        }
    }

    private JobArray array(String path, StoreLocation place, ArraySpec spec) throws IOException {
        Shape chunk = chunks.chunks(path, spec)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no rule says how to chunk " + place + "; add one, or orElseKeep()"));
        chosen.put(path, chunk);
        try (ArrayReader reader = place.store().openReader(place.path())) {
            TargetSpecs specs = new TargetSpecs(target.store(), options);
            ArraySpec wanted = specs.wanted(path, spec, chunk);
            ArraySpec resolved = specs.resolved(place, wanted);
            WriteTraits write = target.store().writeTraits(resolved);
            boolean sameEncoding = !findsCorrupt()
                    && !options.get(Option.KEEP_EMPTY)
                    && spec.writeUnits().equals(resolved.writeUnits())
                    && spec.chunks().equals(resolved.chunks())
                    && isEncodedAlike(reader, write);
            Problem problem = ProblemStatement.of(reader, !findsCorrupt(), resolved, write, sameEncoding);
            Optional<ReadTraits> back = target.store().readTraits(resolved);
            MemoryRefusals both = new MemoryRefusals();
            long afterwards = aftercare.add(path, reader, resolved, back, null, both);
            CopyPlan copy = solved(problem, both);
            return new JobArray(path, spec, resolved, copy, afterwards, Losses.of(place, wanted, resolved));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(place + " in chunks of " + chunk + " exceeds 2^63 bytes", e);
        }
    }

    /** {@return whether the run is to know of each chunk whether it is corrupt, and so decodes it, and as a whole} */
    private boolean findsCorrupt() {
        return options.get(Option.ON_CORRUPT) != OnCorrupt.FAIL;
    }

    /** {@return how an array is written into one that exists; empty if it has no part in what is appended} */
    private Optional<JobArray> inserted(ExistingTarget there, String path, StoreLocation place, ArraySpec spec)
            throws IOException {
        Optional<Insertion> found = there.insertion(path, place, spec, origin(path, spec));
        if (found.isEmpty()) {
            there.requireSame(place, path, maxMem, options.executor().threads());
            return Optional.empty();
        }
        Insertion insertion = found.get();
        try (ArrayReader reader = place.store().openReader(place.path())) {
            ArraySpec target = insertion.spec();
            Problem problem =
                    ProblemStatement.of(reader, !findsCorrupt(), target, there.traits(path, insertion), false);
            Optional<ReadTraits> back = there.readTraits(path);
            MemoryRefusals both = new MemoryRefusals();
            long afterwards = aftercare.add(path, reader, target, back, insertion.window(), both);
            CopyPlan copy = solved(problem, both);
            List<String> kept =
                    Losses.of(place, spec.attributes(), insertion.before().attributes());
            return Optional.of(new JobArray(path, spec, target, copy, afterwards, kept));
        }
    }

    /** {@return where the first element is in the whole source} */
    private long[] origin(String path, ArraySpec spec) {
        return path.isEmpty() && part != null
                ? part.origin()
                : new long[spec.shape().rank()];
    }

    /**
     * {@return the plan of a copy}
     *
     * @param refusals of what comes after the copy
     */
    private CopyPlan solved(Problem problem, MemoryRefusals refusals) {
        Resources resources = new Resources(
                maxMem.bytes(),
                options.executor().threads(),
                !options.get(Option.NO_SPILL),
                options.costModel(),
                options.get(Option.WORKERS),
                options.remoteSpill(),
                options.compression(problem.itemSize()));
        Optional<CopyPlan> copy = refusals.attempt(() -> new Planner().plan(problem, resources));
        refusals.throwLargest();
        return copy.orElseThrow();
    }

    /**
     * Plans arrays with less memory, if they leave too little for what others hold besides the workspace, through which
     * all of them go, one after the other. If that is much less, all have workspaces of their own.
     */
    private void fitIntoOneWorkspace() {
        long outside = arrays.stream().mapToLong(JobArray::outsideBytes).max().orElse(0);
        long held = arrays.stream().mapToLong(JobArray::heldBytes).max().orElse(0);
        arrays.replaceAll(array -> {
            CopyPlan copy = array.copy();
            Resources left = copy.resources().reducedBy(outside - array.outsideBytes() + held - array.heldBytes());
            if (copy.projectedMemory() <= left.maxMem() || left.maxMem() < maxMem.bytes() * ABOUT) {
                return array;
            }
            try {
                return array.by(new Planner().plan(copy.problem(), left));
            } catch (InfeasiblePlanException e) {
                return array;
            }
        });
    }

    /** {@return the options of the run: what exists may be written over, and nothing of it may shine through} */
    private Options running() {
        return existing == null ? options : options.with(Option.OVERWRITE, true).with(Option.KEEP_EMPTY, true);
    }

    private Map<String, @Nullable Object> resolvedGroup(
            String path, StoreLocation place, Map<String, @Nullable Object> wanted) throws IOException {
        try {
            return target.store().rules().resolveGroup(target.resolve(path).path(), wanted);
        } catch (StoreException e) {
            throw new StoreException(place + ": " + e.getMessage(), e);
        }
    }

    private static boolean isEncodedAlike(ArrayReader reader, WriteTraits write) {
        if (write.encoded().isEmpty()) {
            return false;
        }
        try {
            Optional<EncodedSource> source = reader.encoded();
            return source.isPresent()
                    && source.get()
                            .encodingIdentity()
                            .equals(write.encoded().get().identity());
        } catch (IOException e) {
            return false; // units can be decoded all the same
        }
    }
}
