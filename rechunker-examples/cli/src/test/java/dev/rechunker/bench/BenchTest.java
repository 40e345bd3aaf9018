package dev.rechunker.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.bench.Result.OwnReport;
import dev.rechunker.bench.Result.ToolResult;
import dev.rechunker.cli.Rechunk;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.FaultyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchTest {
    private static final ByteSize BOUND = ByteSize.parse("32MB");
    private static final String LZ4 = "blosc:cname=lz4,clevel=1,shuffle=shuffle";

    @TempDir
    Path temp = Path.of("");

    private final RechunkTool ourselves = new RechunkTool(Rechunk.class);

    private Result run(Workload workload, Peers peers) throws IOException, InterruptedException {
        try (Bench bench = new Bench(ourselves, peers, temp, 1, 2, 600, null, false, line -> {})) {
            return bench.run(workload);
        }
    }

    private static Workload maps() {
        Input input = new Input(
                "maps", Shape.of(40, 90, 70), Shape.of(3, 90, 70), DataType.FLOAT32, Values.WALK, Container.ZARR2, LZ4);
        return new Workload("maps", input, Shape.of(40, 16, 16), Container.ZARR2, LZ4, BOUND);
    }

    private static Workload image() {
        Input input = new Input(
                "image",
                Shape.of(20, 90, 70),
                Shape.of(8, 90, 70),
                DataType.UINT16,
                Values.WALK,
                Container.HDF5_CONTIGUOUS,
                "none");
        return new Workload("image", input, Shape.of(8, 32, 32), Container.HDF5, "gzip:level=1", BOUND);
    }

    private static void requireSane(Result result) {
        Limit limit = result.limits().get(0);
        assertTrue(limit.decodeSeconds() > 0 && limit.encodeSeconds() > 0 && limit.fileCopySeconds() > 0, "" + limit);
        assertTrue(result.storedBytes() > 0);
        ToolResult ours = result.tools().get(0);
        assertEquals("rechunk", ours.name());
        assertTrue(ours.equal(), ours.failure());
        assertEquals(ours.seconds() / limit.seconds(), ours.ratio(), 1e-9);
        assertTrue(ours.ratio() > 1, "a process with its start took less than the limit: " + ours);
        if (Files.exists(Path.of("/proc/self/status"))) {
            assertTrue(ours.peakBytes().orElseThrow() > 10_000_000, "" + ours);
        }
        OwnReport report = ours.report().orElseThrow();
        assertTrue(report.measuredMemory() <= report.projectedMemory());
        assertTrue(report.projectedMemory() <= BOUND.bytes());
        assertEquals(1, report.readsPerChunk(), 1e-9);
        assertTrue(report.seconds() < ours.seconds());
        ToolResult warm = result.tools().get(1);
        assertEquals("rechunk warm", warm.name());
        assertTrue(warm.equal(), warm.failure());
        assertTrue(warm.seconds() < report.seconds(), warm + " took longer than when nothing was compiled: " + ours);
    }

    @Test
    void measuresTinyChunksByTheirFiles() throws IOException, InterruptedException {
        Input input = new Input(
                "tiny", Shape.of(30, 30, 30), Shape.of(10, 10, 10), DataType.UINT16, Values.WALK, Container.ZARR3, LZ4);
        Result result = run(new Workload("split", input, Shape.of(5, 5, 5), Container.ZARR3, LZ4, BOUND), Peers.none());
        requireSane(result);
        Limit limit = result.limits().get(0);
        assertEquals(27 / limit.readsPerSecond().orElseThrow(), limit.decodeSeconds(), 1e-9);
        assertEquals(216 / limit.createsPerSecond().orElseThrow(), limit.encodeSeconds(), 1e-9);
        try (Stream<Path> left = Files.list(temp)) {
            assertEquals(List.of(temp.resolve("tiny-30x30x30.zarr")), left.toList());
        }
    }

    @ParameterizedTest
    @EnumSource(Container.class)
    void makesUnfinishedInputsAgain(Container container) throws IOException, InterruptedException {
        String codec = container == Container.HDF5_CONTIGUOUS ? "none" : container.isHdf5() ? "gzip:level=1" : LZ4;
        Input input =
                new Input("left", Shape.of(9, 5, 7), Shape.of(3, 5, 7), DataType.UINT16, Values.WALK, container, codec);
        Path path = input.path(temp);
        ArraySpec spec = ArraySpec.builder(input.grid(), input.type()).build();
        try (ChunkStore source = new ComputedStore(spec, input.values());
                ChunkStore faulty = new FaultyStore(source).failFrom(FaultyStore.Operation.READ, 2);
                ChunkStore target = container.create(path).store()) {
            Rechunker.Job job = Rechunker.from(faulty)
                    .to(target.at(container.node()))
                    .chunks("keep")
                    .maxMem(BOUND)
                    .codec(codec);
            assertThrows(IOException.class, () -> job.format(container.format()).execute());
        }
        assertFalse(Stores.isStore(path));

        input.make(temp);
        assertTrue(Stores.isStore(path));
    }

    /** A tool that writes a wrong target, or fails. */
    private record Other(String name, Function<Job, List<String>> does) implements Program {
        @Override
        public boolean fits(Workload workload) {
            return true;
        }

        @Override
        public List<String> command(Job job) {
            return does.apply(job);
        }
    }

    @Test
    void reportsFailedAndIncorrectTools() throws IOException, InterruptedException {
        Input zeros = new Input(
                "other",
                Shape.of(40, 90, 70),
                Shape.of(3, 90, 70),
                DataType.FLOAT32,
                Values.SPARSE,
                Container.ZARR2,
                LZ4);
        zeros.make(temp);
        Tool wrong = new Other(
                "wrong",
                job -> ourselves.command(new Tool.Job(
                        job.workload(),
                        zeros.path(temp).toString(),
                        job.target(),
                        job.temporary(),
                        job.threads(),
                        job.mostSeconds())));
        Tool failing = new Other("failing", job -> ourselves.verify("nowhere", "elsewhere"));
        Result result = run(maps(), Peers.of(List.of(wrong, failing)));
        requireSane(result);
        ToolResult first = result.tools().get(2);
        assertFalse(first.equal());
        assertTrue(first.failure().contains("different: element"), first.failure());
        ToolResult second = result.tools().get(3);
        assertFalse(second.equal());
        assertTrue(second.failure().contains("nowhere does not exist"), second.failure());
        assertTrue(second.samples().isEmpty());
    }

    /** A program may leave links to the source among its temporary files. */
    @Test
    void emptiesNoFilesThroughLinks() throws IOException {
        Path source = Files.writeString(temp.resolve("source"), "elements");
        Path scrap = Files.createDirectories(temp.resolve("scrap"));
        Files.createSymbolicLink(scrap.resolve("link"), source);
        Path made = Files.writeString(scrap.resolve("made"), "copy");
        Trees.empty(scrap);
        assertEquals("elements", Files.readString(source));
        assertEquals("", Files.readString(made));
    }

    @Test
    void countsWhatAProgramReads() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/io")));
        Path file = Files.write(temp.resolve("file"), new byte[10_000_000]);
        ToolRun run = ToolRun.ofProcess(List.of("cksum", file.toString()), Map.of(), temp);
        Reads reads = run.reads().orElseThrow();
        assertTrue(reads.bytes() >= 10_000_000 && reads.bytes() < 12_000_000, "" + reads);
        assertTrue(reads.calls() > 0, "" + reads);
    }

    @Test
    void stopsSlowPrograms() throws IOException, InterruptedException {
        ToolRun run = ToolRun.ofProcess(List.of("sleep", "600"), Map.of(), temp, 0.1);
        assertTrue(run.seconds() < 60, "" + run);
        assertEquals("stopped after 0.1 s", run.failure());
    }

    @Test
    void measuresHdf5() throws IOException, InterruptedException {
        requireSane(run(image(), Peers.none()));
    }

    @Test
    void measuresLevels() throws IOException, InterruptedException {
        requireSane(run(image().withLevels(3), Peers.none()));
        requireSane(run(maps().withLevels(2), Peers.none()));
    }

    @Test
    void measuresAxesInAnotherOrder() throws IOException, InterruptedException {
        Input input = maps().input();
        Workload series = new Workload("series", input, Shape.of(16, 20, 40), Container.ZARR2, LZ4, BOUND);
        requireSane(run(series.transposed(1, 2, 0), Peers.none()));
    }

    @Test
    @Tag("reference")
    @EnabledIfEnvironmentVariable(named = "RECHUNKER_REFERENCES", matches = ".*")
    void peersMakeTheSameResult() throws IOException, InterruptedException {
        Peers peers = Peers.installed(temp.resolve("peers"));
        assertEquals(Set.of("rechunk", "rechunk warm", "h5repack", "nccopy", "ncks"), equal(run(image(), peers)));
        Set<String> everywhere = Set.of("rechunk", "rechunk warm", "dask", "tensorstore");
        assertTrue(equal(run(maps(), peers)).containsAll(everywhere), "" + peers.absent());
        assertTrue(equal(run(maps().withLevels(2), peers)).containsAll(everywhere));
        Workload series = new Workload("series", maps().input(), Shape.of(16, 20, 40), Container.ZARR2, LZ4, BOUND);
        assertTrue(equal(run(series.transposed(1, 2, 0), peers)).containsAll(everywhere));
        Workload toZarr = new Workload("toZarr", image().input(), Shape.of(8, 32, 32), Container.ZARR2, LZ4, BOUND);
        assertTrue(equal(run(toZarr, peers)).contains("dask"));
    }

    private static Set<String> equal(Result result) {
        result.tools().forEach(tool -> assertTrue(tool.equal(), tool.name() + ": " + tool.failure()));
        return result.tools().stream().map(ToolResult::name).collect(Collectors.toSet());
    }
}
