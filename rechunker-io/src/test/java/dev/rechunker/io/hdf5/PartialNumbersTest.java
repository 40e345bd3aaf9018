package dev.rechunker.io.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads numbers that use only some of the bits of their bytes, in partial.h5 of make_partial.py. */
class PartialNumbersTest {
    private static final float[] FLOATS = {0, -0f, 1, -1.5f, 3.25f};

    @TempDir
    Path directory;

    private static ArraySpec spec(ChunkStore store, String path) throws Exception {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static Plan plan(ChunkStore source, ChunkStore target) throws Exception {
        return Rechunker.from(source)
                .to(target)
                .chunks("...=4")
                .maxMem("8MB")
                .verify()
                .plan();
    }

    @Test
    void numbersBecomeThoseOfAllBits() throws Exception {
        MemoryStore memory = new MemoryStore();
        try (ChunkStore source = Hdf5.open(Fixtures.resource("hdf5/partial.h5", directory))) {
            Plan plan = plan(source, memory);
            List<String> losses = Loss.sentences(plan.losses().stream()
                    .filter(loss ->
                            loss.kind() == Loss.Kind.LAYOUT && loss.sentence().contains(" become "))
                    .toList());
            assertTrue(
                    losses.stream().anyMatch(loss -> loss.endsWith("integers of 24 bits in 4 bytes become int32")),
                    losses::toString);
            plan.execute();
        }
        assertEquals(DataType.UINT16, spec(memory, "u12 at 4").dataType());
        assertEquals(-5L, spec(memory, "i12").attributes().get("five"));
        assertEquals(List.of(0.5, -1.5), spec(memory, "i12").attributes().get("halves"));
        for (int i = 0; i < 20; i++) {
            int small = (i - 10) * 200;
            assertEquals(small, elements(memory, "i12").getShort(2 * i));
            assertEquals(small, elements(memory, "i12 at 3").getShort(2 * i));
            assertEquals(small + 2000, elements(memory, "u12 at 4").getShort(2 * i));
            assertEquals(small * 4000, elements(memory, "i24 at 5").getInt(4 * i));
            assertEquals((long) small << 36, elements(memory, "i50").getLong(8 * i));
        }
        for (int i = 0; i < FLOATS.length; i++) {
            assertEquals(FLOATS[i], elements(memory, "bfloat16").getFloat(4 * i));
            assertEquals(FLOATS[i], elements(memory, "f20 at 7").getFloat(4 * i));
            assertEquals(FLOATS[i], elements(memory, "f40").getDouble(8 * i));
        }
    }

    private static ByteBuffer elements(MemoryStore memory, String path) {
        return ByteBuffer.wrap(memory.elements(path)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    @ReferenceTest
    void h5pyReadsTheSame() throws Exception {
        Path file = Fixtures.resource("hdf5/partial.h5", directory);
        Path copy = directory.resolve("copy.h5");
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore target = Hdf5.create(copy)) {
            plan(source, target).execute();
        }
        ReferencePrograms.xarray(directory, "hdf5/partial.py", file.toString(), copy.toString());
    }
}
