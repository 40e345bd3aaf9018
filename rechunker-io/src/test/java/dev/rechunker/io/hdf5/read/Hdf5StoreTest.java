package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.hdf5.format.FieldHints;
import dev.rechunker.io.hdf5.write.DatatypeBytes;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reading of small and large files, by one and many threads, and refusals. */
class Hdf5StoreTest {
    @TempDir
    Path temporary;

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static byte[] read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small_earliest.h5", "small_latest.h5"})
    void readsSmallFiles(String name) throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy(name, temporary))) {
            assertEquals(List.of("arrays", "away", "many", "others", "soft"), store.children(""));
            assertEquals(19, store.children("arrays").size());
            for (String child : store.children("arrays")) {
                assertArrayEquals(SmallFiles.ELEMENTS, read(store, "arrays/" + child), child);
            }
            assertArrayEquals(SmallFiles.ELEMENTS, read(store, "soft"));
            assertEquals(
                    FillValue.of((byte) 3, (byte) 0),
                    spec(store, "others/filled").fillValue());
            ArraySpec described = spec(store, "others/described");
            assertEquals("text 7", described.attributes().get("a7"));
            assertEquals(
                    List.of(List.of(0L, 1L, 2L), List.of(3L, 4L, 5L)),
                    described.attributes().get("numbers"));
            assertEquals(13, described.attributes().size());
            assertEquals(Arrays.asList(null, "scale"), described.dimensionNames());
            assertEquals("bool", spec(store, "others/flags").dataType().name());
            assertEquals("{\"A\":1,\"B\":2}", spec(store, "others/enum").hints().get("names"));
            assertThrows(StoreException.class, () -> store.node("others/up"));
            assertThrows(StoreException.class, () -> store.node("away"));
            assertTrue(store.node("not/there").isEmpty());
            assertTrue(store.node("arrays/gzip/below").isEmpty());
            assertThrows(StoreException.class, () -> store.openReader("arrays"));
            assertThrows(UnsupportedOperationException.class, () -> store.resolve(described));
            assertFalse(store.capabilities().writable());
        }
    }

    @Test
    void singleChunkThatWasNeverWrittenIsReadAsTheFillValue() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_unwritten.h5", temporary))) {
            for (String name : List.of("gzip", "lzf", "shuffle", "fletcher32", "plain")) {
                byte[] sevens = new byte[40];
                for (int i = 0; i < sevens.length; i += 2) {
                    sevens[i] = 7;
                }
                assertArrayEquals(sevens, read(store, name), name);
            }
        }
    }

    /** NetCDF stores only the numbers of these axes, because such a variable is the scale of its first axis. */
    @Test
    void variableWithTheNameOfItsFirstAxisHasNamesOfAllAxes() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_coordinates.nc", temporary))) {
            assertEquals(List.of("station", "len"), spec(store, "station").dimensionNames());
            assertEquals(List.of("station"), spec(store, "v").dimensionNames());
            assertEquals(List.of("y", "station"), spec(store, "inner/y").dimensionNames());
        }
    }

    /** xarray does not open the group without these members. */
    @Test
    void copyOfANetcdfScalarHasEmptyDimensionNamesInZarr() throws Exception {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_dimensions.nc", temporary))) {
            for (String format : List.of("zarr2", "zarr3")) {
                Path directory = temporary.resolve(format);
                try (ChunkStore target = Zarr.create(directory)) {
                    Rechunker.Job job =
                            Rechunker.from(store).to(target).chunks("keep").maxMem("1MB");
                    job.format(format).execute();
                }
                String stated = Files.readString(
                        directory.resolve("crs").resolve(format.equals("zarr2") ? ".zattrs" : "zarr.json"));
                stated = stated.replaceAll("\\s", "");
                String name = format.equals("zarr2") ? "_ARRAY_DIMENSIONS" : "dimension_names";
                assertTrue(stated.contains("\"" + name + "\":[]"), stated);
                assertTrue(stated.contains("\"epsg\":4326"), stated);
            }
        }
    }

    @Test
    void textThatIsNotUtf8IsReadAsLatin1() throws IOException {
        Path file = Corpus.copy("small_earliest.h5", temporary);
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(
                file, bytes.replace("text 7", "\u00b0C   7").replace("away", "aw\u00e9y"), StandardCharsets.ISO_8859_1);
        try (ChunkStore store = Hdf5.open(file)) {
            assertEquals(List.of("arrays", "aw\u00e9y", "many", "others", "soft"), store.children(""));
            assertEquals(
                    "\u00b0C   7", spec(store, "others/described").attributes().get("a7"));
            assertEquals("text 8", spec(store, "others/described").attributes().get("a8"));
        }
    }

    /** One name is stored in UTF-8, the other one in Latin-1. */
    @Test
    void attributesWithTheSameNameAreRefused() throws IOException {
        Path file = Corpus.copy("small_earliest.h5", temporary);
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(
                file,
                bytes.replace("a10\0", "\u00c3\u00a90\0").replace("a8\0", "\u00e90\0"),
                StandardCharsets.ISO_8859_1);
        try (ChunkStore store = Hdf5.open(file)) {
            StoreException e = assertThrows(StoreException.class, () -> store.node("others/described"));
            assertTrue(String.valueOf(e.getMessage()).endsWith("there are two attributes \"\u00e90\""), e::getMessage);
            assertArrayEquals(SmallFiles.ELEMENTS, read(store, "arrays/gzip"));
        }
    }

    @Test
    void typesInWhichTwoNamesAreTheSameAreRefused() {
        for (byte[] type : List.of(DatatypeBytes.compound(), DatatypeBytes.enumeration())) {
            String bytes = new String(type, StandardCharsets.ISO_8859_1).replace("two", "one");
            ByteBuffer message = ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1));
            StoreException e =
                    assertThrows(StoreException.class, () -> ElementType.read(message.order(ByteOrder.LITTLE_ENDIAN)));
            assertTrue(String.valueOf(e.getMessage()).contains(" with two names \"one\""), e::getMessage);
        }
    }

    @Test
    void detailsThatFieldsCannotRepresentAreHints() throws IOException {
        ElementType type =
                CompoundFields.read(ByteBuffer.wrap(DatatypeBytes.nested()).order(ByteOrder.LITTLE_ENDIAN));
        assertEquals(
                "{in={type.fields={\"tagged\":{\"type.tag\":\"what\"}}}, named={names={\"one\":1}}}",
                FieldHints.of("x", type.type(), type.hints()).toString());
    }

    @Test
    void namesOfValuesAreKept() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_latest.h5", temporary));
                ChunkStore same = Hdf5.create(temporary.resolve("same.h5"));
                ChunkStore zarr = Zarr.create(temporary.resolve("zarr"));
                ChunkStore n5 = N5.create(temporary.resolve("n5"))) {
            Rechunker.From source = Rechunker.from(store.at("others/enum"));
            for (StoreLocation target : List.of(same.at("enum"), zarr.at(""), n5.at(""))) {
                assertEquals(
                        List.of(),
                        Loss.sentences(source.to(target)
                                .chunks("keep")
                                .maxMem("1MB")
                                .plan()
                                .losses()));
            }
        }
    }

    /** A limit beyond the extent is a hint, unless a chunk larger than the array requires it. */
    @Test
    void readsTheLargestShape() throws IOException {
        Map<String, String> expected = Map.of(
                "fixed",
                "[]",
                "chunk",
                "[]",
                "limited",
                "[] 4,9",
                "unlimited",
                "[0, 1]",
                "first",
                "[0]",
                "both",
                "[0] unlimited,9",
                "contiguous",
                "[]",
                "scalar",
                "[]");
        try (ChunkStore store = Hdf5.open(Corpus.copy("shapes.h5", temporary))) {
            assertEquals(expected.keySet(), Set.copyOf(store.children("")));
            for (Map.Entry<String, String> array : expected.entrySet()) {
                ArraySpec spec = spec(store, array.getKey());
                String hint = spec.hints().getOrDefault("hdf5.maxshape", "");
                assertEquals(array.getValue(), (spec.unlimitedAxes() + " " + hint).strip(), array.getKey());
            }
        }
    }

    @Test
    void namesFiltersAsOtherFormatsDo() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_latest.h5", temporary))) {
            assertEquals(
                    "[shuffle{elementsize=2}, gzip{level=4}]",
                    spec(store, "arrays/gzip").codecs().toString());
            assertEquals("[lz4]", spec(store, "arrays/lz4").codecs().toString());
            assertEquals(
                    "[blosc{cname=lz4, clevel=9, shuffle=bitshuffle, typesize=2}]",
                    spec(store, "arrays/blosc").codecs().toString());
            assertEquals("[zstd{level=3}]", spec(store, "arrays/zstd").codecs().toString());
        }
    }

    @Test
    void traitsHaveMemoryAndGranularity() throws IOException {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_latest.h5", temporary));
                ArrayReader plain = store.openReader("arrays/contiguous");
                ArrayReader chunked = store.openReader("arrays/gzip")) {
            assertEquals(Granularity.BYTES, plain.traits().granularity());
            assertEquals(0, plain.traits().heldBytes());
            assertEquals(Granularity.CHUNK, chunked.traits().granularity());
            assertTrue(chunked.traits().heldBytes() >= 12 * 16);
            assertTrue(chunked.traits().paddedEdges());
            assertEquals(0, plain.storedBytesRead());
            Data.readAll(plain);
            assertEquals(286, plain.storedBytesRead());
        }
        assertThrows(StoreException.class, () -> ChunkIndex.bytes(1L << 31, false));
    }

    /** n5-hdf5 writes integers with scale-offset and deflate, and keeps named types in a group. */
    @Test
    void readsFilesOfN5() throws IOException {
        try (Hdf5Store store = (Hdf5Store) Hdf5.open(Corpus.copy("h5-all.h5", temporary))) {
            assertFalse(store.children("").contains("__DATA_TYPES__"));
            for (String name : List.of("raw", "gzip", "gzip_missing")) {
                ArraySpec spec = spec(store, name);
                assertEquals(Shape.of(11, 19, 26), spec.shape());
                ByteBuffer elements = ByteBuffer.wrap(read(store, name)).order(spec.byteOrder());
                Region hole = Region.of(new long[] {4, 8, 8}, Shape.of(4, 8, 8));
                for (int i = 0; i < 11 * 19 * 26; i++) {
                    Region at = Region.of(new long[] {i / 26 / 19, i / 26 % 19, i % 26}, Shape.of(1, 1, 1));
                    boolean missing = name.equals("gzip_missing") && hole.contains(at);
                    assertEquals(missing ? 0 : i, elements.getShort() & 0xffff, name + " at " + at);
                }
            }
            List<String> types = store.children("dtype");
            assertEquals(9, types.size());
            for (String type : types) {
                ArraySpec spec = spec(store, "dtype/" + type);
                assertEquals(type, spec.dataType().name());
                ByteBuffer elements =
                        ByteBuffer.wrap(read(store, "dtype/" + type)).order(spec.byteOrder());
                for (int i = 0; i < 35; i++) {
                    checkElement(type, elements, i % 7 + 10L * (i / 7));
                }
            }
            GroupNode root = (GroupNode) store.node("").orElseThrow();
            assertTrue(root.attributes().containsKey("n5"), root.attributes()::toString);
        }
    }

    private static void checkElement(String type, ByteBuffer elements, long b) {
        switch (type) {
            case "int8" -> assertEquals((byte) (b - 20), elements.get());
            case "uint8" -> assertEquals((byte) (b + 200), elements.get());
            case "int16" -> assertEquals((short) (b * -500), elements.getShort());
            case "uint16" -> assertEquals((short) (b * 1300), elements.getShort());
            case "int32" -> assertEquals((int) (b * -100000), elements.getInt());
            case "uint32" -> assertEquals((int) (b * 80000000), elements.getInt());
            case "int64" -> assertEquals(b * -10_000_000_000L, elements.getLong());
            case "uint64" -> assertEquals(b * 300_000_000_000_000_000L, elements.getLong());
            case "float32" -> assertEquals((float) (b * 0.25 - 3), elements.getFloat());
            default -> assertEquals(b * 0.1 - 3, elements.getDouble());
        }
    }

    @Test
    void manyThreadsReadAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_earliest.h5", temporary))) {
            List<Future<?>> all = new ArrayList<>();
            for (String child : store.children("arrays")) {
                ArrayReader reader = store.openReader("arrays/" + child);
                for (int i = 0; i < 4; i++) {
                    all.add(threads.submit(() -> {
                        for (int n = 0; n < 20; n++) {
                            assertArrayEquals(SmallFiles.ELEMENTS, Data.readAll(reader), child);
                        }
                        return null;
                    }));
                }
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void memoryOfAnEnclosingZipFileIsCounted() throws IOException {
        Path zip = temporary.resolve("x.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("x.h5"));
            out.write(Files.readAllBytes(Corpus.copy("small_latest.h5", temporary)));
        }
        KeyStore keys = ZipKeys.open(zip);
        try (ChunkStore store = Hdf5.open(keys, "x.h5");
                ArrayReader reader = store.openReader("arrays/contiguous")) {
            assertTrue(keys.heldBytes() >= 46 && reader.traits().heldBytes() >= keys.heldBytes());
            assertArrayEquals(SmallFiles.ELEMENTS, Data.readAll(reader));
        }
    }

    /** The message must not say that the file is malformed. */
    @ParameterizedTest
    @ValueSource(strings = {"small_earliest.h5", "small_latest.h5"})
    void usingAClosedStoreIsRefused(String name) throws IOException {
        Path file = Corpus.copy(name, temporary);
        MemoryKeys keys = new MemoryKeys();
        keys.put("x.h5", ByteBuffer.wrap(Files.readAllBytes(file)));
        for (ChunkStore store : List.of(Hdf5.open(file), Hdf5.open(keys, "x.h5"))) {
            ArrayReader reader = store.openReader("arrays/gzip");
            store.close();
            assertClosed(store, () -> store.node("arrays/contiguous"));
            assertClosed(store, () -> store.children("arrays"));
            assertClosed(store, () -> store.omissions("arrays"));
            assertClosed(store, () -> store.openReader("arrays/contiguous"));
            assertClosed(store, () -> Data.readAll(reader));
            assertClosed(
                    store,
                    () -> ((EncodedSource) reader)
                            .openEncoded(reader.spec().chunks().regionAt(0)));
        }
    }

    private static void assertClosed(ChunkStore store, Executable call) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertEquals(store.name() + " was closed", e.getMessage());
    }

    /** The JDK closes the channel of an interrupted thread; reads of other threads must not fail. */
    @Test
    void interruptedThreadDoesNotAffectOthers() throws Exception {
        try (ChunkStore store = Hdf5.open(Corpus.copy("small_latest.h5", temporary));
                ArrayReader reader = store.openReader("arrays/contiguous")) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger interrupted = new AtomicInteger();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Thread thread = new Thread(() -> {
                    while (!stop.get()) {
                        try {
                            Data.readAll(reader);
                        } catch (ClosedChannelException e) {
                            interrupted.incrementAndGet();
                            assertTrue(Thread.interrupted());
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                });
                thread.start();
                readers.add(thread);
            }
            int reads = 0;
            long end = System.nanoTime() + 10_000_000_000L;
            while ((interrupted.get() < 20 || reads < 200) && System.nanoTime() < end) {
                readers.get(reads % 2).interrupt();
                assertArrayEquals(SmallFiles.ELEMENTS, Data.readAll(reader));
                reads++;
            }
            stop.set(true);
            for (Thread thread : readers) {
                thread.join(10_000);
            }
            assertTrue(interrupted.get() > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"small_earliest.h5", "small_latest.h5"})
    void arraysAreRechunked(String name) throws Exception {
        try (ChunkStore store = Hdf5.open(Corpus.copy(name, temporary))) {
            MemoryStore target = new MemoryStore();
            Rechunker.from(store.at("arrays"))
                    .to(target)
                    .chunks(6, 3)
                    .maxMem("16MB")
                    .codec("none")
                    .execute();
            assertEquals(store.children("arrays"), target.children(""));
            for (String child : target.children("")) {
                assertArrayEquals(SmallFiles.ELEMENTS, read(target, child), child);
            }
        }
    }

    @Test
    void closingTheStoreClosesItsReaders() throws IOException {
        ChunkStore store = Hdf5.open(Corpus.copy("small_latest.h5", temporary));
        ArrayReader reader = store.openReader("arrays/contiguous");
        store.close();
        assertThrows(IllegalStateException.class, () -> Data.readAll(reader));
    }

    /** An array of 3 GiB without chunks is one chunk. Any part of it can be read, and a copy of it can be planned. */
    @Test
    void readsLargeArraysWithoutChunks() throws Exception {
        long[] shape = {3, 1 << 10, 1 << 20};
        Path file = large(shape);
        try (ChunkStore store = Hdf5.open(file);
                ArrayReader reader = store.openReader("large")) {
            assertEquals(Shape.of(shape), reader.spec().chunks().chunkShape());
            ByteBuffer part = ByteBuffer.allocateDirect(8);
            Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
            for (long z = 0; z < 3; z++) {
                for (int y : new int[] {0, 511, 1023}) {
                    for (int x : new int[] {0, 1 << 19, (1 << 20) - 8}) {
                        part.clear();
                        assertTrue(reader.read(Region.of(new long[] {z, y, x}, Shape.of(1, 1, 8)), part, scratch));
                        long expected = x == 1 << 19 ? 1 + 1024 * z + y : 0;
                        assertEquals(
                                expected, part.order(ByteOrder.LITTLE_ENDIAN).getLong(0));
                    }
                }
            }
            MemoryStore target = new MemoryStore();
            Plan plan = Rechunker.from(store.at("large"))
                    .to(target)
                    .chunks(3, 64, 1 << 14)
                    .maxMem("64MB")
                    .plan();
            assertTrue(plan.toString().length() > 0);
            assertNotEquals(0, plan.maxMem());
        }
    }

    /** {@return a sparse file with an array of bytes, which has a number in the middle of some rows} */
    private Path large(long[] shape) throws IOException {
        Path file = temporary.resolve("large.h5");
        byte[] header = LargeFile.header(shape);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SPARSE)) {
            channel.write(ByteBuffer.wrap(header), 0);
            long size = shape[0] * shape[1] * shape[2];
            channel.write(ByteBuffer.allocate(1), LargeFile.DATA + size - 1);
            for (long z = 0; z < shape[0]; z++) {
                for (long y : new long[] {0, 511, 1023}) {
                    ByteBuffer mark = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
                    mark.putLong(0, 1 + 1024 * z + y);
                    channel.write(mark, LargeFile.DATA + (z * shape[1] + y) * shape[2] + (1 << 19));
                }
            }
        }
        return file;
    }

    /** A superblock extension has the message. A file with another message in it is read. */
    @ParameterizedTest
    @CsvSource({"20, is a part of an HDF5 file that is split into several", "24, has metadata in a cache image", "23,"})
    void refusesSplitFilesAndCacheImages(int message, @Nullable String why) throws IOException {
        Path file = Corpus.copy("small_latest.h5", temporary);
        byte[] plain = Files.readAllBytes(file);
        byte[] extended = Arrays.copyOf(plain, plain.length + 64);
        ByteBuffer bytes = ByteBuffer.wrap(extended).order(ByteOrder.LITTLE_ENDIAN);
        bytes.position(plain.length).put("OHDR".getBytes(StandardCharsets.US_ASCII));
        bytes.put((byte) 2).put((byte) 0).put((byte) 12); // version, no flags, size of the messages
        bytes.put((byte) message).putShort((short) 8).put((byte) 0).putLong(0);
        Corpus.putChecksum(extended, plain.length, bytes.position());
        bytes.putLong(20, plain.length).putLong(28, extended.length);
        Corpus.putChecksum(extended, 0, 44);
        Files.write(file, extended);
        if (why == null) {
            try (ChunkStore store = Hdf5.open(file)) {
                assertArrayEquals(SmallFiles.ELEMENTS, read(store, "arrays/gzip"));
            }
        } else {
            StoreException e = assertThrows(StoreException.class, () -> Hdf5.open(file));
            assertTrue(String.valueOf(e.getMessage()).startsWith(file + " " + why), e::getMessage);
        }
    }

    /** The header of a heap with filters is longer, and has its checksum at another position. */
    @Test
    void refusesCompressedHeaps() throws IOException {
        Path file = Corpus.copy("small_latest.h5", temporary);
        byte[] bytes = Files.readAllBytes(file);
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("FRHP") + 7] = 16; // the size of its filters
        Files.write(file, bytes);
        try (ChunkStore store = Hdf5.open(file)) {
            StoreException e = assertThrows(StoreException.class, () -> store.children("arrays"));
            assertTrue(String.valueOf(e.getMessage()).endsWith("is compressed, which is not supported"), e::getMessage);
        }
    }

    /** h5jam adds a user block before a file, and h5unjam removes it; neither changes the addresses in the file. */
    @ParameterizedTest
    @ValueSource(strings = {"small_earliest.h5", "small_latest.h5"})
    void readsFilesWhoseUserBlockWasAddedOrRemoved(String name) throws IOException {
        byte[] plain = Files.readAllBytes(Corpus.copy(name, temporary));
        int block = 1024;
        ByteBuffer jammed = ByteBuffer.allocate(block + plain.length).put(block, plain);
        byte[] moved = plain.clone();
        ByteBuffer superblock = ByteBuffer.wrap(moved).order(ByteOrder.LITTLE_ENDIAN);
        boolean old = moved[8] == 0;
        superblock.putLong(old ? 24 : 12, block).putLong(old ? 40 : 28, block + plain.length);
        if (!old) {
            Corpus.putChecksum(moved, 0, 44);
        }
        Path file = temporary.resolve("moved.h5");
        for (byte[] bytes : List.of(jammed.array(), moved)) {
            Files.write(file, bytes);
            try (ChunkStore store = Hdf5.open(file)) {
                for (String array : store.children("arrays")) {
                    assertArrayEquals(SmallFiles.ELEMENTS, read(store, "arrays/" + array), array);
                }
                assertEquals(
                        "text 3",
                        ((ArrayNode) store.node("others/described").orElseThrow())
                                .spec()
                                .attributes()
                                .get("a3"));
            }
            Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
            StoreException e = assertThrows(StoreException.class, () -> Hdf5.open(file));
            assertEquals(
                    file + " is cut off: it has " + (bytes.length - 1) + " bytes of " + bytes.length, e.getMessage());
        }
    }

    @Test
    void refusesOtherFiles() throws IOException {
        Path text = Files.writeString(temporary.resolve("text"), "not HDF5, though it has some bytes".repeat(100));
        for (Path path : List.of(text, temporary, temporary.resolve("nothing"))) {
            String message = String.valueOf(
                    assertThrows(StoreException.class, () -> Hdf5.open(path)).getMessage());
            assertTrue(message.startsWith(path.toString()), message);
        }
    }
}
