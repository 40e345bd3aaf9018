package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.Advised;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A temporary copy in values of an object store.
 *
 * @param store the object store
 * @param run the first part of the names of the values
 * @param kept whether the values remain after a failure, because the run can be resumed
 */
public record SpillValues(SpillStore store, String run, boolean kept) implements SpillPlace {
    /** {@return values that are deleted when the run ends} */
    public static SpillValues temporary(SpillStore store) {
        return new SpillValues(store, "rechunk-" + UUID.randomUUID(), false);
    }

    /** {@return the numbers of a store that a plan needs} */
    public static RemoteSpill traits(SpillStore store) {
        return new RemoteSpill(store.name(), store.requestBytes(), store.partBytes(), store.readBytes());
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.empty();
    }

    @Override
    public void tryOut() throws IOException {
        String trial = run + "/trial-" + UUID.randomUUID();
        try {
            putByte(trial + "/0");
            store.delete(trial);
        } catch (IOException e) {
            String message = "the spill cannot be written to " + store.name() + ": " + Advised.problem(e);
            throw e instanceof StoreException ? new StoreException(message, e) : new IOException(message, e);
        }
    }

    private String marker() {
        return run + "/begun";
    }

    @Override
    public void begin() throws IOException {
        putByte(marker());
    }

    /** Has no effect, because each value is put as a whole, and its absence is noticed. */
    @Override
    public void createBlocks(int array, CopyPlan plan, ArraySpec source) {}

    @Override
    public void requireBegun() throws IOException {
        Optional<EncodedUnit> found = store.open(marker(), 0, 1);
        if (found.isEmpty()) {
            throw new RefusedException(
                    "the spill " + store.name() + "/" + marker()
                            + " of this run is missing. It was made with the plan: "
                            + store.name() + " must be the same place for every process, and nothing may be removed"
                            + " from it",
                    Advice.RESTART);
        }
        found.get().close();
    }

    private void putByte(String name) throws IOException {
        try (SpillStore.Value value = store.create(name, 1)) {
            value.put(0, List.of(ByteBuffer.wrap(new byte[1])));
            value.commit();
        }
    }

    @Override
    public long bytes() {
        return 0;
    }

    @Override
    public void delete() throws IOException {
        if (kept) {
            store.delete(run);
        }
    }

    /** {@return the first part of the names of the values of a block} */
    String block(int array, int copy, long block) {
        return run + "/" + array + "/" + copy + "/" + block;
    }
}
