package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ChunkRule;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zarr directories with one time step each are joined and copied into one store of time series. */
class ZarrFilesTest {
    private static final int STEPS = 40;
    private static final long MAX_MEM = 2_400_000;
    private static final String RULE = "time=-1, ...=12";

    @TempDir
    Path directory;

    private final OpenerCount opener = new OpenerCount();

    private static ArraySpec.Builder map(long steps, DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(steps, 120, 144), Shape.of(1, 120, 144)), type)
                .dimensionNames(List.of("time", "lat", "lon"))
                .fillValue(FillValue.zero(type.itemSize()))
                .codecs(List.of(CodecSpec.of("gzip")))
                .attributes(Map.of("units", "m"));
    }

    private static ArraySpec coordinate(String name, long length) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(length), Shape.of(length)), DataType.FLOAT64)
                .dimensionNames(List.of(name))
                .fillValue(FillValue.zero(8))
                .build();
    }

    private static final Map<String, ArraySpec> WHOLE = new TreeMap<>(Map.of(
            "ssh", map(STEPS, DataType.FLOAT32).build(),
            "sst", map(STEPS, DataType.INT16).build(),
            "time", coordinate("time", STEPS),
            "lat", coordinate("lat", 120),
            "lon", coordinate("lon", 144)));

    private static Data whole(String name) {
        return Data.of(WHOLE.getOrDefault(name, map(0, DataType.INT8).build()), name.hashCode());
    }

    /** {@return the part of an array that is in one file} */
    private static Data step(String name, int step) {
        Data whole = whole(name);
        ArraySpec spec = whole.spec();
        if (!spec.dimensionNames().contains("time")) {
            return whole;
        }
        ChunkGrid one = name.equals("time")
                ? coordinate("time", 1).chunks()
                : map(1, spec.dataType()).build().chunks();
        return Slices.of(whole, 0, step, spec.toBuilder().chunks(one).build());
    }

    private void write(Iterable<String> names) throws IOException {
        for (int step = 0; step < STEPS; step++) {
            Path file = directory.resolve("in/step-" + step + ".zarr");
            try (ChunkStore store = Zarr.create(file, step % 2 == 0 ? ZarrFormat.V2 : ZarrFormat.V3)) {
                for (String name : names) {
                    step(name, step).write(store, name);
                }
                store.writeGroup("", Map.of("title", "ocean"));
                store.finish(false);
            }
        }
    }

    private List<Source> files(String path) throws IOException {
        return Concat.files(directory.resolve("in"), "step-*.zarr", Zarr::open, path).stream()
                .map(opener::count)
                .toList();
    }

    private void requireOpenings(int each) {
        assertEquals(STEPS, opener.opened().size());
        opener.opened().forEach((name, count) -> assertEquals(each, count, name));
        assertEquals(0, opener.openNow(), "still open");
        opener.reset();
    }

    @Test
    void stepsBecomeSeries() throws Exception {
        write(List.of("ssh"));
        ChunkStore joined = Concat.options().atMostOpen(2).along("time", files("ssh"));
        requireOpenings(1);
        try (ChunkStore target = Zarr.create(directory.resolve("out.zarr"))) {
            Plan plan = Rechunker.from(joined)
                    .to(target)
                    .chunks(RULE)
                    .maxMem(Long.toString(MAX_MEM))
                    .threads(2)
                    .plan();
            requireBound(plan, plan.execute());
        }
        requireOpenings(1);
        try (ChunkStore target = Zarr.open(directory.resolve("out.zarr"))) {
            whole("ssh").check(target, "");
        }
    }

    @Test
    void groupsOfStepsBecomeOneGroupOfSeries() throws Exception {
        write(WHOLE.keySet());
        ChunkStore joined = Concat.options().atMostOpen(50).along("time", files(""));
        requireOpenings(1);
        try (ChunkStore target = Zarr.create(directory.resolve("out.zarr"), ZarrFormat.V3)) {
            Plan plan = Rechunker.from(joined)
                    .to(target)
                    .chunks(ChunkRule.named("ss*", RULE).orElse(ChunkRule.parse("-1")))
                    .maxMem(Long.toString(24_000_000))
                    .plan();
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes());
            // lat and lon keep their chunks, so that these need not be decoded.
            assertEquals(
                    Set.of("Window", "CopyEncoded"),
                    plan.arrays().stream().map(array -> array.copy().strategy()).collect(Collectors.toSet()));
        }
        // ssh, sst and time are joined from all files; lat and lon are those of the first one, opened to plan, too.
        assertEquals(7, opener.opened().values().stream().mapToInt(n -> n).max().orElse(0));
        assertEquals(3, opener.opened().values().stream().mapToInt(n -> n).min().orElse(0));
        assertEquals(
                3 * STEPS + 4,
                opener.opened().values().stream().mapToInt(n -> n).sum());
        try (ChunkStore target = Zarr.open(directory.resolve("out.zarr"))) {
            for (String name : WHOLE.keySet()) {
                whole(name).check(target, name);
            }
            assertEquals(Map.of("title", "ocean"), ((GroupNode) target.node("").orElseThrow()).attributes());
        }
    }

    private static void requireBound(Plan plan, Report report) {
        assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), plan::explain);
        assertTrue(plan.projectedMemory().bytes() <= MAX_MEM, plan::explain);
        assertTrue(MAX_MEM < whole("ssh").spec().bytes());
        assertEquals(STEPS, report.sourceChunkReads(), plan::explain);
        assertTrue(report.storedBytesRead() > 0 && report.storedBytesRead() < 2 * report.bytesRead());
    }
}
