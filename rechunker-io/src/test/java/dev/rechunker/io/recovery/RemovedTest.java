package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Missing chunks count as not written, but a source or target that is removed during a copy is noticed. */
class RemovedTest {
    @TempDir
    Path directory;

    private Path writeSource() throws IOException {
        Path place = directory.resolve("source");
        try (ChunkStore store = Zarr.create(place)) {
            Data.of(SpillingCopy.SOURCE).write(store, "");
        }
        return place;
    }

    /** Copies, and removes a directory when half of the source is read; {@return the message of the failure} */
    private String copyAndRemove(Path removed) throws Exception {
        try (ChunkStore source = Zarr.open(writeSource());
                ChunkStore target = Zarr.create(directory.resolve("target"))) {
            FaultyStore watched = new FaultyStore(source).before(Operation.READ, number -> {
                if (number == SpillingCopy.SOURCE_CHUNKS / 2) {
                    MoreFiles.deleteRecursively(removed, RecursiveDeleteOption.ALLOW_INSECURE);
                }
            });
            IOException e = assertThrows(IOException.class, job(watched, target)::execute);
            assertTrue(target.node("").isEmpty());
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void aRemovedSourceIsNoticed() throws Exception {
        String message = copyAndRemove(directory.resolve("source"));
        assertTrue(message.contains("source was removed while it was being copied"), message);
        assertFalse(message.contains("resume()"), message);
        assertFalse(
                Files.exists(directory.resolve("target/.rechunker-run")),
                "the journal was kept, although it may be wrong");
    }

    /**
     * A process that is killed cannot report that its source was removed, so it must not record missing chunks before.
     */
    @Test
    void aSourceRemovedBeforeAKillIsReadAgain() throws Exception {
        Path place = writeSource();
        Path hidden = directory.resolve("hidden");
        Path kept = directory.resolve("kept");
        Path target = directory.resolve("target");
        try (ChunkStore source = Zarr.open(place);
                ChunkStore into = Zarr.create(target)) {
            FaultyStore watched = new FaultyStore(source).before(Operation.READ, number -> {
                if (number == SpillingCopy.SOURCE_CHUNKS / 2) {
                    Files.move(place, hidden);
                } else if (number > SpillingCopy.SOURCE_CHUNKS / 2) {
                    snapshot(target, kept);
                }
            });
            assertThrows(IOException.class, job(watched, into)::execute);
        }
        MoreFiles.deleteRecursively(target, RecursiveDeleteOption.ALLOW_INSECURE);
        Files.move(kept, target);
        Files.move(hidden, place);
        try (ChunkStore source = Zarr.open(place);
                ChunkStore into = Zarr.create(target)) {
            job(source, into).resume().execute();
            Data.of(SpillingCopy.SOURCE).check(into, "");
        }
    }

    @Test
    void aRemovedSourceIsNoticedByOneOfManyProcesses() throws Exception {
        Path place = writeSource();
        try (ChunkStore source = Zarr.open(place);
                ChunkStore target = Zarr.create(directory.resolve("target"))) {
            FaultyStore watched = new FaultyStore(source).before(Operation.READ, number -> {
                if (number == SpillingCopy.SOURCE_CHUNKS / 2) {
                    Files.move(place, directory.resolve("hidden"));
                }
            });
            ForwardingStore described = new ForwardingStore(watched) {
                @Override
                public Optional<StoreDescriptor> descriptor() {
                    return source.descriptor();
                }
            };
            try (SharedRun run = SharedRun.of(job(described, target).plan())) {
                run.begin();
                long tasks = run.tasks().get(0);
                IOException e = assertThrows(IOException.class, () -> run.run(0, 0, tasks));
                assertTrue(String.valueOf(e.getMessage()).contains("source was removed"), e::getMessage);
            }
        }
    }

    private static Rechunker.Job job(ChunkStore source, ChunkStore target) throws IOException {
        return Rechunker.from(source).to(target).chunks(1, 240).maxMem("1MB").threads(1);
    }

    /** Copies the files that a kill at this moment would leave. */
    private static void snapshot(Path target, Path kept) throws IOException {
        if (Files.exists(kept)) {
            MoreFiles.deleteRecursively(kept, RecursiveDeleteOption.ALLOW_INSECURE);
        }
        try (Stream<Path> files = Files.walk(target)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!String.valueOf(file.getFileName()).startsWith("lock-")) {
                    Files.copy(file, kept.resolve(target.relativize(file).toString()));
                }
            }
        }
    }

    @Test
    void aRemovedTargetIsNoticed() throws Exception {
        String message = copyAndRemove(directory.resolve("target"));
        assertTrue(message.contains("target was removed, at least in part"), message);
        assertFalse(message.contains("resume()"), message);
    }
}
