package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A view of indices and of values together, in every kind of job: compared with what arithmetic says of each number.
 */
class ViewJobsTest {
    private static final int T = 12;
    private static final int Y = 10;
    private static final int X = 14;

    /** Packed numbers: 100 t + 10 y + x, as halves above 1000; some are missing. */
    private static final int MISSING = -1;

    @TempDir
    Path directory;

    private static ArraySpec spec(int from, int to) {
        Shape shape = Shape.of(to - from, Y, X);
        return ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(Math.min(3, to - from), 4, X)), DataType.INT16)
                .dimensionNames(List.of("t", "y", "x"))
                .fillValue(FillValue.of(new byte[] {0, 2})) // 512
                .attributes(Map.of("scale_factor", 0.5, "add_offset", 1000.0, "_FillValue", (long) MISSING))
                .build();
    }

    private static int packed(int t, int y, int x) {
        return (t + y + x) % 11 == 0 ? MISSING : 100 * t + 10 * y + x;
    }

    /** {@return a store with the times from one to another, as array {@code a}} */
    private Path source(String name, int from, int to) throws IOException {
        Path path = directory.resolve(name);
        try (ChunkStore store = Zarr.create(path)) {
            ArraySpec spec = spec(from, to);
            Data.of(
                            spec,
                            (position, element) -> ByteBuffer.wrap(element)
                                    .order(spec.byteOrder())
                                    .putShort((short) packed(
                                            from + (int) position / (Y * X),
                                            (int) position / X % Y,
                                            (int) position % X)))
                    .write(store, "a");
            store.finish(true);
        }
        return path;
    }

    /** The view: every fourth time, some columns twice, rows from the last on, as {@code (x, y, t)}, unpacked. */
    private static Rechunker.Job view(Rechunker.Job job) {
        return job.select("t=1::4, x=[9,2,2,13]").flip("y").transpose("x, y, t").unpack("float32");
    }

    private static final int[] COLUMNS = {9, 2, 2, 13};
    private static final int TIMES = 3;

    /** {@return an element of the view} */
    private static float viewed(int x, int y, int t) {
        int packed = packed(1 + 4 * t, Y - 1 - y, COLUMNS[x]);
        return packed == MISSING ? Float.NaN : packed * 0.5f + 1000;
    }

    private static float[] floats(StoreLocation place) throws IOException {
        try (ArrayReader reader = place.store().openReader(place.path())) {
            assertEquals(DataType.FLOAT32, reader.spec().dataType());
            ByteBuffer bytes =
                    ByteBuffer.wrap(Data.readAll(reader)).order(reader.spec().byteOrder());
            float[] floats = new float[bytes.remaining() / 4];
            bytes.asFloatBuffer().get(floats);
            return floats;
        }
    }

    /** {@return the elements of a part of the view} */
    private static float[] part(int fromX, int toX, int fromY, int toY) {
        float[] part = new float[(toX - fromX) * (toY - fromY) * TIMES];
        int at = 0;
        for (int x = fromX; x < toX; x++) {
            for (int y = fromY; y < toY; y++) {
                for (int t = 0; t < TIMES; t++) {
                    part[at++] = viewed(x, y, t);
                }
            }
        }
        return part;
    }

    private float[] copied(String name, UnaryOperator<Rechunker.Job> more, StoreLocation from) throws Exception {
        Path path = directory.resolve(name);
        try (ChunkStore target = Zarr.create(path)) {
            more.apply(view(Rechunker.from(from).to(target).chunks(2, 3, 2).maxMem("1MB")))
                    .verify()
                    .execute();
        }
        return floats(Zarr.open(path).at(""));
    }

    @Test
    void joinedAndStackedSourcesAreViewedAsOne() throws Exception {
        Path first = source("1.zarr", 0, 5);
        Path second = source("2.zarr", 5, T);
        try (ChunkStore one = Zarr.open(first);
                ChunkStore other = Zarr.open(second)) {
            ChunkStore joined = Concat.along("t", one.at("a"), other.at("a"));
            assertArrayEquals(part(0, 4, 0, Y), copied("j.zarr", job -> job, joined.at("")));
        }
        Path same = source("3.zarr", 0, 5);
        try (ChunkStore one = Zarr.open(first);
                ChunkStore other = Zarr.open(same);
                ChunkStore target = Zarr.create(directory.resolve("s.zarr"))) {
            Rechunker.from(Concat.stack("run", one.at("a"), other.at("a")))
                    .to(target)
                    .chunks(1, 1, 4, Y)
                    .maxMem("1MB")
                    .select("run=1, t=4")
                    .flip("x")
                    .transpose("t, run, x, y")
                    .squeeze("t")
                    .newAxis("m=1")
                    .unpack("float32")
                    .verify()
                    .execute();
        }
        float[] stacked = floats(Zarr.open(directory.resolve("s.zarr")).at(""));
        for (int x = 0; x < X; x++) {
            for (int y = 0; y < Y; y++) {
                int packed = packed(4, y, X - 1 - x);
                assertEquals(packed == MISSING ? Float.NaN : packed * 0.5f + 1000, stacked[x * Y + y]);
            }
        }
    }

    @Test
    void regionsAndAppendsAreOfTheView() throws Exception {
        try (ChunkStore from = Zarr.open(source("in.zarr", 0, T))) {
            assertArrayEquals(part(1, 3, 2, 9), copied("r.zarr", job -> job.region("x=1:3, y=2:9, t=:"), from.at("a")));
            copied("a.zarr", job -> job.region("x=:, y=:4, t=:"), from.at("a"));
            try (ChunkStore target = Zarr.create(directory.resolve("a.zarr"))) {
                view(Rechunker.from(from.at("a")).into(target).append("y").maxMem("1MB"))
                        .region("x=:, y=4:, t=:")
                        .verify()
                        .execute();
            }
        }
        assertArrayEquals(
                part(0, 4, 0, Y), floats(Zarr.open(directory.resolve("a.zarr")).at("")));
    }

    /** Packed numbers are appended to those that are packed in the same way only. */
    @Test
    void otherwisePackedNumbersAreNotAppended() throws Exception {
        try (ChunkStore from = Zarr.open(source("in.zarr", 0, T));
                ChunkStore target = Zarr.create(directory.resolve("p.zarr"))) {
            UnaryOperator<Rechunker.Job> half = job -> job.unpack("float64").pack("int16");
            half.apply(Rechunker.from(from.at("a")).to(target).chunks(3, Y, X).maxMem("1MB"))
                    .select("t=:6")
                    .execute();
            Rechunker.Job more = half.apply(Rechunker.from(from.at("a"))
                            .into(target)
                            .append("t")
                            .maxMem("1MB"))
                    .select("t=6:");
            StoreException refused = assertThrows(StoreException.class, more::execute);
            assertTrue(String.valueOf(refused.getMessage()).contains("add_offset"), refused.toString());
        }
    }

    @Test
    void levelsAreThoseOfTheNumbers() throws Exception {
        Path whole = directory.resolve("whole.zarr");
        Path levels = directory.resolve("levels.ome.zarr");
        UnaryOperator<Rechunker.Job> order = job -> job.transpose("t, x, y").flip("x");
        Levels made = Levels.by("1,2,2").mean().count(2);
        try (ChunkStore from = Zarr.open(source("in.zarr", 0, T));
                ChunkStore plain = Zarr.create(whole);
                ChunkStore target = OmeZarr.create(levels)) {
            order.apply(Rechunker.from(from.at("a")).to(target).chunks(2, 5, 5).maxMem("1MB"))
                    .unpack("float32")
                    .levels(made)
                    .verify()
                    .execute();
            order.apply(Rechunker.from(from.at("a")).to(plain).chunks(2, 5, 5).maxMem("1MB"))
                    .unpack("float32")
                    .execute();
        }
        Path again = directory.resolve("again.ome.zarr");
        try (ChunkStore from = Zarr.open(whole);
                ChunkStore target = OmeZarr.create(again)) {
            Rechunker.from(from)
                    .to(target)
                    .chunks(2, 5, 5)
                    .maxMem("1MB")
                    .levels(made)
                    .execute();
        }
        for (String level : List.of("0", "1")) {
            assertArrayEquals(
                    floats(Zarr.open(again).at(level)), floats(Zarr.open(levels).at(level)));
        }
    }

    /**
     * Of an image with levels, a part of the first level is copied with new levels; the old ones have other lengths.
     */
    @Test
    void aPartOfAnImageHasNewLevels() throws Exception {
        Path image = directory.resolve("image.ome.zarr");
        Path part = directory.resolve("part.ome.zarr");
        Path again = directory.resolve("again.ome.zarr");
        Levels made = Levels.by("1,2,2").mean().count(2);
        UnaryOperator<Rechunker.Job> odd = job -> job.select("y=1::2, x=2:9");
        try (ChunkStore from = Zarr.open(source("in.zarr", 0, T));
                ChunkStore target = OmeZarr.create(image)) {
            Rechunker.from(from.at("a"))
                    .to(target)
                    .chunks("keep")
                    .maxMem("1MB")
                    .unpack("float32")
                    .levels(Levels.by("1,2,2").mean().count(3))
                    .execute();
        }
        try (ChunkStore from = Zarr.open(image);
                ChunkStore target = OmeZarr.create(part);
                ChunkStore other = OmeZarr.create(again)) {
            Rechunker.Job job =
                    odd.apply(Rechunker.from(from).to(target).chunks("keep").maxMem("1MB"));
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, job::plan);
            assertTrue(String.valueOf(refused.getMessage()).contains("ask for levels"), refused.toString());
            job.levels(made).verify().execute();
            odd.apply(Rechunker.from(from.at("0")).to(other).chunks("keep").maxMem("1MB"))
                    .execute();
        }
        float[] first = floats(Zarr.open(part).at("0"));
        assertArrayEquals(floats(Zarr.open(again).at("0")), first);
        assertEquals(T * 5 * 7, first.length);
        assertEquals(packed(0, 3, 2) * 0.5f + 1000, first[7]);
        assertEquals(T * 3 * 4, floats(Zarr.open(part).at("1")).length);
        assertEquals(List.of("0", "1"), Zarr.open(part).children(""));
    }

    /** A run that is resumed uses what it found: the largest number is not looked for again. */
    @Test
    void aRunIsResumedWithWhatItFound() throws Exception {
        Path in = source("in.zarr", 0, T);
        try (ChunkStore from = Zarr.open(source("b.zarr", 0, T));
                ChunkStore more = Zarr.create(in)) {
            Rechunker.from(from.at("a"))
                    .to(more.at("b"))
                    .chunks("keep")
                    .maxMem("1MB")
                    .execute();
        }
        Path whole = directory.resolve("whole.zarr");
        Path out = directory.resolve("out.zarr");
        try (ChunkStore from = Zarr.open(in);
                ChunkStore target = Zarr.create(whole);
                ChunkStore begun = Zarr.create(out)) {
            packed(from, target).execute();
            FaultyStore failing = new FaultyStore(begun).failOnce(Operation.WRITE, 20);
            assertThrows(IOException.class, packed(from, failing)::execute);
        }
        removeLast(in);
        try (ChunkStore from = Zarr.open(in);
                ChunkStore target = Zarr.create(out)) {
            Rechunker.Job again = packed(from, target).resume();
            RefusedException another = assertThrows(RefusedException.class, again.flip("x")::execute);
            assertTrue(String.valueOf(another.getMessage()).contains("differs"), another.toString());
            Report report = again.execute();
            assertTrue(report.tasksDoneBefore() > 0, report.toString());
        }
        for (String array : List.of("a", "b")) {
            try (ArrayReader expected = Zarr.open(whole).openReader(array);
                    ArrayReader found = Zarr.open(out).openReader(array)) {
                assertEquals(expected.spec().attributes(), found.spec().attributes());
                assertTrue(expected.spec().attributes().containsKey("scale_factor"));
                assertArrayEquals(firstTimes(Data.readAll(expected)), firstTimes(Data.readAll(found)));
            }
        }
    }

    private static Rechunker.Job packed(ChunkStore from, ChunkStore to) {
        return Rechunker.from(from)
                .to(to)
                .chunks("x=2, y=5, t=12")
                .maxMem("1MB")
                .transpose("x, y, t")
                .unpack("float32")
                .bitRound("auto")
                .pack("int16")
                .threads(1)
                .retries(0);
    }

    /** {@return of packed elements, times before those that {@link #removeLast} removes} */
    private static byte[] firstTimes(byte[] elements) {
        byte[] first = new byte[elements.length / T * 9];
        for (int row = 0; row < X * Y; row++) {
            System.arraycopy(elements, row * T * 2, first, row * 9 * 2, 9 * 2);
        }
        return first;
    }

    /** Removes the chunks with the last times, which have the largest number. */
    private static void removeLast(Path in) throws IOException {
        for (String array : List.of("a", "b")) {
            Path chunks = in.resolve(array).resolve("c/3");
            for (String file : FileTrees.files(chunks).keySet()) {
                Files.delete(chunks.resolve(file));
            }
        }
    }
}
