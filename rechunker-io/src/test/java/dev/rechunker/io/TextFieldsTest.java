package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies compounds with texts of variable length, in records.h5 of make_variable.py. */
class TextFieldsTest {
    private static final int LONGEST = 10;

    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void copyFile() throws Exception {
        file = Fixtures.resource("hdf5/records.h5", directory);
    }

    private static byte[] padded(String text) {
        return Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), LONGEST);
    }

    private static byte[] element(int i) {
        return ByteBuffer.allocate(5 * LONGEST - LONGEST + 1 + Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(padded(text(i)))
                .put((byte) i)
                .put(padded("t".repeat(i % 3)))
                .put(padded("u"))
                .put(padded(text(i + 1)))
                .putDouble(i / 4.0)
                .array();
    }

    private static String text(int i) {
        return List.of("", Integer.toString(i), "é€😀" + i, "x".repeat(i % 150)).get(i % 4);
    }

    private static ArraySpec spec(ChunkStore store, String path) throws Exception {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private Plan plan(ChunkStore source, String array, ChunkStore target, String chunks) throws Exception {
        return Rechunker.from(source.at(array))
                .to(target.at(array))
                .chunks(chunks)
                .maxMem("8MB")
                .verify()
                .plan();
    }

    @Test
    void textsArePaddedToTheLongest() throws Exception {
        MemoryStore memory = new MemoryStore();
        try (ChunkStore source = Hdf5.open(file)) {
            assertEquals("record", spec(source, "chunked").dataType().name());
            for (String array : List.of("contiguous", "chunked", "unwritten")) {
                plan(source, array, memory, "keep").execute();
            }
        }
        assertEquals(
                "[[\"name\",\"|S10\"],[\"age\",\"|u1\"],[\"tags\",\"|S10\",[2]],"
                        + "[\"place\",[[\"city\",\"|S10\"],[\"x\",\"<f8\"]]]]",
                spec(memory, "contiguous").dataType().detail());
        ByteBuffer contiguous = ByteBuffer.wrap(memory.elements("contiguous"));
        ByteBuffer chunked = ByteBuffer.wrap(memory.elements("chunked"));
        for (int i = 0; i < 8; i++) {
            byte[] one = element(i);
            byte[] read = new byte[one.length];
            if (i < 7) {
                contiguous.get(read);
                assertArrayEquals(one, read);
            }
            chunked.get(read);
            assertArrayEquals(one, read);
        }
        while (chunked.hasRemaining()) {
            assertEquals(0, chunked.get());
        }
        assertEquals(5 * (4 + 1 + 8), memory.elements("unwritten").length);
    }

    @Test
    void sequencesAreRefusedAndTextsAreALossOfLayout() throws Exception {
        try (ChunkStore source = Hdf5.open(file)) {
            StoreException refused = assertThrows(StoreException.class, () -> source.node("sequences"));
            assertTrue(
                    refused.toString().contains("field \"counts\": elements that are sequences of variable length"),
                    refused.toString());
            Plan plan = Rechunker.from(source)
                    .to(new MemoryStore())
                    .chunks("keep")
                    .maxMem("8MB")
                    .plan();
            assertEquals(
                    4,
                    plan.losses().stream()
                            .filter(loss -> loss.kind() == Loss.Kind.LAYOUT
                                    && loss.sentence().contains("become texts of a fixed length"))
                            .count());
        }
    }

    @Test
    void filesAreJoined() throws Exception {
        Path first = directory.resolve("first.h5");
        Files.copy(file, first);
        MemoryStore memory = new MemoryStore();
        try (ChunkStore one = Hdf5.open(first);
                ChunkStore other = Hdf5.open(file);
                ChunkStore source = Concat.along(0, one.at("simple"), other.at("simple"))) {
            Rechunker.from(source)
                    .to(memory.at("simple"))
                    .chunks("4")
                    .maxMem("8MB")
                    .execute();
        }
        String half = "\0\0\0011" + "\0\0".repeat(4);
        assertEquals(half + half, new String(memory.elements("simple"), StandardCharsets.US_ASCII));
    }

    @Test
    @ReferenceTest
    void otherSoftwareReadsCopies() throws Exception {
        Path zarr2 = directory.resolve("x2.zarr");
        Path zarr3 = directory.resolve("x3.zarr");
        Path hdf5 = directory.resolve("x.h5");
        Path back = directory.resolve("back.h5");
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore v2 = Zarr.create(zarr2);
                ChunkStore v3 = Zarr.create(zarr3);
                ChunkStore again = Hdf5.create(hdf5)) {
            for (ChunkStore target : List.of(v2, v3, again)) {
                Rechunker.Job job = Rechunker.from(source)
                        .to(target)
                        .chunks("...=2")
                        .maxMem("8MB")
                        .verify();
                (target == v2 ? job.format("zarr2") : target == v3 ? job.format("zarr3") : job).execute();
            }
        }
        try (ChunkStore source = Zarr.open(zarr3);
                ChunkStore target = Hdf5.create(back)) {
            Rechunker.from(source).to(target).chunks("keep").maxMem("8MB").execute();
        }
        String[] copies = {file.toString(), hdf5.toString(), back.toString(), zarr2.toString()};
        ReferencePrograms.python(directory, "hdf5/text_fields.py", copies);
        copies[3] = zarr3.toString();
        ReferencePrograms.xarray(directory, "hdf5/text_fields.py", copies);
    }
}
