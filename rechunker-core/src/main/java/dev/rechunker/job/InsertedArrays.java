package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Problem;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.WriteTraits;
import dev.rechunker.view.Insertion;
import dev.rechunker.view.Ordered;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Plans copies into existing arrays. */
final class InsertedArrays implements ArrayPlanning {
    private final JobRequest request;
    private final CopyPlanning copies;
    private final ExistingTarget existing;
    private final Optional<Region> part;

    /**
     * Creates it.
     *
     * @param part the part of the source that is copied, if the source is an array and not copied as a whole
     */
    InsertedArrays(JobRequest request, ExistingTarget existing, Optional<Region> part) {
        this.request = request;
        this.copies = new CopyPlanning(request);
        this.existing = existing;
        this.part = part;
    }

    @Override
    public Optional<JobArray> plan(String path, StoreLocation place, ArraySpec spec, ArrayReader reader)
            throws IOException {
        Optional<Insertion> found = existing.planInsertion(path, place, spec, origin(path, spec));
        if (found.isEmpty()) {
            existing.requireSame(
                    place, path, request.maxMem(), request.options().executor().threads());
            return Optional.empty();
        }
        if (!request.options().get(Option.ALLOW_DUPLICATES)) {
            existing.requireNew(place, path, reader, request.maxMem().bytes());
        }
        Insertion insertion = found.get();
        ArraySpec target = insertion.spec();
        WriteTraits write = existing.insert(path, insertion);
        Problem problem = ProblemStatement.of(
                Ordered.of(reader, request.mostOrdered()),
                place.store().capabilities().remote(),
                !copies.findsCorrupt(),
                target,
                write,
                EncodedChoice.of(request.options(), reader, target, write));
        Optional<ReadTraits> back = existing.readTraits(path);
        MemoryRefusals both = new MemoryRefusals();
        ArrayChecks checks =
                ArrayChecks.of(request, request.target(), reader, target, back, Optional.of(insertion.window()), both);
        CopyPlan copy = copies.plan(problem, both);
        List<Loss> kept =
                Losses.ofAttributes(place, spec.attributes(), insertion.before().attributes());
        return Optional.of(new JobArray(path, reader.spec(), target, copy, checks, kept));
    }

    /** {@return the index that the first element has in the whole source} */
    private long[] origin(String path, ArraySpec spec) {
        return path.isEmpty() && part.isPresent()
                ? part.get().origin()
                : new long[spec.shape().rank()];
    }
}
