package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Progress;
import dev.rechunker.run.Report;
import dev.rechunker.run.VerificationException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification of copies, and checksums that other tools can compute. */
class VerifyTest {
    @TempDir
    Path directory;

    /** A store that writes one wrong element. */
    private static final class Flipping extends ForwardingStore {
        private final long[] index;

        Flipping(ChunkStore delegate, long... index) {
            super(delegate);
            this.index = index;
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
            return new Writer(super.create(path, spec, overwrite)) {
                @Override
                public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                    Region one = Region.of(index, Shape.of(new long[] {1, 1, 1}));
                    if (unit.contains(one)) {
                        long at = 0;
                        for (int axis = 0; axis < index.length; axis++) {
                            at = at * unit.extent(axis) + index[axis] - unit.start(axis);
                        }
                        ByteBuffer wrong = ByteBuffer.allocateDirect(data.remaining());
                        wrong.put(data.duplicate()).flip();
                        int place = (int) at * 4 + 2;
                        wrong.put(place, (byte) (wrong.get(place) ^ 4));
                        super.write(unit, wrong, scratch);
                    } else {
                        super.write(unit, data, scratch);
                    }
                }
            };
        }
    }

    private static ArraySpec spec(Shape shape, Shape chunks) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.INT32)
                .fillValue(FillValue.zero(4))
                .build();
    }

    private static MemoryStore memory() {
        return MemoryStore.builder().granularity(Granularity.CHUNK).build();
    }

    private static Rechunker.Job job(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source).to(target).chunks(5, 7, 2).maxMem("20kB").threads(2);
    }

    @Test
    void flippedElementIsFound() throws Exception {
        Shape shape = Shape.of(13, 9, 8);
        MemoryStore source = memory();
        Data.of(spec(shape, Shape.of(4, 4, 8))).write(source, "");
        Report clean = job(source, memory()).verify().execute();
        assertEquals(13 * 9 * 8, clean.elementsVerified());
        assertTrue(clean.measuredMemory() <= clean.projectedMemory() && clean.projectedMemory() <= 20_000);
        Cases.check(60, random -> {
            long[] index = {random.between(0, 12), random.between(0, 8), random.between(0, 7)};
            VerificationException failure = assertThrows(
                    VerificationException.class,
                    () -> job(source, new Flipping(memory(), index)).verify().execute());
            assertTrue(
                    String.valueOf(failure.getMessage())
                            .contains("element [" + index[0] + ", " + index[1] + ", " + index[2] + "] is "),
                    failure.getMessage());
        });
        Rechunker.from(source)
                .to(new Flipping(memory(), 12, 8, 7))
                .chunks(5, 7, 2)
                .maxMem("20kB")
                .execute();
    }

    @Test
    void planHasTheNumberOfReadsOfVerification() throws Exception {
        Shape shape = Shape.of(12, 12, 8);
        MemoryStore made = memory();
        Data.of(spec(shape, Shape.of(6, 6, 8))).write(made, "");
        for (String bound : List.of("3300B", "5kB", "20kB")) {
            CountingStore source = new CountingStore(made);
            CountingStore target = new CountingStore(memory());
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(4, 3, 8)
                    .maxMem(bound)
                    .threads(1)
                    .spill(directory)
                    .verify()
                    .plan();
            Matcher said = Pattern.compile(
                            "verification: .* reads the first array (\\S+) times, the second (\\S+) times")
                    .matcher(plan.explain());
            assertTrue(said.find(), plan.explain());
            Report report = plan.execute();
            long chunks = 4;
            long units = 12;
            assertEquals(
                    Double.parseDouble(said.group(1)),
                    (double) (source.reads() - report.sourceChunkReads()) / chunks,
                    0.01,
                    plan.explain());
            assertEquals(Double.parseDouble(said.group(2)), (double) target.reads() / units, 0.01, plan.explain());
        }
    }

    @Test
    void progressIncludesVerification() throws Exception {
        MemoryStore source = memory();
        Data data = Data.of(spec(Shape.of(13, 9, 8), Shape.of(4, 4, 8)));
        data.write(source, "a");
        data.write(source, "b/c");
        long bytes = 13 * 9 * 8 * 4;
        for (double share : new double[] {1, 0.05}) {
            List<Progress> events = new CopyOnWriteArrayList<>();
            job(source, memory()).verify(share).onProgress(events::add).execute();
            Progress end = events.get(events.size() - 1);
            assertTrue(end.ended());
            assertEquals("b/c verify", end.array() + " " + end.stage());
            assertEquals(4 * bytes + (long) (4 * bytes * share), end.bytesToMove());
            assertEquals(end.bytesToMove(), end.bytesMoved());
        }
    }

    /** Also of verification and checksums. Each side is opened once for the copy, and once or twice after it. */
    @Test
    void transientFailuresAfterTheCopyAreRetried() throws Exception {
        Data data = Data.of(spec(Shape.of(13, 9, 8), Shape.of(4, 4, 8)));
        FaultyStore source = new FaultyStore(memory());
        data.write(source, "a");
        FaultyStore target = new FaultyStore(memory());
        Plan plan = Rechunker.from(source)
                .to(target)
                .chunks(5, 7, 2)
                .maxMem("1MB")
                .verify()
                .checksums()
                .plan();
        long opened = source.count(FaultyStore.Operation.OPEN_READER);
        source.failOnce(FaultyStore.Operation.OPEN_READER, opened + 2);
        source.failOnce(FaultyStore.Operation.READ, data.spec().chunks().count() + 3);
        target.failOnce(FaultyStore.Operation.OPEN_READER, 1);
        target.failOnce(FaultyStore.Operation.READ, 1);
        target.failOnce(FaultyStore.Operation.OPEN_ENCODED, 1);
        Report report = plan.execute();
        assertEquals(5, report.retries(), report::toString);
        assertEquals(13 * 9 * 8, report.elementsVerified());
    }

    @Test
    void sampleIsAShareWithBothEnds() throws Exception {
        Shape shape = Shape.of(400, 20, 10);
        MemoryStore source = memory();
        Data.of(spec(shape, Shape.of(2, 4, 10))).write(source, "");
        long elements = job(source, memory()).verify(0.05).execute().elementsVerified();
        assertTrue(elements >= 0.04 * 80000 && elements < 0.1 * 80000, elements + " of 80000");
        for (long[] index : List.of(new long[] {0, 0, 0}, new long[] {399, 19, 9})) {
            assertThrows(
                    VerificationException.class,
                    () -> job(source, new Flipping(memory(), index))
                            .verify(0.05)
                            .execute());
        }
        for (double share : new double[] {0, -1, 1.5, Double.NaN}) {
            assertThrows(
                    IllegalArgumentException.class, () -> job(source, memory()).verify(share));
        }
    }

    @Test
    void tooSmallMaxMemForVerificationIsRefusedBeforeAnythingIsWritten() throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.STREAM).build();
        Data.of(spec(Shape.of(40, 40, 2), Shape.of(40, 40, 1))).write(source, "");
        MemoryStore target = memory();
        Rechunker.Job job = Rechunker.from(source)
                .to(target)
                .chunks(1, 40, 2)
                .maxMem("6kB")
                .spill(directory)
                .threads(1);
        InfeasiblePlanException refusal =
                assertThrows(InfeasiblePlanException.class, () -> job.verify().plan());
        assertTrue(refusal.minimumMemory() > 6000, refusal.getMessage());
    }

    @Test
    void leastMaxMemCoversVerificationAndChecksums() throws Exception {
        MemoryStore source = MemoryStore.of(new int[40][40], 1, 40);
        Rechunker.To to = Rechunker.from(source).to(memory());
        ThrowingFunction<Long, Plan> plan = bytes -> to.chunks(40, 40)
                .maxMem(ByteSize.of(bytes))
                .threads(1)
                .verify()
                .checksums()
                .plan();
        InfeasiblePlanException refusal = assertThrows(InfeasiblePlanException.class, () -> plan.apply(1000L));
        assertTrue(plan.apply(refusal.minimumMemory()).projectedMemory().bytes() <= refusal.minimumMemory());
    }

    @Test
    void leastMaxMemOfPlanCoversWorkAfterTheCopy() throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.STREAM).build();
        Data.of(spec(Shape.of(40, 40, 2), Shape.of(40, 40, 1))).write(source, "");
        Rechunker.Chunked chunked = Rechunker.from(source).to(memory()).chunks(1, 40, 2);
        List<UnaryOperator<Rechunker.Job>> cares = List.of(
                job -> job,
                job -> job.verify(),
                job -> job.checksums(),
                job -> job.verify().checksums());
        for (UnaryOperator<Rechunker.Job> care : cares) {
            ThrowingFunction<Long, Plan> plan = bytes -> care.apply(
                            chunked.maxMem(ByteSize.of(bytes)).threads(1).spill(directory))
                    .plan();
            Plan ample = plan.apply(1_000_000L);
            long least = ample.arrays().get(0).copy().minimumMemory();
            assertTrue(plan.apply(least).projectedMemory().bytes() <= least);
            InfeasiblePlanException refusal = assertThrows(InfeasiblePlanException.class, () -> plan.apply(least - 1));
            assertEquals(least, refusal.minimumMemory());
            String said = "the least possible maxMem is " + ByteSize.of(least).roundedUp();
            assertTrue(ample.explain().contains("; " + said), ample.explain());
            String shown = ByteSize.of(least).roundedUp().toString().replaceFirst("\\.0+ ", " ");
            assertTrue(ample.toSvg().contains("the least possible maxMem is " + shown), ample.toSvg());
            assertTrue(ample.toHtml().contains("; " + said), ample.toHtml());
        }
    }

    /** A function that can throw an {@link IOException}. */
    private interface ThrowingFunction<T, R> {
        R apply(T value) throws IOException;
    }

    @Test
    void checksumsAreThoseOfStoredUnits() throws Exception {
        Data data = Data.of(spec(Shape.of(13, 9, 8), Shape.of(4, 4, 8)));
        MemoryStore source = memory();
        data.write(source, "a/b", unit -> unit != 3);
        MemoryStore target = memory();
        Path file = directory.resolve("sums.txt");
        Report report = Rechunker.from(source)
                .to(target)
                .chunks(4, 4, 8)
                .maxMem("1MB")
                .checksums(file)
                .execute();
        StringBuilder lines = new StringBuilder();
        long bytes = 0;
        try (ArrayReader reader = target.openReader("a/b")) {
            ChunkGrid grid = reader.spec().chunks();
            for (long ordinal = 0; ordinal < grid.count(); ordinal++) {
                Region chunk = grid.regionAt(ordinal);
                byte[] dense = new byte[(int) chunk.elements() * 4];
                if (Data.read(reader, chunk, dense)) {
                    CRC32C sum = new CRC32C();
                    sum.update(dense);
                    long[] i = grid.index(ordinal);
                    lines.append(
                            String.format("%08x %d a/b %d,%d,%d%n", sum.getValue(), dense.length, i[0], i[1], i[2]));
                    bytes += dense.length;
                }
            }
        }
        String expected = lines.toString().replace(System.lineSeparator(), "\n");
        assertEquals(expected, Files.readString(file));
        assertEquals(1, report.checksums().size());
        assertEquals("a/b", report.checksums().get(0).path());
        assertEquals(4 * 3 - 1, report.checksums().get(0).units());
        assertEquals(bytes, report.checksums().get(0).bytes());
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(expected.getBytes(StandardCharsets.UTF_8));
        assertEquals(HexFormat.of().formatHex(digest), report.checksums().get(0).sha256());
    }

    @Test
    void storeWithoutEncodedReadsIsRefusedForChecksums() throws IOException {
        MemoryStore source = memory();
        Data.of(spec(Shape.of(13, 9, 8), Shape.of(4, 4, 8))).write(source, "");
        MemoryStore target = MemoryStore.builder().encodedCopies(false).build();
        IOException refusal = assertThrows(
                IOException.class, () -> job(source, target).checksums().plan());
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("compare elements with verify()"), refusal.getMessage());
    }
}
