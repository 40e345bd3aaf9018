package dev.rechunker.io.imglib2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.imglib2.RandomAccess;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.util.Cast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stored arrays as images: pixels are the stored elements, and memory stays within the bound of the cache. */
@Timeout(120)
class StoredImgTest {
    @TempDir
    Path directory = Path.of("");

    static List<NativeType<?>> types() {
        return Coded.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyTypeIsReadUnchanged(NativeType<?> type) throws IOException {
        seen(Cast.unchecked(type));
    }

    private static <T extends NativeType<T>> void seen(T type) throws IOException {
        var image = Coded.fill(new ArrayImgFactory<>(type).create(37, 19, 11));
        MemoryStore store = Coded.stored(image, 4, 8, 16);
        try (StoredImg<T> stored = ImgArrays.open(store.at(""), type, ByteSize.parse("60kB"))) {
            Coded.assertSame(Coded.elements(image), Coded.elements(stored), type.getClass());
            assertTrue(stored.peakMemoryInUse().bytes() <= 60_000, () -> "held " + stored.peakMemoryInUse());
        }
    }

    /** The element at a position of a ramp of 500 x 300 x 200. */
    private static long ramp(long x, long y, long z) {
        return x + 200 * (y + 300 * z);
    }

    private static void look(StoredImg<UnsignedIntType> image, long seed, int looks) {
        Random random = new Random(seed);
        RandomAccess<UnsignedIntType> access = image.randomAccess();
        for (int i = 0; i < looks; i++) {
            int x = random.nextInt(200);
            int y = random.nextInt(300);
            int z = random.nextInt(500);
            assertEquals(ramp(x, y, z), access.setPositionAndGet(x, y, z).get());
        }
    }

    @Test
    void manyThreadsReadWithinTheBound() throws Exception {
        RampSource source = RampSource.of(DataType.UINT32, 500, 300, 200).chunks(16, 32, 64);
        ByteSize bound = ByteSize.parse("3MB"); // of 120 MB, in cells of 131 kB
        try (StoredImg<UnsignedIntType> image = ImgArrays.open(source.at(""), new UnsignedIntType(), bound)) {
            ExecutorService threads = Executors.newFixedThreadPool(6);
            try {
                List<Callable<Boolean>> looking = new ArrayList<>();
                for (int thread = 0; thread < 6; thread++) {
                    int seed = thread;
                    looking.add(() -> {
                        look(image, seed, 300);
                        return true;
                    });
                }
                for (Future<Boolean> done : threads.invokeAll(looking)) {
                    assertTrue(done.get());
                }
            } finally {
                threads.shutdownNow();
            }
            assertTrue(image.peakMemoryInUse().bytes() <= bound.bytes(), () -> "held " + image.peakMemoryInUse());
            assertTrue(
                    image.peakMemoryInUse().bytes() > bound.bytes() / 2,
                    () -> "the bound is not used: " + image.peakMemoryInUse());
            assertTrue(image.memoryInUse().bytes() <= bound.bytes());
        }
    }

    @Test
    void aCellIsReadOnceIfItFitsIntoTheCache() throws Exception {
        CountingStore counting =
                new CountingStore(RampSource.of(DataType.UINT32, 500, 300, 200).chunks(125, 300, 200));
        ByteSize cache = ByteSize.parse("400MB");
        try (StoredImg<UnsignedIntType> image = ImgArrays.open(counting.at(""), new UnsignedIntType(), cache)) {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            try {
                List<Callable<Boolean>> looking = new ArrayList<>();
                for (int thread = 0; thread < 4; thread++) {
                    int seed = thread;
                    looking.add(() -> {
                        look(image, seed, 100);
                        return true;
                    });
                }
                for (Future<Boolean> done : threads.invokeAll(looking)) {
                    assertTrue(done.get());
                }
            } finally {
                threads.shutdownNow();
            }
        }
        assertEquals(4, counting.reads());
    }

    @Test
    void everyFormatIsRead() throws IOException, InterruptedException {
        RampSource source = RampSource.of(DataType.UINT16, 30, 40, 50);
        List<StoreLocation> places = List.of(
                Zarr.create(directory.resolve("a.zarr")).at(""),
                N5.create(directory.resolve("a.n5")).at("raw"),
                Hdf5.create(directory.resolve("a.h5")).at("data"));
        for (StoreLocation place : places) {
            try (ChunkStore store = place.store()) {
                Rechunker.from(source)
                        .to(store.at(place.path()))
                        .chunks(7, 8, 9)
                        .maxMem("16MB")
                        .execute();
            }
        }
        List<ChunkStore> opened = List.of(
                Zarr.open(directory.resolve("a.zarr")),
                N5.open(directory.resolve("a.n5")),
                Hdf5.open(directory.resolve("a.h5")));
        for (int i = 0; i < opened.size(); i++) {
            try (ChunkStore store = opened.get(i);
                    StoredImg<UnsignedShortType> image = ImgArrays.open(
                            store.at(places.get(i).path()), new UnsignedShortType(), ByteSize.parse("2MB"))) {
                Coded.assertSame(source.data().elements(), Coded.elements(image), store);
                MemoryStore copied = new MemoryStore();
                Rechunker.from(ImgArrays.of(image))
                        .to(copied)
                        .chunks(30, 40, 50)
                        .maxMem("4MB")
                        .execute();
                Coded.assertSame(source.data().elements(), copied.elements(""), store);
                assertTrue(image.peakMemoryInUse().bytes() <= 2_000_000);
            }
        }
    }

    @Test
    void largeChunksWithoutCodecAreReadInParts() throws IOException {
        RampSource plane = RampSource.of(DataType.UINT32, 500, 300, 200);
        try (StoredImg<UnsignedIntType> image =
                ImgArrays.open(plane.at(""), new UnsignedIntType(), ByteSize.parse("8MB"))) {
            look(image, 7, 50);
            assertEquals(200, image.getCellGrid().cellDimension(0));
            assertTrue(image.peakMemoryInUse().bytes() <= 8_000_000);
        }
    }

    /** Chunks that cannot be cells: irregular and padded ones, in the other byte order, some never written. */
    @Test
    void chunksOfAnyKindAreRead() throws IOException {
        ChunkGrid irregular = ChunkGrid.of(List.of(Partition.ofSizes(3, 9, 1, 7), Partition.regular(33, 8)));
        ChunkGrid regular = ChunkGrid.regular(Shape.of(20, 33), Shape.of(6, 8));
        for (ChunkGrid grid : List.of(irregular, regular)) {
            for (Granularity granularity : Granularity.values()) {
                ArraySpec spec = ArraySpec.builder(grid, DataType.UINT16)
                        .byteOrder(ByteOrder.BIG_ENDIAN)
                        .fillValue(FillValue.of((byte) 3, (byte) 4))
                        .build();
                MemoryStore store = MemoryStore.builder()
                        .granularity(granularity)
                        .paddedEdges(true)
                        .build();
                Data.of(spec).write(store, "", unit -> unit % 3 != 1);
                byte[] expected = store.elements("");
                for (int i = 0; i < expected.length; i += 2) {
                    byte high = expected[i];
                    expected[i] = expected[i + 1];
                    expected[i + 1] = high;
                }
                try (StoredImg<UnsignedShortType> image =
                        ImgArrays.open(store.at(""), new UnsignedShortType(), ByteSize.parse("8kB"))) {
                    Coded.assertSame(expected, Coded.elements(image), granularity + " of " + grid);
                    assertTrue(image.peakMemoryInUse().bytes() <= 8_000);
                }
            }
        }
    }

    @Test
    void unsupportedArraysAreRefused() throws IOException {
        MemoryStore store = MemoryStore.of(new int[100][100]);
        ByteSize cache = ByteSize.parse("1MB");
        String type = assertThrows(
                        IllegalArgumentException.class,
                        () -> ImgArrays.open(store.at(""), new UnsignedShortType(), cache))
                .toString();
        assertTrue(type.contains("int32") && type.contains("use IntType"), type);
        StoreLocation ints = RampSource.of(DataType.UINT32, 100, 100).at("");
        String small = assertThrows(
                        IllegalArgumentException.class,
                        () -> ImgArrays.open(ints, new UnsignedIntType(), ByteSize.parse("50kB")))
                .toString();
        assertTrue(small.contains("the least is 160000 bytes"), small);
        ImgArrays.open(ints, new UnsignedIntType(), ByteSize.of(160_000)).close();
        StoreLocation scalar = RampSource.of(DataType.UINT32).at("");
        assertThrows(IllegalArgumentException.class, () -> ImgArrays.open(scalar, new UnsignedIntType(), cache));
        StoreLocation empty = RampSource.of(DataType.UINT32, 3, 0).at("");
        assertThrows(IllegalArgumentException.class, () -> ImgArrays.open(empty, new UnsignedIntType(), cache));
        assertThrows(IOException.class, () -> ImgArrays.open(store.at("nothing"), new UnsignedIntType(), cache));
    }

    @Test
    void failuresNameTheCellAndUseNoMemory() throws IOException {
        FaultyStore faulty =
                new FaultyStore(RampSource.of(DataType.UINT32, 500, 300, 200).chunks(100, 100, 100));
        faulty.failOnce(FaultyStore.Operation.READ, 1);
        try (StoredImg<UnsignedIntType> image =
                ImgArrays.open(faulty.at(""), new UnsignedIntType(), ByteSize.parse("20MB"))) {
            long before = image.memoryInUse().bytes();
            String message = assertThrows(
                            UncheckedIOException.class,
                            () -> image.randomAccess()
                                    .setPositionAndGet(150, 0, 0)
                                    .get())
                    .toString();
            assertTrue(message.contains("ramp, cell [0:100, 0:100, 100:200] cannot be read"), message);
            assertTrue(
                    image.memoryInUse().bytes() <= before + 8_000_000,
                    "a cell that could not be read is still counted");
            look(image, 3, 20);
        }
    }

    @Test
    void aClosedImageCannotBeRead() throws IOException {
        StoreLocation ramp = RampSource.of(DataType.UINT32, 500, 300, 200)
                .chunks(100, 100, 100)
                .at("");
        StoredImg<UnsignedIntType> image = ImgArrays.open(ramp, new UnsignedIntType(), ByteSize.parse("20MB"));
        look(image, 3, 5);
        image.close();
        assertThrows(IllegalStateException.class, () -> look(image, 3, 1));
    }
}
