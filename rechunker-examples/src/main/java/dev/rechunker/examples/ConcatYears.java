package dev.rechunker.examples;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Copies many Zarr stores, one for each year, into one: {@code ConcatYears DIRECTORY GLOB DST CHUNKS MAX_MEM}. */
public final class ConcatYears {
    private ConcatYears() {}

    /**
     * Joins the stores in the directory {@code args[0]} whose names match a pattern like {@code ssh-*.zarr} along time,
     * and copies them to {@code args[2]} in chunks like {@code time=-1, ...=72}, within a limit like {@code 2GB}.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<Source> years = Concat.files(Path.of(args[0]), args[1], Zarr::open);
        try (ChunkStore source = Concat.options()
                        .atMostOpen(16)
                        .onDifference(System.out::println)
                        .along("time", years);
                ChunkStore target = Zarr.create(Path.of(args[2]))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(args[3])
                    .maxMem(args[4])
                    .plan();
            System.out.println(plan.explain());

            Report report = plan.execute();
            System.out.println(
                    years.size() + " stores, used at most " + report.measuredMemory() + " bytes of " + plan.maxMem());
        }
    }
}
