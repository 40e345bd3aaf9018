package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A program that copies 480 MB of computed elements to a target that checks and discards them. {@link BoundHoldsTest}
 * runs it in a JVM with little memory. It prints its results as {@code key=value} lines.
 */
final class BoundHoldsMain {
    static final Shape SHAPE = Shape.of(6_000, 10_000);

    private BoundHoldsMain() {}

    /** {@return the element at a position in C order} */
    private static long element(long position) {
        return position * 0x9E3779B97F4A7C15L;
    }

    /** Runs a copy with the strategy, maxMem and directory in the arguments. */
    public static void main(String[] args) throws Exception {
        boolean spill = args[0].equals("Spill");
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(SHAPE, spill ? Shape.of(25, 10_000) : Shape.of(1_000, 25)), DataType.INT64)
                .build();
        Checking target = new Checking();
        Rechunker.Job job = Rechunker.from(new Computed(spec))
                .to(target)
                .chunks(spill ? new long[] {6_000, 20} : new long[] {25, 10_000})
                .maxMem(ByteSize.of(Long.parseLong(args[1])))
                .executor(new ForkJoinExecutor(2))
                .costModel(spill ? new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9) : CostModel.SSD);
        Plan plan = (spill ? job.spill(Path.of(args[2])) : job.noSpill()).plan();
        System.out.println("strategy=" + plan.arrays().get(0).copy().strategy());
        Report report = plan.execute();

        long expected = 0;
        for (long position = 0; position < SHAPE.elements(); position++) {
            expected += element(position);
        }
        System.out.println("elements=" + target.elements.sum());
        System.out.println("checksum=" + (expected == target.checksum.sum() ? "right" : "wrong"));
        System.out.println("measured=" + report.measuredMemory());
        System.out.println("projected=" + report.projectedMemory());
        System.out.println("spilled=" + report.spillPeakBytes());
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:")) {
                    System.out.println("resident=" + Long.parseLong(line.replaceAll("\\D", "")) * 1024);
                }
            }
        }
    }

    /** The common part of both stores: one array, at the root. */
    private abstract static class OneArray implements ChunkStore {
        @Override
        public String name() {
            return getClass().getSimpleName();
        }

        @Override
        public Capabilities capabilities() {
            return Capabilities.ofOneArray()
                    .withWritable(true)
                    .withConcurrentWriters(true)
                    .withAtomicPublish(true);
        }

        @Override
        public Optional<Node> node(String path) {
            return Optional.empty();
        }

        @Override
        public List<String> children(String path) {
            return List.of();
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            throw new StoreException("there is no array at " + at(path));
        }

        @Override
        public ArraySpec resolve(ArraySpec wanted) {
            return wanted;
        }

        @Override
        public WriteTraits writeTraits(ArraySpec resolved) {
            return WriteTraits.PLAIN;
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
            throw new StoreException(at(path) + " cannot be written");
        }

        @Override
        public void writeGroup(String path, GroupSpec group, boolean overwrite) {}

        @Override
        public String identity() {
            return name();
        }

        @Override
        public void close() {}
    }

    /** A source of elements that are computed from their position. */
    private static final class Computed extends OneArray {
        private final ArraySpec spec;

        Computed(ArraySpec spec) {
            this.spec = spec;
        }

        @Override
        public Optional<Node> node(String path) {
            return Optional.of(new ArrayNode(spec));
        }

        @Override
        public ArrayReader openReader(String path) {
            return new ArrayReader() {
                @Override
                public ArraySpec spec() {
                    return spec;
                }

                @Override
                public ReadTraits traits() {
                    return ReadTraits.of(ReadTraits.Granularity.CHUNK);
                }

                @Override
                public boolean read(Region region, ByteBuffer target, Scratch scratch) {
                    target.order(ByteOrder.LITTLE_ENDIAN);
                    Odometer rows =
                            new Odometer(Region.of(new long[] {region.start(0), 0}, Shape.of(region.extent(0), 1)));
                    while (rows.next()) {
                        long start = rows.at(0) * SHAPE.extent(1);
                        for (long column = region.start(1); column < region.end(1); column++) {
                            target.putLong(element(start + column));
                        }
                    }
                    return true;
                }

                @Override
                public void close() {}
            };
        }
    }

    /** A target that checks and counts elements. */
    private static final class Checking extends OneArray {
        private final LongAdder elements = new LongAdder();
        private final LongAdder checksum = new LongAdder();

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) {
            return new ArrayWriter() {
                @Override
                public ArraySpec spec() {
                    return spec;
                }

                @Override
                public WriteTraits traits() {
                    return writeTraits(spec);
                }

                @Override
                public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                    ByteBuffer ordered = data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
                    long sum = 0;
                    for (long row = unit.start(0); row < unit.end(0); row++) {
                        for (long column = unit.start(1); column < unit.end(1); column++) {
                            long value = ordered.getLong();
                            if (value != element(row * SHAPE.extent(1) + column)) {
                                throw new IOException("the element at " + row + ", " + column + " is " + value);
                            }
                            sum += value;
                        }
                    }
                    if (ordered.hasRemaining()) {
                        throw new IOException(unit + " has " + ordered.remaining() + " bytes too many");
                    }
                    checksum.add(sum);
                    elements.add(unit.elements());
                }

                @Override
                public void commit() {}

                @Override
                public void close() {}
            };
        }
    }
}
