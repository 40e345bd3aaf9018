package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Written arrays are read back bit by bit, with the spec that {@code resolve} has returned. */
class RoundTripTest {
    @TempDir
    Path temporary;

    @Test
    void everyTypeWithEveryCodec() throws IOException {
        ChunkStore store = N5.create(temporary.resolve("a.n5"));
        int n = 0;
        for (DataType type : N5Specs.TYPES) {
            for (List<CodecSpec> codecs : N5Specs.codecs()) {
                roundTrip(store, "a" + n++, N5Specs.cube(type).codecs(codecs).build(), n);
            }
        }
    }

    @Test
    void randomShapes() {
        Cases.check(150, random -> {
            ChunkStore store = N5.create(temporary.resolve("r" + random.seed()));
            roundTrip(store, "a/b", N5Specs.random(random), random.seed());
        });
    }

    private static void roundTrip(ChunkStore store, String path, ArraySpec wanted, long seed) throws IOException {
        ArraySpec resolved = store.resolve(wanted);
        assertEquals(resolved, store.resolve(resolved), "resolve changes a resolved spec");
        assertEquals(ByteOrder.BIG_ENDIAN, resolved.byteOrder());
        assertEquals(wanted.codecs().size(), resolved.codecs().size());
        Data data = Data.of(resolved, seed);
        data.write(store, path);
        assertEquals(resolved, N5Specs.found(store, path));
        data.check(store, path);
    }

    /** Random bytes cannot be compressed, and zeros are compressed most. */
    @Test
    void whatDoesNotCompressAndWhatDoes() throws IOException {
        ChunkStore store = N5.create(temporary.resolve("a.n5"));
        int n = 0;
        for (List<CodecSpec> codecs : N5Specs.codecs()) {
            ArraySpec spec = store.resolve(N5Specs.spec(DataType.INT32, new long[] {90, 90, 30}, 60, 64, 30)
                    .codecs(codecs)
                    .build());
            Random random = new Random(n);
            for (Data data : List.of(
                    Data.of(spec, (position, element) -> random(random, position, element)),
                    Data.of(spec, (position, element) -> Arrays.fill(element, (byte) 0)))) {
                data.write(store, "a" + n);
                data.check(store, "a" + n++);
            }
        }
    }

    private static void random(Random random, long position, byte[] element) {
        random.setSeed(position * 0x9E3779B97F4A7C15L);
        random.nextBytes(element);
    }

    /** Blocks with the same size and codec are copied without decoding, so the files are equal. */
    @Test
    void encodedBlocksAreCopied() throws Exception {
        Path first = temporary.resolve("a.n5");
        Path second = temporary.resolve("b.n5");
        ArraySpec spec = N5Specs.cube(DataType.UINT16)
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        Data data = Data.of(N5.create(first).resolve(spec));
        data.write(N5.create(first), "x", unit -> unit != 5);
        assertFalse(Files.exists(first.resolve("x/1/2/0")));
        try (ChunkStore source = N5.open(first);
                ChunkStore target = N5.create(second)) {
            Plan plan = Rechunker.from(source.at("x"))
                    .to(target.at("x"))
                    .chunks("keep")
                    .maxMem("16MB")
                    .plan();
            assertTrue(
                    plan.explain().toString().contains("encoded"),
                    () -> plan.explain().toString());
            plan.execute();
            try (ArrayReader copied = target.openReader("x")) {
                assertArrayEquals(Data.readAll(source.openReader("x")), Data.readAll(copied));
            }
        }
        assertArrayEquals(Files.readAllBytes(first.resolve("x/1/1/1")), Files.readAllBytes(second.resolve("x/1/1/1")));
    }
}
