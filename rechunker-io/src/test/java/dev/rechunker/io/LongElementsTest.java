package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One long element among many short ones in a chunk, which would take much memory if all were padded. */
class LongElementsTest {
    @TempDir
    Path temporary;

    /** {@return a Zarr 2 array of bytes with one chunk, whose elements are numbers, except for a long one} */
    private ChunkStore oneChunk(int elements, int longest) throws IOException {
        Path array = Files.createDirectories(temporary.resolve("source" + elements + "of" + longest));
        Files.writeString(
                array.resolve(".zarray"),
                "{\"zarr_format\": 2, \"shape\": [" + elements + "], \"chunks\": [" + elements
                        + "], \"dtype\": \"|O\", \"fill_value\": \"\", \"order\": \"C\", \"compressor\": null,"
                        + " \"filters\": [{\"id\": \"vlen-utf8\"}]}");
        ByteBuffer chunk = ByteBuffer.allocate(elements * 12 + longest).order(ByteOrder.LITTLE_ENDIAN);
        chunk.putInt(elements);
        for (int i = 0; i < elements; i++) {
            byte[] contents = contents(i, elements, longest);
            chunk.putInt(contents.length).put(contents);
        }
        Files.write(array.resolve("0"), Arrays.copyOf(chunk.array(), chunk.position()));
        return Zarr.open(array);
    }

    private static byte[] contents(int i, int elements, int longest) {
        byte[] number = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        if (i != elements / 2) {
            return number;
        }
        byte[] padded = new byte[longest];
        Arrays.fill(padded, (byte) '.');
        System.arraycopy(number, 0, padded, 0, number.length);
        return padded;
    }

    private static long measured(ChunkStore from, ChunkStore to, String chunks, String limit) throws Exception {
        return Rechunker.from(from)
                .to(to)
                .chunks(chunks)
                .maxMem(limit)
                .verify()
                .execute()
                .measuredMemory();
    }

    /** Checks some elements of an array with one chunk of ten elements. */
    private static void check(StoreLocation store, int elements, int longest) throws IOException, InterruptedException {
        for (int from : new int[] {0, elements / 2, elements - 10}) {
            MemoryStore few = new MemoryStore();
            Rechunker.from(store)
                    .to(few)
                    .chunks(10)
                    .maxMem("64MB")
                    .region(Region.of(new long[] {from}, Shape.of(10)))
                    .execute();
            ByteBuffer found = ByteBuffer.wrap(few.elements("")).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < 10; i++) {
                byte[] element = new byte[found.getInt(i * (DataType.LENGTH_SIZE + longest))];
                found.get(i * (DataType.LENGTH_SIZE + longest) + DataType.LENGTH_SIZE, element);
                assertArrayEquals(contents(from + i, elements, longest), element);
            }
        }
    }

    /** The chunk would take 2.4 GB with padding. */
    @Test
    void copiesAChunkThatExceedsAllBuffersWithPadding() throws Exception {
        try (ChunkStore source = oneChunk(120_000, 20_000);
                ChunkStore target = Zarr.create(temporary.resolve("target"))) {
            assertTrue(measured(source, target, "500", "64MB") <= 64_000_000);
            check(target.at(""), 120_000, 20_000);
        }
    }

    /** Chunks of all formats would take 40 MB with padding. */
    @Test
    void copiesChunksThatExceedTheLimitWithPadding() throws Exception {
        Path file = temporary.resolve("file.h5");
        ChunkStore[] stores = {
            Zarr.create(temporary.resolve("two"), ZarrFormat.V2),
            Zarr.create(temporary.resolve("three"), ZarrFormat.V3),
            Hdf5.create(file)
        };
        try (ChunkStore source = oneChunk(2000, 20_000)) {
            for (ChunkStore store : stores) {
                try (store) {
                    Rechunker.from(source)
                            .to(store)
                            .chunks(2000)
                            .maxMem("300MB")
                            .codec("gzip")
                            .execute();
                }
            }
        }
        for (ChunkStore store : new ChunkStore[] {
            Zarr.open(temporary.resolve("two")), Zarr.open(temporary.resolve("three")), Hdf5.open(file)
        }) {
            try (store;
                    ChunkStore again = Zarr.create(temporary.resolve("from" + System.nanoTime()))) {
                assertTrue(measured(store, again, "100", "20MB") <= 20_000_000, store.name());
                check(again.at(store.name().endsWith("h5") ? "data" : ""), 2000, 20_000);
            }
        }
    }

    /** Chunks inside of shards, in two dimensions, with incomplete chunks at the ends. */
    @Test
    void copiesStretchesOfChunksInShards() throws Exception {
        Shape shape = Shape.of(70, 90);
        DataType type = DataType.text().upTo(10_000);
        ByteBuffer elements = ByteBuffer.allocate(70 * 90 * type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 70 * 90; i++) {
            byte[] contents = contents(i, 70 * 90, 10_000);
            elements.position(i * type.itemSize()).putInt(contents.length).put(contents);
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(40, 50)), type)
                .codecs(List.of(CodecSpec.of("gzip")))
                .build();
        try (ChunkStore shards = Zarr.create(temporary.resolve("shards"), ZarrFormat.V3);
                ChunkStore target = Zarr.create(temporary.resolve("of"))) {
            Rechunker.from(MemoryStore.of(spec, elements.array()))
                    .to(shards)
                    .chunks("keep")
                    .maxMem("300MB")
                    .shards("80, 100")
                    .execute();
            long measured = Rechunker.from(shards)
                    .to(target)
                    .chunks("3, 90")
                    .maxMem("18MB")
                    .shards("none")
                    .verify()
                    .execute()
                    .measuredMemory();
            assertTrue(measured <= 18_000_000);
            MemoryStore again = new MemoryStore();
            Rechunker.from(target).to(again).chunks("keep").maxMem("200MB").execute();
            assertArrayEquals(elements.array(), again.elements(""));
        }
    }

    @Test
    void refusesWithTheNumbers() throws Exception {
        try (ChunkStore source = oneChunk(120_000, 20_000);
                ChunkStore target = Zarr.create(temporary.resolve("never"))) {
            StoreException tooLarge =
                    assertThrows(StoreException.class, () -> measured(source, target, "keep", "64MB"));
            String message = String.valueOf(tooLarge.getMessage());
            assertTrue(message.contains("120000 elements of a chunk, of which the longest has 20.0 kB"), message);
            InfeasiblePlanException tooLittle =
                    assertThrows(InfeasiblePlanException.class, () -> measured(source, target, "1000", "16MB"));
            message = String.valueOf(tooLittle.getMessage());
            assertTrue(message.contains("20.0 kB each"), message);
            InfeasiblePlanException search =
                    assertThrows(InfeasiblePlanException.class, () -> measured(source, target, "10", "1MB"));
            message = String.valueOf(search.getMessage());
            assertTrue(message.contains("finding the longest element of "), message);
            assertFalse(message.contains("smaller chunks"), message);
        }
    }
}
