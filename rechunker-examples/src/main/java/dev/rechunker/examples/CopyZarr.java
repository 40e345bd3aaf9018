package dev.rechunker.examples;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;

/** Copies one Zarr array into other chunks: {@code CopyZarr SRC DST CHUNKS MAX_MEM}. */
public final class CopyZarr {
    private CopyZarr() {}

    /** Copies {@code args[0]} to {@code args[1]} in chunks like {@code 8901,72,72}, within a limit like {@code 2GB}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (ChunkStore source = Zarr.open(Path.of(args[0]));
                ChunkStore target = Zarr.create(Path.of(args[1]))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(args[2])
                    .maxMem(args[3])
                    .plan();
            System.out.println(plan.explain());

            Report report = plan.execute();
            System.out.println("used at most " + report.measuredMemory() + " bytes of " + plan.maxMem());
        }
    }
}
