package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.Lookup3;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.hdf5.format.OpaqueTag;
import dev.rechunker.io.hdf5.read.HeaderMessages;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.io.netcdf.UsualTypes;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.Data;
import io.jhdf.HdfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests when a file is published, which files are replaced, and what is refused. */
class Hdf5TargetTest {
    @TempDir
    Path directory;

    private Path file;
    private Path part;
    private ChunkStore store;

    /** Prints whether another process may write to a file. Argument: the file. */
    public static void main(String[] args) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
            System.out.println("free=" + (channel.tryLock() != null));
        }
    }

    @BeforeEach
    void create() {
        file = directory.resolve("sub/x.h5");
        part = directory.resolve("sub/x.h5.part");
        store = Hdf5.create(file);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        assertFalse(Files.exists(part));
    }

    private static ArraySpec.Builder spec(long[] shape, long[] chunk, DataType type) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunk)), type);
    }

    private static ArraySpec simple() {
        return spec(new long[] {11, 10}, new long[] {4, 3}, DataType.INT32).build();
    }

    private static void assertRefused(String message, Executable call) {
        StoreException e = assertThrows(StoreException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(message), e.toString());
    }

    private void assertHintRefused(DataType type, String hint, String value) {
        assertRefused(
                hint,
                () -> store.resolve(spec(new long[] {4}, new long[] {2}, type)
                        .hints(Map.of(hint, value))
                        .build()));
    }

    /** A source whose stored chunk is larger than any that this one could encode would not fit into its memory. */
    @Test
    void encodedChunksOfImpossibleSizesAreRefused() throws IOException {
        ArraySpec spec = spec(new long[] {8}, new long[] {4}, DataType.INT32)
                .codecs(List.of(CodecSpec.of("zlib")))
                .build();
        try (ArrayWriter writer = store.create("a", spec, false)) {
            ArrayWriter.EncodedTarget target = writer.encoded().orElseThrow();
            Scratch scratch = Scratch.allocate(
                    (int) writer.traits().encoded().orElseThrow().scratchBytes());
            for (long size : new long[] {0, -1, 1 << 20, 1L << 40}) {
                assertRefused(
                        "an encoded chunk has " + size + " bytes, but must have 1 to ",
                        () -> target.writeEncoded(Region.of(new long[1], Shape.of(4)), new Zeros(size), scratch));
            }
        }
    }

    /** An encoded chunk of zeros. */
    private record Zeros(long size) implements EncodedUnit {
        @Override
        public void read(long offset, ByteBuffer target) {
            target.position(target.limit());
        }

        @Override
        public void close() {}
    }

    /** The last key of a node is that of the next one, or after all chunks: other programs search by it. */
    @Test
    void lastKeysOfIndexNodesAreThoseThatFollow() throws IOException {
        int chunks = 64 * 65 + 3;
        Data.of(spec(new long[] {2L * chunks - 1}, new long[] {2}, DataType.INT8)
                        .build())
                .write(store, "a");
        store.finish(false);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int keyBytes = 8 + 2 * 8;
        Map<Integer, List<Long>> ends = new TreeMap<>();
        for (int at = 0; at < bytes.limit() - 24; at++) {
            boolean isNode = bytes.getInt(at) == 0x45455254 && bytes.get(at + 4) == 1;
            if (!isNode) {
                continue;
            }
            int count = bytes.getShort(at + 6);
            long end = bytes.getLong(at + 24 + count * (keyBytes + 8) + 8);
            long next = bytes.getLong(at + 16);
            long expected = next == -1 ? 2L * chunks : bytes.getLong((int) next + 24 + 8);
            assertEquals(expected, end, "end of the node at " + at);
            ends.computeIfAbsent((int) bytes.get(at + 5), level -> new ArrayList<>())
                    .add(end);
        }
        assertEquals(List.of(66, 2, 1), ends.values().stream().map(List::size).toList());
    }

    // ---- publication ---------------------------------------------------------------------------------------

    @Test
    void fileExistsWhenItIsFinished() throws IOException {
        assertFalse(Files.exists(file.getParent()));
        Data.of(simple()).write(store, "a");
        assertTrue(Files.exists(part));
        assertFalse(Files.exists(file));
        byte[] start = Arrays.copyOf(Files.readAllBytes(part), Superblock.SIZE);
        assertArrayEquals(new byte[Superblock.SIZE], start, "there is a superblock before the file is finished");
        store.finish(false);
        assertFalse(Files.exists(part));
        assertTrue(Hdf5.isIn(file));
        Data.of(simple()).check(store, "a");
        store.finish(false);
    }

    @Test
    void fileIsDeletedWithoutFinish() throws IOException {
        Data.of(simple()).write(store, "a");
        store.close();
        assertEquals(List.of(), list());
        assertTrue(store.node("").isEmpty());
        assertThrows(StoreException.class, () -> store.openReader("a"));
    }

    /** The group of named types of n5-hdf5 is not listed, but another object with its name is. */
    @Test
    void arrayMayHaveTheNameOfTheGroupOfTypes() throws IOException {
        Data.of(simple()).write(store, "__DATA_TYPES__");
        store.finish(false);
        assertEquals(List.of("__DATA_TYPES__"), store.children(""));
        Data.of(simple()).check(store, "__DATA_TYPES__");
    }

    private List<Path> list() throws IOException {
        try (var files = Files.list(file.getParent())) {
            return files.toList();
        }
    }

    @Test
    void fileOfAKilledRunIsDeleted() throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(part, new byte[100_000]);
        Data.of(simple()).write(store, "a");
        store.finish(false);
        assertTrue(Files.size(file) < 10_000);
    }

    @Test
    void fileOfAnotherRunIsNotChanged() throws Exception {
        Data.of(simple()).write(store, "a");
        ChunkStore other = Hdf5.create(file);
        assertRefused("being written", () -> Data.of(simple()).write(other, "b"));
        ChildJvm.Outcome process = ChildJvm.run(
                ChildJvm.of(List.of(), Hdf5TargetTest.class, part.toString()),
                directory.resolve("said"),
                Duration.ofMinutes(1));
        assertEquals("false", process.value("free"), "the refused run released the lock of the first");
        Data.of(simple()).check(store, "a");
        store.finish(false);
    }

    @Test
    void nothingIsAddedToAFinishedFile() throws IOException {
        Data.of(simple()).write(store, "a");
        store.finish(false);
        byte[] finished = Files.readAllBytes(file);
        for (ChunkStore again : List.of(store, Hdf5.create(file))) {
            assertTrue(again.node("").orElseThrow() instanceof GroupNode);
            assertRefused("exists", () -> again.create("b", again.resolve(simple()), false));
            assertRefused("exists", () -> again.create("a", again.resolve(simple()), false));
            assertRefused("exists", () -> again.writeGroup("", Map.of()));
        }
        assertRefused("exists", () -> store.create("b", store.resolve(simple()), true));
        assertRefused("exists", () -> Hdf5.create(file).node("a"));
        assertRefused("exists", () -> Hdf5.create(file).children(""));
        assertRefused("exists", () -> Hdf5.create(file).openReader("a"));
        assertArrayEquals(finished, Files.readAllBytes(file));
    }

    @Test
    void overwritingReplacesTheFileWhenTheNewOneIsFinished() throws IOException {
        Data.of(simple()).write(store, "old");
        store.finish(false);
        store.close();
        byte[] old = Files.readAllBytes(file);
        try (ChunkStore again = Hdf5.create(file)) {
            again.create("new", again.resolve(simple()), true).close();
            assertArrayEquals(old, Files.readAllBytes(file));
        }
        assertArrayEquals(old, Files.readAllBytes(file));
        try (ChunkStore again = Hdf5.create(file)) {
            try (ArrayWriter writer = again.create("new", again.resolve(simple()), true)) {
                writer.commit();
            }
            again.finish(false);
            assertEquals(List.of("new"), again.children(""));
        }
        assertFalse(Arrays.equals(old, Files.readAllBytes(file)));
    }

    @Test
    void groupWithoutAnArrayReplacesTheFile() throws Exception {
        Data.of(simple()).write(store, "old");
        store.finish(false);
        store.close();
        MemoryStore source = new MemoryStore();
        source.writeGroup("", Map.of("title", "new"));
        try (ChunkStore again = Hdf5.create(file)) {
            Rechunker.Job job = Rechunker.from(source).to(again).chunks("keep").maxMem("1MB");
            assertThrows(StoreException.class, job::execute);
            job.overwrite().execute();
            assertEquals(List.of(), again.children(""));
            assertEquals(Map.of("title", "new"), ((GroupNode) again.node("").orElseThrow()).attributes());
        }
    }

    @Test
    void otherFilesAreNotChanged() throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "precious");
        ArraySpec spec = store.resolve(simple());
        assertRefused("no HDF5 file", () -> store.node(""));
        assertRefused("no HDF5 file", () -> store.create("a", spec, true));
        assertEquals("precious", Files.readString(file));
        Files.delete(file);
        Files.createDirectory(file);
        assertRefused("a directory", () -> store.create("a", spec, true));
    }

    @Test
    void fileThatIsCreatedMeanwhileIsNotReplaced() throws IOException {
        Data.of(simple()).write(store, "a");
        Files.writeString(file, "precious");
        assertRefused("meanwhile", () -> store.finish(false));
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void interruptedWriterDoesNotAffectOthers() throws Exception {
        ArraySpec spec = store.resolve(simple());
        Data data = Data.of(spec);
        try (ArrayWriter writer = store.create("a", spec, false)) {
            data.writeUnit(writer, 0);
            Thread interrupted = new Thread(() -> {
                Thread.currentThread().interrupt();
                assertThrows(IOException.class, () -> data.writeUnit(writer, 1));
            });
            interrupted.start();
            interrupted.join();
            for (int unit = 1; unit < spec.writeUnits().count(); unit++) {
                data.writeUnit(writer, unit);
            }
            writer.commit();
        }
        data.check(store, "a");
        store.finish(false);
    }

    @Test
    void writerOfAFinishedFileRefuses() throws IOException {
        ArraySpec spec = store.resolve(simple());
        Data data = Data.of(spec);
        data.write(store, "b");
        try (ArrayWriter writer = store.create("a", spec, false)) {
            data.writeUnit(writer, 0);
            store.finish(false);
            assertThrows(IllegalStateException.class, () -> data.writeUnit(writer, 1));
        }
        assertEquals(List.of("b"), store.children(""));
    }

    // ---- the hierarchy -------------------------------------------------------------------------------------------

    @Test
    void rootCannotBeAnArray() {
        assertRefused("at(\"data\")", () -> store.create("", store.resolve(simple()), false));
        assertFalse(Files.exists(file.getParent()));
    }

    @Test
    void invalidNamesAreRefused() {
        for (String name : List.of("a\0b", "a/\ud83d", "n".repeat(5000))) {
            assertRefused("name", () -> store.writeGroup(name, Map.of()));
            assertRefused("name", () -> store.create(name, store.resolve(simple()), false));
        }
    }

    @Test
    void manyArraysCanBeWrittenAtOnce() throws IOException {
        ArraySpec spec = store.resolve(simple());
        List<ArrayWriter> writers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writers.add(store.create("a/" + i, spec, false));
        }
        for (int unit = 0; unit < spec.writeUnits().count(); unit++) {
            for (int i = 0; i < writers.size(); i++) {
                Data.of(spec, i).writeUnit(writers.get(i), unit);
            }
        }
        for (ArrayWriter writer : writers) {
            writer.commit();
            writer.close();
        }
        store.finish(false);
        for (int i = 0; i < writers.size(); i++) {
            Data.of(spec, i).check(store, "a/" + i);
        }
    }

    // ---- space ---------------------------------------------------------------------------------------------------

    @Test
    void eightThreadsAppendChunksWithoutGaps() throws Exception {
        ArraySpec spec = store.resolve(spec(new long[] {400, 300}, new long[] {3, 2}, DataType.INT64)
                .codecs(CodecSpec.parse("shuffle+gzip:level=1"))
                .build());
        Data data = Data.of(spec);
        try (ArrayWriter writer = store.create("a", spec, false)) {
            List<Integer> units = new ArrayList<>();
            for (int unit = 0; unit < spec.writeUnits().count(); unit++) {
                units.add(unit);
            }
            Collections.shuffle(units, new java.util.Random(1));
            ExecutorService threads = Executors.newFixedThreadPool(8);
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                List<Integer> mine = units.subList(units.size() * thread / 8, units.size() * (thread + 1) / 8);
                done.add(threads.submit(() -> {
                    Scratch scratch = Data.scratch(writer.traits().scratchBytes());
                    for (int unit : mine) {
                        var region = spec.writeUnits().regionAt(unit);
                        writer.write(region, data.unit(region, true), scratch);
                    }
                    return null;
                }));
            }
            for (Future<?> thread : done) {
                thread.get();
            }
            threads.shutdown();
            writer.commit();
            assertEquals(units.size(), 20_100);
        }
        store.finish(false);
        data.check(store, "a");
    }

    @Test
    void chunkThatIsWrittenAgainTakesNoMoreSpace() throws IOException {
        ArraySpec spec = store.resolve(
                spec(new long[] {64, 64}, new long[] {8, 8}, DataType.INT64).build());
        Data data = Data.of(spec);
        try (ArrayWriter writer = store.create("a", spec, false)) {
            for (int i = 0; i < 5 * 64; i++) {
                data.writeUnit(writer, i % 64);
            }
            writer.commit();
        }
        store.finish(false);
        assertTrue(Files.size(file) < 2 * spec.bytes(), Files.size(file) + " bytes");
    }

    @Test
    void repeatedRunTakesNoMoreSpace() throws Exception {
        MemoryStore source = new MemoryStore();
        ArraySpec spec = spec(new long[] {100, 100}, new long[] {100, 3}, DataType.INT64)
                .attributes(Map.of("units", "m"))
                .build();
        source.put("x", spec, Data.of(spec).elements());
        Plan plan =
                Rechunker.from(source).to(store).chunks(7, 100).maxMem("1MB").plan();
        assertFalse(Files.exists(file.getParent()));
        plan.execute();
        long once = Files.size(file);
        plan.execute();
        assertEquals(once, Files.size(file));
        Data written = Data.of(((ArrayNode) store.node("x").orElseThrow()).spec());
        written.check(store, "x");
    }

    @Test
    void contiguousArraysAreWrittenByRegions() {
        Cases.check(60, random -> {
            ArraySpec wanted = random.spec(random.regularGrid(random.shape()), DataType.INT32).toBuilder()
                    .shards(null)
                    .hints(Map.of("format", "hdf5-contiguous"))
                    .build();
            String path = "a" + random.seed();
            ArraySpec spec = store.resolve(wanted);
            Data data = Data.of(spec, random.seed());
            boolean any = spec.writeUnits().count() > 0;
            try (ArrayWriter writer = store.create(path, spec, false)) {
                for (long unit = spec.writeUnits().count() - 1; unit >= 0; unit -= 2) {
                    data.writeUnit(writer, unit);
                }
                writer.commit();
            }
            long last = spec.writeUnits().count() - 1;
            try (ArrayReader reader = store.openReader(path)) {
                byte[] expected = data.elements(Region.whole(spec.shape()), unit -> any && (last - unit) % 2 == 0);
                data.assertSame(Region.whole(spec.shape()), expected, Data.readAll(reader));
            }
        });
    }

    // ---- refusals ------------------------------------------------------------------------------------------------

    @Test
    void unsupportedArraysAreRefusedByName() {
        ChunkGrid irregular = ChunkGrid.of(List.of(Partition.ofSizes(1, 5, 2)));
        assertRefused(
                "irregular",
                () -> store.resolve(ArraySpec.builder(irregular, DataType.INT8).build()));
        assertRefused(
                "shards",
                () -> store.resolve(
                        simple().toBuilder().shards(simple().chunks()).build()));
        assertRefused(
                "unicode3",
                () -> store.resolve(spec(new long[] {4}, new long[] {2}, DataType.unicode(3))
                        .build()));
        assertRefused(
                "record",
                () -> store.resolve(spec(new long[] {4}, new long[] {2}, DataType.opaque(3, "{...}"))
                        .build()));
        for (String fields : List.of(
                "[[\"a\",\"<U1\"]]",
                "[[\"a\",\"<i3\"]]",
                "[[\"a\",\"<M8[x]\"]]",
                "[[\"a\",\"<M4\"]]",
                "[[\"\",\"|V4\"]]",
                "[[\"a\",\"<i2\",[0,2]]]",
                "[\"a\"]",
                "[]",
                "{\"a\":1}",
                "[[\"a\",\"<i2\"]]")) {
            DataType four = DataType.opaque(4, fields); // the fields take 2 bytes
            assertRefused(
                    "record",
                    () -> store.resolve(
                            spec(new long[] {4}, new long[] {2}, four).build()));
        }
        assertHintRefused(DataType.bytes(3), StringForm.HINT, "padded");
        assertHintRefused(DataType.opaque(3, ""), OpaqueTag.HINT, "\0");
        assertHintRefused(DataType.INT16, ArraySpec.NAMES_HINT, "{\"a\":\"b\"}");
        assertRefused(
                "smaller than 2 GiB",
                () -> store.resolve(spec(new long[] {1L << 40}, new long[] {1L << 31}, DataType.INT8)
                        .build()));
        assertRefused(
                "4 GiB",
                () -> store.resolve(spec(new long[] {0}, new long[] {1L << 32}, DataType.INT8)
                        .build()));
        assertRefused(
                "use larger chunks",
                () -> store.resolve(spec(new long[] {1L << 32}, new long[] {1}, DataType.INT8)
                        .build()));
        assertRefused(
                "2^63",
                () -> store.resolve(spec(new long[] {1L << 40, 1L << 40}, new long[] {1, 1}, DataType.INT8)
                        .build()));
        long[] ones = new long[33];
        Arrays.fill(ones, 1);
        assertRefused(
                "33 axes", () -> store.resolve(spec(ones, ones, DataType.INT8).build()));
        assertRefused(
                "zarr3",
                () -> store.resolve(
                        simple().toBuilder().hints(Map.of("format", "zarr3")).build()));
        assertRefused(
                "hdf5.layout",
                () -> store.resolve(simple().toBuilder()
                        .hints(Map.of("hdf5.layout", "compact"))
                        .build()));
        assertRefused(
                "hdf5.maxshape",
                () -> store.resolve(simple().toBuilder()
                        .hints(Map.of("hdf5.maxshape", "20,x"))
                        .build()));
        assertRefused(
                "hdf5.maxshape",
                () -> store.resolve(simple().toBuilder()
                        .hints(Map.of("hdf5.maxshape", "20"))
                        .build()));
        assertRefused(
                "contiguous",
                () -> store.resolve(simple().toBuilder()
                        .codecs(CodecSpec.parse("gzip"))
                        .hints(Map.of("format", "hdf5-contiguous"))
                        .build()));
    }

    @Test
    void unsupportedCodecsAreRefusedByName() throws StoreException {
        for (String codec : List.of("blosc", "zstd", "lz4", "transpose", "delta", "scaleoffset", "szip", "lzf")) {
            assertRefused("\"" + codec + "\"", () -> store.resolve(withCodecs(codec)));
        }
        for (String codecs : List.of("gzip+shuffle", "gzip+gzip", "gzip+zlib", "fletcher32+gzip", "shuffle+shuffle")) {
            assertRefused("in this order", () -> store.resolve(withCodecs(codecs)));
        }
        assertRefused("level", () -> store.resolve(withCodecs("gzip:level=10")));
        assertRefused("elementsize", () -> store.resolve(withCodecs("shuffle:elementsize=8")));
        assertRefused("strategy", () -> store.resolve(withCodecs("gzip:strategy=1")));
        assertEquals(
                CodecSpec.parse("shuffle:elementsize=4+gzip:level=4+fletcher32"),
                store.resolve(withCodecs("shuffle+zlib+fletcher32")).codecs());
    }

    private static ArraySpec withCodecs(String codecs) {
        return simple().toBuilder().codecs(CodecSpec.parse(codecs)).build();
    }

    @Test
    void foreignCodecsAreReplaced() throws StoreException {
        Map<String, String> expected = Map.of(
                "none", "none",
                "blosc:cname=lz4,clevel=5", "shuffle:elementsize=4+gzip:level=4",
                "delta+zstd:level=3", "shuffle:elementsize=4+gzip:level=4",
                "transpose+gzip:level=9", "gzip:level=9",
                "transpose+crc32c", "none",
                "shuffle:elementsize=4+zlib:level=2", "shuffle:elementsize=4+gzip:level=2",
                "gzip:level=5+crc32c", "gzip:level=5",
                "scaleoffset+gzip:level=6", "shuffle:elementsize=4+gzip:level=4",
                "shuffle+gzip:level=7+fletcher32", "shuffle:elementsize=4+gzip:level=7+fletcher32");
        for (Map.Entry<String, String> codecs : expected.entrySet()) {
            ArraySpec foreign = withCodecs(codecs.getKey()).toBuilder()
                    .shards(ChunkGrid.regular(Shape.of(11, 10), Shape.of(8, 6)))
                    .fillValue(FillValue.zero(Integer.BYTES))
                    .hints(Map.of("zarr.format", "3"))
                    .build();
            ArraySpec adopted = store.resolve(store.rules().adopt(foreign));
            assertEquals(CodecSpec.parse(codecs.getValue()), adopted.codecs(), codecs.getKey());
            assertTrue(adopted.shards().isEmpty());
            assertEquals(Map.of(), adopted.hints());
        }
    }

    @Test
    void scalarsHaveNoCodecs() throws StoreException {
        ArraySpec scalar = spec(new long[0], new long[0], DataType.INT16)
                .codecs(CodecSpec.parse("shuffle+gzip"))
                .build();
        assertEquals(List.of(), store.resolve(scalar).codecs());
    }

    @Test
    void attributesThatCannotBeStoredAreRefusedByName() throws IOException {
        String name = "long".repeat(20_000);
        ArraySpec spec = simple().toBuilder().attributes(Map.of(name, 1L)).build();
        assertRefused("whose name has 80000 bytes", () -> store.resolve(spec));
        assertRefused("whose name has 80000 bytes", () -> store.writeGroup("a", Map.of(name, 1L)));
        assertRefused("N5_JSON_ROOT", () -> store.writeGroup("a", Map.of("N5_JSON_ROOT", "x", "x", Map.of())));
        assertRefused(
                "name cannot be stored",
                () -> store.resolve(
                        simple().toBuilder().dimensionNames(List.of("y\0", "x")).build()));
        assertRefused("java.lang.Object", () -> store.writeGroup("a", Map.of("thing", new Object())));
        assertTrue(store.node("").isEmpty());
        List<Double> numbers = Collections.nCopies(8200, 0.5);
        ArraySpec large =
                simple().toBuilder().attributes(Map.of("long list", numbers)).build();
        assertEquals(large.attributes(), store.resolve(large).attributes());
        store.writeGroup("a", Map.of("long text", "x".repeat(100_000), "list", numbers));
    }

    @Test
    void integersAmongFloatsAreFloatsIfThatIsExact() throws IOException {
        long most = 1L << 53;
        assertTrue(UsualTypes.of(List.of(most, -most, 0.5)).isPresent());
        for (long inexact : new long[] {most + 1, -most - 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertTrue(UsualTypes.of(List.of(inexact, 0.5)).isEmpty(), () -> "" + inexact);
        }
    }

    @Test
    void arraysOfOneChunkWithoutCodecsAreContiguous() throws StoreException {
        Map<String, String> contiguous = Map.of("hdf5.layout", "contiguous");
        ArraySpec whole = spec(new long[] {4, 5}, new long[] {4, 6}, DataType.INT8)
                .fillValue(FillValue.zero(1))
                .hints(contiguous)
                .build();
        assertEquals(contiguous, store.resolve(whole).hints());
        ArraySpec.Builder withCodecs = whole.toBuilder().codecs(CodecSpec.parse("gzip"));
        assertEquals(
                Map.of("hdf5.maxshape", "4,6"),
                store.resolve(withCodecs.build()).hints());
        ArraySpec filled =
                simple().toBuilder().fillValue(FillValue.zero(Integer.BYTES)).build();
        ArraySpec cut = filled.toBuilder().hints(contiguous).build();
        assertEquals(Map.of(), store.resolve(cut).hints());
        ArraySpec regions =
                filled.toBuilder().hints(Map.of("format", "hdf5-contiguous")).build();
        assertEquals(Map.of("hdf5.layout", "regions"), store.resolve(regions).hints());
    }

    /**
     * A fill value that is not stated is zero; so is an undefined one, because unwritten elements must read as zero.
     */
    @Test
    void zeroIsNotStatedIfTheSourceDoesNotStateIt() throws StoreException {
        FillValue zero = FillValue.zero(Integer.BYTES);
        Map<String, String> isDefault = Map.of("hdf5.fill", "default");
        ArraySpec undefined = store.resolve(simple());
        assertEquals(zero, undefined.fillValue());
        assertEquals(isDefault, undefined.hints());
        assertEquals(undefined, store.resolve(undefined));
        ArraySpec stated = simple().toBuilder().fillValue(zero).build();
        assertEquals(Map.of(), store.resolve(stated).hints());
        ArraySpec one = simple().toBuilder()
                .fillValue(FillValue.of((byte) 1, (byte) 0, (byte) 0, (byte) 0))
                .hints(isDefault)
                .build();
        assertEquals(Map.of(), store.resolve(one).hints());
    }

    /** netCDF-C crashes at a stated fill value of texts of 2, 3 and 4 bytes. */
    @Test
    void zeroOfTextOfFixedLengthIsNotStated() throws IOException {
        DataType text = DataType.bytes(4);
        ArraySpec wanted = spec(new long[] {2}, new long[] {2}, text)
                .fillValue(FillValue.zero(4))
                .build();
        ArraySpec resolved = store.resolve(wanted);
        assertEquals(Map.of("hdf5.fill", "default"), resolved.hints());
        assertEquals(FillValue.zero(4), resolved.fillValue());
        assertEquals(resolved, store.resolve(resolved));
        FillValue spaces = FillValue.of((byte) ' ', (byte) ' ', (byte) ' ', (byte) ' ');
        ArraySpec stated = store.resolve(wanted.toBuilder().fillValue(spaces).build());
        assertEquals(Map.of(), stated.hints());
        assertEquals(spaces, stated.fillValue());
    }

    // ---- memory and bytes ----------------------------------------------------------------------------------------

    @Test
    void traitsDeclareMemory() throws StoreException {
        ArraySpec spec = spec(new long[] {1000, 1000}, new long[] {1, 1}, DataType.INT8)
                .codecs(CodecSpec.parse("gzip"))
                .build();
        long held = store.writeTraits(store.resolve(spec)).heldBytes();
        assertTrue(held >= 12_000_000 && held < 13_000_000, held + " bytes");
        assertTrue(store.writeTraits(store.resolve(spec)).nativeBytes() > 256 << 10);
        ArraySpec raw = spec(new long[] {1000, 1000}, new long[] {100, 100}, DataType.INT64)
                .fillValue(FillValue.zero(8))
                .build();
        assertTrue(
                store.writeTraits(store.resolve(raw)).scratchBytes() < 100_000, "raw chunks are written as they are");
    }

    @Test
    void checksumsAreThoseOfPublishedExamples() {
        byte[] text = "Four score and seven years ago".getBytes(StandardCharsets.US_ASCII);
        assertEquals(0x17770551, Lookup3.of(ByteBuffer.wrap(text)));
        assertEquals(0xdeadbeef, Lookup3.of(ByteBuffer.allocate(0)));
    }

    @Test
    void fileWithAUserBlockIsRecognised() throws IOException {
        Data.of(simple()).write(store, "a");
        store.finish(false);
        Path withUserBlock = directory.resolve("user-block.h5");
        try (FileChannel channel =
                FileChannel.open(withUserBlock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(Files.readAllBytes(file)), 1024);
        }
        assertTrue(Hdf5.isIn(withUserBlock));
    }

    @Test
    void elementsCanBeLargerThanMessages() throws IOException {
        DataType large = DataType.bytes(70_000);
        ArraySpec spec = spec(new long[] {5}, new long[] {2}, large)
                .fillValue(FillValue.zero(large.itemSize()))
                .build();
        Data data = Data.of(spec, 3);
        data.write(store, "large", unit -> unit != 1);
        store.finish(false);
        try (ChunkStore written = Hdf5.open(file);
                ArrayReader reader = written.openReader("large")) {
            data.check(reader, unit -> unit != 1);
            assertEquals(spec.fillValue(), reader.spec().fillValue());
        }
        byte[] ones = new byte[large.itemSize()];
        Arrays.fill(ones, (byte) 1);
        assertRefused(
                "fill value has 70000 bytes",
                () -> store.resolve(
                        spec.toBuilder().fillValue(FillValue.of(ones)).build()));
        String fields = "[" + "[\"a field with a name of some length\",\"|u1\"],".repeat(1_999) + "[\"last\",\"|u1\"]]";
        assertRefused(
                "datatype of",
                () -> store.resolve(spec(new long[] {5}, new long[] {2}, DataType.opaque(2_000, fields))
                        .build()));
    }

    @Test
    void groupAttributesAreRefusedBeforeAnythingIsWritten() throws Exception {
        for (Map<String, Object> attributes : List.of(
                Map.<String, Object>of("long".repeat(20_000), 1L),
                Map.<String, Object>of("N5_JSON_ROOT", "x", "o", Map.of()))) {
            MemoryStore source = new MemoryStore();
            source.writeGroup("g", attributes);
            Data.of(ManifestFile.cube(DataType.INT16).build()).write(source, "v");
            Rechunker.Job job = Rechunker.from(source).to(store).chunks("keep").maxMem("4MB");
            assertThrows(StoreException.class, job::plan);
            assertFalse(Files.exists(part));
        }
    }

    @Test
    void fileIsNotReplacedByACopyOfAPartOfItself() throws Exception {
        Data.of(ManifestFile.cube(DataType.INT16).build()).write(store, "q");
        Data.of(ManifestFile.cube(DataType.INT16).build()).write(store, "other");
        store.finish(false);
        store.close();
        byte[] before = Files.readAllBytes(file);
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore target = Hdf5.create(file)) {
            Rechunker.Job job = Rechunker.from(source.at("q"))
                    .to(target.at("data"))
                    .chunks("keep")
                    .maxMem("4MB")
                    .overwrite();
            StoreException e = assertThrows(StoreException.class, job::plan);
            assertTrue(String.valueOf(e.getMessage()).contains("the same place"), e::getMessage);
        }
        assertArrayEquals(before, Files.readAllBytes(file));
    }

    /** NetCDF refuses a file in which the fill value has another type. */
    @Test
    void fillValueOfNetcdfHasTheTypeOfTheElements() throws Exception {
        Map<DataType, Class<?>> types = Map.of(
                DataType.INT8, byte.class,
                DataType.INT16, short.class,
                DataType.UINT16, int.class,
                DataType.INT32, int.class,
                DataType.FLOAT32, float.class,
                DataType.FLOAT64, double.class);
        for (DataType type : types.keySet()) {
            Data.of(ManifestFile.cube(type)
                            .attributes(Map.of("_FillValue", 99L))
                            .build())
                    .write(store, type.toString());
        }
        store.finish(false);
        store.close();
        try (HdfFile made = new HdfFile(file)) {
            for (Map.Entry<DataType, Class<?>> type : types.entrySet()) {
                assertEquals(
                        type.getValue(),
                        made.getDatasetByPath(type.getKey().toString())
                                .getAttribute("_FillValue")
                                .getJavaType());
            }
        }
    }

    /** Without an attribute info message, the HDF5 library copies no attributes. */
    @Test
    void objectsWithAttributesHaveAnAttributeInfoMessage() throws IOException {
        Data.of(simple().toBuilder().attributes(Map.of("units", "m")).build()).write(store, "array");
        Data.of(simple()).write(store, "none");
        store.writeGroup("group", Map.of("title", "a group"));
        store.finish(false);
        for (String path : List.of("", "array", "none", "group")) {
            HeaderMessages messages = HeaderMessages.of(file, path);
            assertEquals(messages.hasAttribute(), messages.hasAttributeInfo(), "of " + path);
            assertEquals(List.of("array", "group").contains(path), messages.hasAttribute(), path);
        }
    }
}
