package dev.rechunker.examples;

import dev.rechunker.ChunkRule;
import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;

/** Copies a group, with a rule for some of its arrays: {@code CopyGroup SRC DST NAME CHUNKS MAX_MEM}. */
public final class CopyGroup {
    private CopyGroup() {}

    /**
     * Copies all arrays and attributes of {@code args[0]} to {@code args[1]}.
     *
     * <p>Arrays called {@code args[2]}, which may be a pattern like {@code ssh*}, get chunks like {@code time=-1,
     * ...=72}; coordinates and the rest keep theirs. The memory limit holds for all arrays together.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (ChunkStore source = Zarr.open(Path.of(args[0]));
                ChunkStore target = Zarr.create(Path.of(args[1]))) {
            Report report = Rechunker.from(source)
                    .to(target)
                    .chunks(ChunkRule.named(args[2], args[3]).orElseKeep())
                    .maxMem(args[4])
                    .codec("zstd:level=3")
                    .execute();
            System.out.println(report.tasks() + " tasks in " + report.elapsed().toMillis() + " ms");
        }
    }
}
