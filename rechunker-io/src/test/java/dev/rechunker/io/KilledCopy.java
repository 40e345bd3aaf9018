package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.SpillStore;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A copy into a place by processes that are killed, of which each resumes the work of the one before. */
final class KilledCopy {
    /** The source: 480 chunks, which are copied to 240 units. */
    private static final ArraySpec SOURCE = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(240, 9600), Shape.of(120, 40)), DataType.INT64)
            .build();

    private static final int CHUNKS = 480;
    private static final int UNITS = 240;
    private static final int KILLED = 128 + 9;

    /** The chunks that are read again after a kill at most: those of the tasks of two threads. */
    private static final int READ_AGAIN = 40;

    /** The units that are written again after a kill at most. */
    private static final int WRITTEN_AGAIN = 20;

    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e30, 0, 1e9);

    /** The time after which what was done is stored. */
    private static final int RECORDED_MILLIS = 3500;

    private final Path directory;
    private final List<String> settings;
    private final String spill;

    /**
     * Creates it.
     *
     * @param directory a directory for the log and the output of the processes
     * @param settings options of their JVMs
     * @param spill the place of the spill; empty for the default
     */
    KilledCopy(Path directory, List<String> settings, String spill) {
        this.directory = directory;
        this.settings = settings;
        this.spill = spill;
    }

    private static Rechunker.Job job(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source)
                .to(target)
                .chunks(1, 9600)
                .maxMem("4MB")
                .costModel(SLOW_TO_READ)
                .threads(2);
    }

    private static ChunkStore source() {
        MemoryStore memory =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        memory.put("", SOURCE, Data.of(SOURCE).elements());
        return new ForwardingStore(memory) {
            @Override
            public String identity() {
                return "positions";
            }
        };
    }

    /** Copies to a place, which three processes do that are killed in each of the stages, and one that ends. */
    void runTo(String target) throws Exception {
        Path log = directory.resolve("log");
        run(target, log, "read", 200);
        run(target, log, "write", 30);
        run(target, log, "write", 80);
        run(target, log, "none", 0);
        List<String> lines = Files.readAllLines(log);
        long reads = lines.stream().filter(line -> line.startsWith("read")).count();
        long writes = lines.size() - reads;
        assertTrue(reads >= CHUNKS && reads <= CHUNKS + 3 * READ_AGAIN, reads + " reads");
        assertTrue(writes >= UNITS && writes <= UNITS + 3 * WRITTEN_AGAIN, writes + " writes");
        try (ChunkStore done = Stores.open(target)) {
            Data.of(SOURCE).check(done, "");
        }
    }

    /** Runs a process that stops after some reads or writes, and is killed when it has stopped. */
    private void run(String target, Path log, String stopped, int after) throws Exception {
        Path output = directory.resolve("output");
        List<String> options = new ArrayList<>(List.of("-Xmx200m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        options.addAll(settings);
        Process process = ChildJvm.of(
                        options, KilledCopy.class, target, log.toString(), stopped, Integer.toString(after), spill)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (after > 0) {
            while (process.isAlive() && !Files.readString(output).contains("stopped")) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            TimeUnit.MILLISECONDS.sleep(RECORDED_MILLIS);
            process.destroyForcibly();
        }
        assertEquals(after > 0 ? KILLED : 0, process.waitFor(), () -> read(output));
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /**
     * Starts or resumes the copy. Arguments: target, log, whether to stop at reads or at writes, after how many of
     * them, and the place of the spill.
     */
    public static void main(String[] args) throws Exception {
        Log log = new Log(Path.of(args[1]), args[2], Integer.parseInt(args[3]));
        try (ChunkStore source = log.around(source());
                ChunkStore target = log.around(Zarr.create(Stores.keys(args[0])))) {
            Rechunker.Job job = job(source, target).resume();
            if (!args[4].isEmpty()) {
                SpillStore spill = Stores.temporary(args[4]);
                job = job.spill(spill);
            }
            Plan plan = job.plan();
            if (!plan.arrays().get(0).copy().strategy().equals("Spill")) {
                throw new IllegalStateException(plan.explain());
            }
            Report report = plan.execute();
            if (report.tasksDoneBefore() == 0 || report.tasksDoneBefore() + report.tasks() != plan.tasks()) {
                throw new IllegalStateException(report.toString());
            }
        }
    }

    /** Appends a line to a file for every read and write before it is done, and stops after some of them. */
    private static final class Log {
        private final Path file;
        private final String stopped;
        private final int after;
        private final AtomicInteger count = new AtomicInteger();

        Log(Path file, String stopped, int after) {
            this.file = file;
            this.stopped = stopped;
            this.after = after;
        }

        private void line(String what, Region region) throws IOException {
            if (what.equals(stopped) && count.incrementAndGet() > after) {
                System.out.println("stopped");
                System.out.flush();
                try {
                    TimeUnit.DAYS.sleep(1);
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            Files.writeString(file, what + " " + region + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }

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
                    };
                }
            };
        }
    }
}
