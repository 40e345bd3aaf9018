package dev.rechunker.io.recovery;

import dev.rechunker.Levels;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Copies that spill, for tests: 480 source chunks to 240 write units in two blocks. */
final class SpillingCopy {
    static final ArraySpec SOURCE = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(240, 240), Shape.of(120, 1)), DataType.INT64)
            .build();
    static final long SOURCE_CHUNKS = 480;
    static final long UNITS = 240;

    /** Makes reading the source expensive and spilling free, so that the whole spill goes to files. */
    static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e30, 0, 1e9);

    /** Makes spilling expensive, so that some of the spill is kept in memory. */
    static final CostModel SLOW_TO_SPILL = new CostModel("slow to read and spill", 1, 1e9, 1e9, 0, 1e9);

    /** Makes requests expensive, so that the spill is written a second time in larger pieces. */
    private static final CostModel SLOW_REQUESTS = new CostModel("slow requests", 1e9, 1e9, 1e9, 1, 1e9);

    /** Makes the device of the spill slow, so that the spill is compressed, although the data does not compress. */
    private static final CostModel SLOW_DEVICE =
            CostModel.parse("ssd:read=1,write=1e9,spill=1e3,request=0,spill-ratio=3");

    private static final ArraySpec LARGER = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(480, 960), Shape.of(480, 1)), DataType.INT64)
            .build();

    private SpillingCopy() {}

    static Rechunker.Job job(ChunkStore source, ChunkStore target, int threads) {
        return job(source, target, threads, threads == 1 ? "73kB" : "141kB", SLOW_TO_READ);
    }

    /** {@return a copy that keeps the first window of each block, and a part of the second one, in memory} */
    static Rechunker.Job keeping(ChunkStore source, ChunkStore target, int threads) {
        return job(source, target, threads, threads == 1 ? "133kB" : "131kB", SLOW_TO_SPILL);
    }

    /** {@return a copy with two temporary copies} */
    static Rechunker.Job regrouping(ChunkStore target, int threads) {
        return larger(target, threads, threads == 1 ? "90kB" : "160kB", SLOW_REQUESTS);
    }

    /** {@return a copy with a compressed temporary copy} */
    static Rechunker.Job compressing(ChunkStore target, int threads) {
        return larger(target, threads, threads == 1 ? "500kB" : "900kB", SLOW_DEVICE);
    }

    private static Rechunker.Job larger(ChunkStore target, int threads, String maxMem, CostModel model) {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        source.put("", LARGER, Data.of(LARGER).elements());
        return Rechunker.from(identified(source))
                .to(target)
                .chunks(1, 960)
                .maxMem(maxMem)
                .costModel(model)
                .executor(threads == 1 ? new SerialExecutor() : new ForkJoinExecutor(threads));
    }

    private static Rechunker.Job job(
            ChunkStore source, ChunkStore target, int threads, String maxMem, CostModel model) {
        Executor executor = threads == 1 ? new SerialExecutor() : new ForkJoinExecutor(threads);
        return Rechunker.from(source)
                .to(target)
                .chunks(1, 240)
                .maxMem(maxMem)
                .costModel(model)
                .executor(executor);
    }

    /** {@return a sweep that assembles one shard from 24 rows of chunks, each from 20 source chunks} */
    static Rechunker.Job sweep(Rechunker.To to, int threads) {
        return to.chunks(240, 10).maxMem("145kB").shards("240,240").threads(threads);
    }

    /**
     * {@return a copy with three levels, of which the first two are made in the same pass if there is enough memory}
     */
    static Rechunker.Job levels(Rechunker.To to, int threads) {
        return to.chunks(24, 24)
                .maxMem("400kB")
                .threads(threads)
                .levels(Levels.by("2,2").count(4));
    }

    /** {@return the source, which is the same in every JVM} */
    static ChunkStore source() {
        MemoryStore memory =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        memory.put("", SOURCE, Data.of(SOURCE).elements());
        return identified(memory);
    }

    private static ChunkStore identified(ChunkStore store) {
        return new ForwardingStore(store) {
            @Override
            public String identity() {
                return "positions";
            }
        };
    }

    /**
     * Starts or resumes a copy in a JVM that may be killed. Arguments: target, threads, log, and one of spill, keeping,
     * regrouping, compressing, sweep and levels.
     */
    public static void main(String[] args) throws Exception {
        Log log = new Log(Path.of(args[2]));
        Path place = Path.of(args[0]);
        // An earlier JVM may have been killed after the copy was complete. This one then only compares a sample.
        boolean isComplete = Files.exists(place.resolve("zarr.json"));
        try (ChunkStore source = isComplete ? source() : log.around(source());
                ChunkStore target = isComplete ? Zarr.create(place) : log.around(Zarr.create(place))) {
            int threads = Integer.parseInt(args[1]);
            Rechunker.Job job = switch (args[3]) {
                case "sweep" -> sweep(Rechunker.from(source).to(target), threads);
                case "levels" -> levels(Rechunker.from(source).to(target), threads);
                case "keeping" -> keeping(source, target, threads);
                case "regrouping" -> regrouping(target, threads);
                case "compressing" -> compressing(target, threads);
                default -> job(source, target, threads);
            };
            Plan plan = job.resume().plan();
            Signals.say("started");
            try {
                Report report = plan.execute();
                Signals.say("done " + (plan.tasks() - report.tasksDoneBefore() - report.tasks()) + " tasks too few");
            } catch (RefusedException e) {
                Signals.say("refused " + e);
            }
        }
    }

    /** {@return the files of runs, which are not part of the format, that are left at a target} */
    static List<String> ownFiles(Path target) throws IOException {
        return FileTrees.files(target).keySet().stream()
                .filter(name -> name.contains(".rechunk"))
                .toList();
    }

    /** Messages between a child process and its parent over standard streams. */
    static final class Signals {
        private Signals() {}

        static void waitForInput() throws IOException {
            System.in.read();
        }

        static void say(String what) {
            System.out.println(what);
            System.out.flush();
        }
    }

    /** Appends a line to a file for every read and write, before it is done, so that a kill cannot lose it. */
    static final class Log {
        private final Path file;

        Log(Path file) {
            this.file = file;
        }

        private void line(String what, Region region) {
            try {
                Files.write(
                        file,
                        (what + " " + region + "\n").getBytes(StandardCharsets.UTF_8),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** {@return a store whose readers and writers write to the log} */
        ChunkStore around(ChunkStore store) {
            return new ForwardingStore(store) {
                @Override
                public ArrayReader openReader(String path) throws IOException {
                    return new Reader(super.openReader(path)) {
                        @Override
                        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
                            line("read", region);
                            return super.read(region, target, scratch);
                        }
                    };
                }

                @Override
                protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
                    return new Writer(super.openWriter(path, opening)) {
                        @Override
                        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                            line("write", unit);
                            super.write(unit, data, scratch);
                        }

                        @Override
                        public void writePart(Region part, ByteBuffer data, Scratch scratch) throws IOException {
                            line("write", part);
                            super.writePart(part, data, scratch);
                        }
                    };
                }
            };
        }
    }
}
