package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chunks that are missing count as never written, but not if all was removed while it was copied. */
class RemovedTest {
    @TempDir
    Path directory;

    /** Copies, and removes something when half of it is read. */
    private String copyAndRemove(Path removed) throws Exception {
        Path place = directory.resolve("source");
        try (ChunkStore store = Zarr.create(place)) {
            Data.of(SpillingCopy.SOURCE).write(store, "");
        }
        try (ChunkStore source = Zarr.open(place);
                ChunkStore target = Zarr.create(directory.resolve("target"))) {
            FaultyStore watched = new FaultyStore(source).before(Operation.READ, number -> {
                if (number == SpillingCopy.SOURCE_CHUNKS / 2) {
                    MoreFiles.deleteRecursively(removed, RecursiveDeleteOption.ALLOW_INSECURE);
                }
            });
            Rechunker.Job job = Rechunker.from(watched)
                    .to(target)
                    .chunks(1, 240)
                    .maxMem("1MB")
                    .threads(1);
            IOException e = assertThrows(IOException.class, job::execute);
            assertTrue(target.node("").isEmpty());
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void theSource() throws Exception {
        String message = copyAndRemove(directory.resolve("source"));
        assertTrue(message.contains("source was removed while it was being copied"), message);
    }

    @Test
    void theTarget() throws Exception {
        String message = copyAndRemove(directory.resolve("target"));
        assertTrue(message.contains("target was removed, at least in part"), message);
        assertFalse(message.contains("resume()"), message);
    }
}
