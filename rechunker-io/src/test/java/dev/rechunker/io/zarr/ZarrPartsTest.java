package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits.PartTraits;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.PartsContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shards are assembled from chunks, and chunks from bands. */
class ZarrPartsTest {
    @TempDir
    Path temporary;

    @Nested
    class Shards extends Contract {
        @Override
        protected ArraySpec spec(Cases random) {
            Shape shape = random.shape(random.random().nextInt(4));
            ChunkGrid chunks = random.regularGrid(shape);
            long[] extents = chunks.chunkShape().toArray();
            for (int axis = 0; axis < extents.length; axis++) {
                extents[axis] *= random.between(1, 4);
            }
            return ArraySpec.builder(chunks, DataType.INT32)
                    .shards(ChunkGrid.regular(shape, Shape.of(extents)))
                    .fillValue(FillValue.of(new byte[] {1, 2, 3, 4}))
                    .codecs(random.oneOf(List.of(), List.of(Specs.codec("gzip", "level", 1L))))
                    .build();
        }
    }

    @Nested
    class Bands extends Contract {
        @Override
        protected int cases() {
            return 40;
        }

        @Override
        protected ArraySpec spec(Cases random) {
            int rank = (int) random.between(1, 4);
            long[] shape = new long[rank];
            long[] chunk = new long[rank];
            double share = Math.pow(150_000, 1.0 / rank);
            for (int axis = 0; axis < rank; axis++) {
                shape[axis] = random.between((long) share / 2, (long) (share * 2));
                long most = random.random().nextInt(6) == 0 ? shape[axis] + 5 : shape[axis];
                chunk[axis] = random.between(Math.max(1, most / 3), most);
            }
            return Specs.spec(random.oneOf(DataType.FLOAT32, DataType.INT16, DataType.UINT8), shape, chunk)
                    .codecs(List.of(blosc(random.oneOf("lz4", "zstd"), random.between(0, 2))))
                    .build();
        }

        private CodecSpec blosc(String name, long shuffle) {
            return Specs.codec("blosc", "cname", name, "clevel", 1L, "shuffle", shuffle);
        }
    }

    /** The contract, for arrays in files. */
    abstract class Contract extends PartsContract {
        private final IdentityHashMap<ChunkStore, Path> places = new IdentityHashMap<>();

        @Override
        protected ChunkStore createStore() throws IOException {
            Path place = Files.createTempDirectory(temporary, "store").resolve("zarr");
            return create(place);
        }

        private ChunkStore create(Path place) {
            ChunkStore store = Zarr.create(place, ZarrFormat.V3);
            places.put(store, place);
            return store;
        }

        @Override
        protected ChunkStore reopenToResume(ChunkStore closed) {
            return create(places.getOrDefault(closed, temporary));
        }

        @Override
        protected ChunkStore reopen(ChunkStore store) throws IOException {
            return Zarr.open(places.getOrDefault(store, temporary));
        }
    }

    /** The expected bands of chunks of float32 with Blosc lz4, whose blocks have 512 KiB. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "600,720,1440; 600,72,72; 25,72,72",
                "601,720,1440; 601,72,72; 25,72,72", // a single chunk: any number of rows
                "1202,720,1440; 601,72,72; none", // 601 is prime, so bands would cross chunks
                "8,720,1440; 4,360,1440; 1,90,1440",
                "600,72,72; 10,72,72; none", // a chunk is one block
            })
    void bandsConsistOfWholeRowsAndHaveAboutTheSizeOfABlock(String shape, String chunk, String band)
            throws IOException {
        ArraySpec spec = Specs.spec(DataType.FLOAT32, extents(shape), extents(chunk))
                .codecs(List.of(Specs.codec("blosc", "cname", "lz4", "clevel", 5L, "shuffle", 1L)))
                .build();
        try (ChunkStore store = Zarr.create(temporary.resolve("a"), ZarrFormat.V2)) {
            Optional<PartTraits> parts = store.writeTraits(store.resolve(spec)).parts();
            if (band.equals("none")) {
                assertEquals(Optional.empty(), parts);
            } else {
                assertEquals(Shape.of(extents(band)), parts.orElseThrow().grid().chunkShape());
            }
        }
    }

    private static long[] extents(String text) {
        return Stream.of(text.split(",")).mapToLong(Long::parseLong).toArray();
    }

    @Test
    void chunksWithoutCodecsAreWrittenInBands() throws IOException {
        ArraySpec spec =
                Specs.spec(DataType.INT64, new long[] {400, 1000}, 390, 1000).build();
        Data data = Data.of(spec);
        try (ChunkStore store = Zarr.create(temporary.resolve("raw"), ZarrFormat.V3)) {
            ArraySpec resolved = store.resolve(spec);
            PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
            assertEquals(Shape.of(130, 1000), traits.grid().chunkShape());
            try (ArrayWriter writer = store.create("", resolved, false)) {
                for (long part = traits.grid().count() - 1; part >= 0; part--) {
                    Region region = traits.grid().regionAt(part);
                    writer.parts()
                            .orElseThrow()
                            .writePart(
                                    region,
                                    ByteBuffer.wrap(data.elements(region)),
                                    Data.scratch(traits.scratchBytes()));
                }
                writer.commit();
            }
            data.check(store, "");
            try (ArrayReader reader = store.openReader("")) {
                assertEquals(resolved, reader.spec());
            }
        }
        assertTrue(Files.size(temporary.resolve("raw/c/0/0")) == 390 * 8000);
    }

    /** The bytes of a unit do not depend on the order in which threads write its parts, nor on an interruption. */
    @ParameterizedTest
    @ValueSource(strings = {"bands", "shards", "shards with their index at the start"})
    void unitsHaveTheSameBytesEachTime(String kind) throws Exception {
        ArraySpec spec = inParts(kind);
        Data data = Data.of(spec, 5);
        byte[] expected = null;
        for (int run = 0; run < 5; run++) {
            Path place = temporary.resolve("run" + run);
            boolean interrupted = run >= 3;
            try (ChunkStore store = Zarr.create(place, ZarrFormat.V3)) {
                ArraySpec resolved = store.resolve(spec);
                PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
                List<Region> parts = new ArrayList<>();
                for (long part = 0; part < traits.grid().count(); part++) {
                    parts.add(traits.grid().regionAt(part));
                }
                assertTrue(parts.size() >= 8, parts::toString);
                if (run > 0) { // the first run writes the parts in order, by one thread
                    Collections.shuffle(parts, new Random(run));
                }
                int first = interrupted ? parts.size() / 2 : parts.size();
                try (ArrayWriter writer = store.create("", resolved, false)) {
                    write(writer, traits, data, parts.subList(0, first), run == 0 ? 1 : 2);
                    if (!interrupted) {
                        writer.commit();
                    }
                }
                if (interrupted) {
                    try (ArrayWriter writer = store.resumable().orElseThrow().resume("", resolved)) {
                        write(writer, traits, data, parts.subList(first - 1, parts.size()), 2); // one of them again
                        writer.commit();
                    }
                }
                data.check(store, "");
            }
            byte[] bytes = Files.readAllBytes(place.resolve("c/0/0"));
            expected = expected == null ? bytes : expected;
            assertArrayEquals(expected, bytes, kind + ", run " + run);
            assertEquals(2, files(place).size(), files(place)::toString);
        }
    }

    private static ArraySpec inParts(String kind) {
        if (kind.equals("bands")) {
            return Specs.spec(DataType.FLOAT32, new long[] {600, 20000}, 600, 20000)
                    .codecs(List.of(Specs.codec("blosc", "cname", "lz4", "clevel", 1L, "shuffle", 1L)))
                    .build();
        }
        return Specs.spec(DataType.INT32, new long[] {64, 64}, 16, 16)
                .shards(ChunkGrid.regular(Shape.of(64, 64), Shape.of(64, 64)))
                .codecs(List.of(Specs.codec("gzip", "level", 1L)))
                .hints(kind.endsWith("start") ? Map.of(Hints.INDEX, "start,little,crc32c") : Map.of())
                .build();
    }

    private static void write(ArrayWriter writer, PartTraits traits, Data data, List<Region> parts, int threads)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                futures.add(pool.submit(() -> {
                    Scratch scratch = Data.scratch(traits.scratchBytes());
                    for (int i = next.getAndIncrement(); i < parts.size(); i = next.getAndIncrement()) {
                        ByteBuffer elements = ByteBuffer.wrap(data.elements(parts.get(i)));
                        writer.parts().orElseThrow().writePart(parts.get(i), elements, scratch);
                    }
                    return null;
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void incompleteUnitsAreDeletedWhenTheArrayIsCreatedAgain() throws IOException {
        ArraySpec spec =
                Specs.spec(DataType.INT64, new long[] {400, 1000}, 400, 1000).build();
        Path place = temporary.resolve("gone");
        try (ChunkStore store = Zarr.create(place, ZarrFormat.V3)) {
            ArraySpec resolved = store.resolve(spec);
            PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
            try (ArrayWriter writer = store.create("", resolved, false)) {
                Region region = traits.grid().regionAt(1);
                writer.parts()
                        .orElseThrow()
                        .writePart(
                                region,
                                ByteBuffer.allocate((int) region.elements() * 8),
                                Data.scratch(traits.scratchBytes()));
            }
            assertEquals(
                    3,
                    files(place).size(),
                    "the note of the array, an incomplete unit, and the positions of its parts");
            store.create("", resolved, false).close();
            assertEquals(List.of(place.resolve(".rechunker-pending")), files(place));
        }
    }

    @Test
    void nothingIsLeftWhenAllPartsWereWrittenBeforeTheResume() throws IOException {
        ArraySpec spec =
                Specs.spec(DataType.INT64, new long[] {400, 1000}, 400, 1000).build();
        Path place = temporary.resolve("all");
        try (ChunkStore store = Zarr.create(place, ZarrFormat.V3)) {
            ArraySpec resolved = store.resolve(spec);
            PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
            store.durable().orElseThrow().makeDurable();
            try (ArrayWriter writer = store.create("", resolved, false)) {
                for (long i = 0; i < traits.grid().count(); i++) {
                    Region part = traits.grid().regionAt(i);
                    writer.parts()
                            .orElseThrow()
                            .writePart(
                                    part,
                                    ByteBuffer.allocate((int) part.elements() * 8),
                                    Data.scratch(traits.scratchBytes()));
                    writer.parts().orElseThrow().forceParts();
                }
            }
            try (ArrayWriter writer = store.resumable().orElseThrow().resume("", resolved)) {
                writer.commit();
            }
            assertEquals(2, files(place).size(), () -> place + " has more files than a document and a chunk");
        }
    }

    @Test
    void aUnitWhoseFileIsMissingIsNotResumed() throws IOException {
        ArraySpec spec =
                Specs.spec(DataType.INT64, new long[] {400, 1000}, 400, 1000).build();
        Path place = temporary.resolve("gone");
        try (ChunkStore store = Zarr.create(place, ZarrFormat.V3)) {
            ArraySpec resolved = store.resolve(spec);
            PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
            ByteBuffer part =
                    ByteBuffer.allocate((int) traits.grid().regionAt(0).elements() * 8);
            try (ArrayWriter writer = store.create("", resolved, false)) {
                writer.parts()
                        .orElseThrow()
                        .writePart(traits.grid().regionAt(1), part.duplicate(), Data.scratch(traits.scratchBytes()));
            }
            Files.delete(place.resolve("c/0/.rechunker-tmp-unit-0"));
            try (ArrayWriter writer = store.resumable().orElseThrow().resume("", resolved)) {
                StoreException e = assertThrows(
                        StoreException.class,
                        () -> writer.parts()
                                .orElseThrow()
                                .writePart(traits.grid().regionAt(0), part, Data.scratch(traits.scratchBytes())));
                assertTrue(
                        String.valueOf(e.getMessage()).contains("is missing; start again with overwrite()"),
                        e::toString);
            }
        }
    }

    /**
     * Inner chunks that have only fill values are left out, but a shard of such chunks is written, whether it is
     * assembled from parts or written as a whole.
     */
    @ParameterizedTest
    @CsvSource({"start, false", "start, true", "end, false", "end, true"})
    void shardsAssembledFromPartsEqualThoseWrittenAsAWhole(String index, boolean interrupted) throws IOException {
        ArraySpec spec = Specs.spec(DataType.INT16, new long[] {11, 12}, 2, 3)
                .shards(ChunkGrid.regular(Shape.of(11, 12), Shape.of(6, 6)))
                .fillValue(FillValue.of(new byte[] {1, 2}))
                .hints(Map.of(Hints.FORMAT, "3", Hints.INDEX, index + ",little,crc32c"))
                .build();
        // The first shard has only fill values, and so has the first row of chunks of each other shard.
        Data data = Data.of(spec, (position, element) -> {
            long row = position / 12;
            boolean fill = row < 2 || row == 6 || row == 7 || (row < 6 && position % 12 < 6);
            element[0] = (byte) (fill ? 1 : position + 2);
            element[1] = (byte) (fill ? 2 : 0);
        });
        Path whole = temporary.resolve("whole");
        try (ChunkStore store = Zarr.create(whole, ZarrFormat.V3)) {
            data.write(store, "");
        }
        Path assembled = temporary.resolve("assembled");
        try (ChunkStore store = Zarr.create(assembled, ZarrFormat.V3)) {
            ArraySpec resolved = store.resolve(spec);
            PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
            ArrayWriter writer = store.create("", resolved, false);
            for (long i = 0; i < traits.grid().count(); i++) {
                Region part = traits.grid().regionAt(i);
                writer.parts()
                        .orElseThrow()
                        .writePart(part, ByteBuffer.wrap(data.elements(part)), Data.scratch(traits.scratchBytes()));
                if (interrupted) {
                    writer.close();
                    writer = store.resumable().orElseThrow().resume("", resolved);
                }
            }
            writer.commit();
            writer.close();
            data.check(store, "");
        }
        for (String shard : List.of("c/0/0", "c/0/1", "c/1/0", "c/1/1")) {
            assertArrayEquals(
                    Files.readAllBytes(whole.resolve(shard)), Files.readAllBytes(assembled.resolve(shard)), shard);
        }
    }

    /** Parts are written again when a run is resumed, and their new bytes may be more than there is space for. */
    @ParameterizedTest
    @CsvSource({"false", "true"})
    void aPartThatIsLargerWhenItIsWrittenAgainLeavesItsNeighboursAlone(boolean interrupted) throws IOException {
        ArraySpec spec = Specs.spec(DataType.INT32, new long[] {32, 128}, 8, 128)
                .shards(ChunkGrid.regular(Shape.of(32, 128), Shape.of(32, 128)))
                .codecs(List.of(Specs.codec("gzip", "level", 1L)))
                .build();
        Data empty = Data.of(spec, (position, element) -> {});
        Data small = Data.of(spec, (position, element) -> element[0] = 1);
        Data large = Data.of(spec, 3);
        try (ChunkStore store = Zarr.create(temporary.resolve("again"), ZarrFormat.V3)) {
            ArraySpec resolved = store.resolve(spec);
            PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
            assertEquals(4, traits.grid().count());
            ArrayWriter writer = store.create("", resolved, false);
            for (Data data : List.of(empty, small, large, small, large)) {
                for (int part = data == empty ? 1 : 0; part < 3; part++) {
                    writePart(writer, traits, data, part);
                }
                if (interrupted) {
                    writer.close();
                    writer = store.resumable().orElseThrow().resume("", resolved);
                }
            }
            writePart(writer, traits, large, 3);
            writer.commit();
            writer.close();
            large.check(store, "");
        }
    }

    private static void writePart(ArrayWriter writer, PartTraits traits, Data data, int number) throws IOException {
        Region part = traits.grid().regionAt(number);
        writer.parts()
                .orElseThrow()
                .writePart(part, ByteBuffer.wrap(data.elements(part)), Data.scratch(traits.scratchBytes()));
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> left = Files.walk(directory)) {
            return left.filter(Files::isRegularFile).toList();
        }
    }
}
