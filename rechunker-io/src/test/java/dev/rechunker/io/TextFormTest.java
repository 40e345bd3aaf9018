package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts of variable length become texts of fixed length, and come back. */
class TextFormTest {
    @TempDir
    Path temporary;

    private static byte[][] texts() {
        return VariableLengthTest.elements(DataType.text(), 60, 40);
    }

    private static MemoryStore source(byte[][] texts) {
        int longest = VariableLengthTest.longest(texts);
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(6, 10), Shape.of(4, 3)),
                        DataType.text().upTo(longest))
                .fillValue(FillValue.ofContents("né".getBytes(StandardCharsets.UTF_8)))
                .build();
        return MemoryStore.of(spec, VariableLengthTest.padded(texts, longest));
    }

    private static byte[] elements(ChunkStore store) throws IOException, InterruptedException {
        MemoryStore memory = new MemoryStore();
        Rechunker.from(store).to(memory).chunks("keep").maxMem("40MB").verify().execute();
        return memory.elements("");
    }

    private static ArraySpec spec(ChunkStore store) throws IOException {
        return ((ArrayNode) store.node("").orElseThrow()).spec();
    }

    @Test
    void zarrHasTextOfFixedLengthInUtf32() throws Exception {
        byte[][] texts = texts();
        int longest = VariableLengthTest.longest(texts);
        for (ZarrFormat format : ZarrFormat.values()) {
            Path place = temporary.resolve("fixed" + format);
            try (ChunkStore fixed = Zarr.create(place, format);
                    ChunkStore back = Zarr.create(temporary.resolve("back" + format), format)) {
                Rechunker.from(source(texts))
                        .to(fixed)
                        .chunks(3, 7)
                        .maxMem("40MB")
                        .fixedText()
                        .verify()
                        .execute();
                assertEquals(DataType.unicode(longest), spec(fixed).dataType());
                ByteBuffer points = ByteBuffer.wrap(elements(fixed)).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < texts.length; i++) {
                    int[] expected = new String(texts[i], StandardCharsets.UTF_8)
                            .codePoints()
                            .toArray();
                    int[] stored = new int[longest];
                    points.position(4 * longest * i)
                            .slice()
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .asIntBuffer()
                            .get(stored);
                    assertArrayEquals(Arrays.copyOf(expected, longest), stored);
                }
                Rechunker.from(fixed)
                        .to(back)
                        .chunks(5, 5)
                        .maxMem("40MB")
                        .variableText()
                        .verify()
                        .execute();
                assertEquals(DataType.text(), spec(back).dataType());
                assertArrayEquals(VariableLengthTest.padded(texts, longest), elements(back));
                assertArrayEquals(
                        "né".getBytes(StandardCharsets.UTF_8),
                        spec(back).fillValue().contents());
            }
        }
    }

    @Test
    void hdf5HasTextOfFixedLengthInBytes() throws Exception {
        byte[][] texts = texts();
        int longest = VariableLengthTest.longest(texts);
        Path file = temporary.resolve("fixed.h5");
        Rechunker.from(source(texts))
                .to(Hdf5.create(file))
                .chunks(3, 7)
                .maxMem("40MB")
                .fixedText()
                .execute();
        try (ChunkStore fixed = Hdf5.open(file)) {
            assertEquals(
                    DataType.bytes(longest),
                    ((ArrayNode) fixed.node("data").orElseThrow()).spec().dataType());
            assertEquals(
                    "null-padded utf-8",
                    ((ArrayNode) fixed.node("data").orElseThrow())
                            .spec()
                            .hints()
                            .get("hdf5.string"));
            MemoryStore back = new MemoryStore();
            Rechunker.from(fixed.at("data"))
                    .to(back)
                    .chunks("keep")
                    .maxMem("40MB")
                    .variableText()
                    .verify()
                    .execute();
            assertArrayEquals(VariableLengthTest.padded(texts, longest), back.elements(""));
        }
    }

    @Test
    void refusesTextsThatHaveNoFixedLength() {
        for (byte[] wrong :
                new byte[][] {{'a', 0}, {(byte) 0xFF}, {(byte) 0xC3}, {(byte) 0xED, (byte) 0xA0, (byte) 0x80}}) {
            byte[][] texts = texts();
            texts[17] = wrong;
            IOException refused = assertThrows(
                    IOException.class,
                    () -> Rechunker.from(source(texts))
                            .to(new MemoryStore())
                            .chunks("keep")
                            .maxMem("40MB")
                            .fixedText()
                            .execute());
            String message = refused.toString();
            assertTrue(
                    message.contains("ends with a zero character") || message.contains("not valid Unicode"), message);
        }
    }

    @Test
    void advisesTextsOfFixedLengthIfAStoreHasNoOthers() {
        ChunkStore target = new ForwardingStore(new MemoryStore()) {
            @Override
            public ArraySpec resolve(ArraySpec wanted) throws StoreException {
                if (wanted.dataType().isVariable()) {
                    throw new UnsupportedArrayException("this store has no elements of type " + wanted.dataType());
                }
                return super.resolve(wanted);
            }
        };
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(1), Shape.of(1)),
                        DataType.text().upTo(1))
                .build();
        Rechunker.Job job = Rechunker.from(MemoryStore.of(spec, new byte[] {1, 0, 0, 0, 'a'}))
                .to(target)
                .chunks(1)
                .maxMem("1MB");
        StoreException refused = assertThrows(StoreException.class, job::plan);
        assertEquals("fixed-text", refused.advice().get(0).name(), refused.toString());
        assertTrue(String.valueOf(refused.getMessage()).endsWith("with fixedText()"), refused.toString());
    }
}
