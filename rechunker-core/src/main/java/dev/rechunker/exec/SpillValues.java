package dev.rechunker.exec;

import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.store.Advised;
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
        try (SpillStore.Value value = store.create(trial + "/0", 1)) {
            value.put(0, List.of(ByteBuffer.wrap(new byte[1])));
            value.commit();
            store.delete(trial);
        } catch (IOException e) {
            String message = "the spill cannot be written to " + store.name() + ": " + Advised.problem(e);
            throw e instanceof StoreException ? new StoreException(message, e) : new IOException(message, e);
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
