package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Problem;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.view.LevelsView;
import dev.rechunker.view.Ordered;
import java.io.IOException;
import java.util.Optional;

/** Plans copies into new arrays. */
final class NewArrays implements ArrayPlanning {
    private final JobRequest request;
    private final CopyPlanning copies;
    private final ChunkStore target;
    private final Optional<LevelsView> levels;

    /**
     * Creates it.
     *
     * @param levels the view of the source with the levels that are made, if there are any
     */
    NewArrays(JobRequest request, Optional<LevelsView> levels) {
        this.request = request;
        this.levels = levels;
        this.copies = new CopyPlanning(request);
        this.target = request.target().store();
    }

    @Override
    public Optional<JobArray> plan(String path, StoreLocation place, ArraySpec stored, ArrayReader reader)
            throws IOException {
        ArraySpec spec = levels.isPresent() ? levels.get().likeLevelBefore(path, stored) : stored;
        ChunkGrid chunks = request.chunks()
                .chunks(path, spec)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no rule says how to chunk " + place + "; add one, or orElseKeep()"));
        if (!chunks.shape().equals(spec.shape())) {
            throw new IllegalArgumentException(
                    "the chunks of " + place + " are of " + chunks + ", but the array is of " + spec.shape());
        }
        try {
            TargetSpecs specs = new TargetSpecs(target, request.options());
            ArraySpec wanted = specs.wanted(path, spec, chunks);
            ArraySpec resolved = specs.resolved(place, spec, wanted);
            levels.ifPresent(view -> view.plan(path, resolved));
            WriteTraits write = target.writeTraits(resolved);
            Problem problem = ProblemStatement.of(
                    Ordered.of(reader, request.mostOrdered()),
                    place.store().capabilities().remote(),
                    !copies.findsCorrupt(),
                    resolved,
                    write,
                    EncodedChoice.of(request.options(), reader, resolved, write));
            Optional<ReadTraits> back = target.readTraits(resolved);
            MemoryRefusals both = new MemoryRefusals();
            ArrayChecks checks =
                    ArrayChecks.of(request, request.target(), reader, resolved, back, Optional.empty(), both);
            CopyPlan copy = copies.plan(problem, both);
            return Optional.of(
                    new JobArray(path, reader.spec(), resolved, copy, checks, Losses.of(place, wanted, resolved)));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    place + " in chunks of " + chunks.chunkText() + " exceeds 2^63 bytes", e);
        }
    }

    /** {@return whether levels are made, which are stored like the levels before} */
    @Override
    public boolean changesSource() {
        return levels.isPresent();
    }
}
