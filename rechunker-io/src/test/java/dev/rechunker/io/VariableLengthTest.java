package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Cases;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts, bytes and sequences of any length keep their contents, whatever their chunks, format and limit are. */
class VariableLengthTest {
    @TempDir
    Path temporary;

    /** {@return elements whose contents say where they are, with empty, short and a few long ones} */
    static byte[][] elements(DataType type, int count, int longest) {
        byte[][] elements = new byte[count][];
        for (int i = 0; i < count; i++) {
            String text = switch (i % 5) {
                case 0 -> "";
                case 1 -> Integer.toString(i);
                case 2 -> "é€😀" + i;
                case 3 -> "element " + i + " of " + count;
                default -> i % 97 == 4 ? "x".repeat(longest) : "y" + i;
            };
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int whole = type.kind() == DataType.Kind.SEQUENCE ? bytes.length / 4 * 4 : bytes.length;
            elements[i] = Arrays.copyOf(bytes, whole);
        }
        return elements;
    }

    /** {@return elements as readers deliver them} */
    static byte[] padded(byte[][] elements, int longest) {
        int size = DataType.LENGTH_SIZE + longest;
        ByteBuffer all = ByteBuffer.allocate(elements.length * size).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < elements.length; i++) {
            all.position(i * size).putInt(elements[i].length).put(elements[i]);
        }
        return all.array();
    }

    static int longest(byte[][] elements) {
        int longest = 0;
        for (byte[] element : elements) {
            longest = Math.max(longest, element.length);
        }
        return longest;
    }

    static MemoryStore source(DataType type, byte[][] elements, Shape shape, Shape chunks) {
        int longest = longest(elements);
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, chunks), type.upTo(longest))
                .codecs(List.of(CodecSpec.of("zstd")))
                .build();
        return MemoryStore.of(spec, padded(elements, longest));
    }

    private static Report copy(ChunkStore from, ChunkStore to, String chunks, String limit)
            throws IOException, InterruptedException {
        return Rechunker.from(from).to(to).chunks(chunks).maxMem(limit).verify().execute();
    }

    private static byte[] elementsOf(ChunkStore store) throws IOException, InterruptedException {
        MemoryStore memory = new MemoryStore();
        copy(store, memory, "keep", "200MB");
        return memory.elements("");
    }

    /** The least limit in the message is that of the array in the group that needs most, and is enough for all. */
    @Test
    void aLimitThatIsTooSmallToFindTheLongestElementsRefusesTheGroup() throws IOException, InterruptedException {
        byte[][] elements = elements(DataType.text(), 200_000, 50);
        try (ChunkStore group = Zarr.create(temporary.resolve("group"), ZarrFormat.V3)) {
            for (int chunk : new int[] {50, 200_000, 1000}) {
                ChunkStore array = source(DataType.text(), elements, Shape.of(200_000), Shape.of(chunk));
                Rechunker.from(array)
                        .to(group.at("by" + chunk))
                        .chunks("1000")
                        .maxMem("60MB")
                        .execute();
            }
            Rechunker.Chunked job = Rechunker.from(group).to(new MemoryStore()).chunks("1000");
            InfeasiblePlanException e = assertThrows(
                    InfeasiblePlanException.class, () -> job.maxMem("1").plan());
            assertTrue(String.valueOf(e.getMessage()).contains("finding the longest element of "), e.getMessage());
            Plan plan = job.maxMem(ByteSize.of(e.minimumMemory())).plan();
            assertEquals(3, plan.arrays().size(), e.getMessage());
            assertEquals(
                    List.of(),
                    plan.losses().stream()
                            .filter(loss -> loss.kind() == Loss.Kind.ARRAY)
                            .toList());
        }
    }

    @Test
    void keepsElementsBetweenVersionsOfZarr() {
        Cases.check(12, cases -> {
            DataType type = cases.oneOf(DataType.text(), DataType.binary());
            int rows = (int) cases.between(1, 60);
            int columns = (int) cases.between(1, 40);
            byte[][] elements = elements(type, rows * columns, (int) cases.between(1, 300));
            Shape shape = Shape.of(rows, columns);
            MemoryStore source =
                    source(type, elements, shape, Shape.of(cases.between(1, rows), cases.between(1, columns)));
            Path directory = temporary.resolve("case" + System.nanoTime());
            try (ChunkStore two = Zarr.create(directory.resolve("two"), ZarrFormat.V2);
                    ChunkStore three = Zarr.create(directory.resolve("three"), ZarrFormat.V3)) {
                copy(source, two, cases.between(1, rows) + ", " + cases.between(1, columns), "40MB");
                Rechunker.from(two)
                        .to(three)
                        .chunks(cases.between(1, rows), cases.between(1, columns))
                        .maxMem("40MB")
                        .shards("-1, -1")
                        .verify()
                        .execute();
                assertArrayEquals(padded(elements, longest(elements)), elementsOf(two));
                assertArrayEquals(padded(elements, longest(elements)), elementsOf(three));
            }
        });
    }

    @Test
    void keepsSequencesInZarr2() throws Exception {
        DataType type = DataType.sequence(DataType.INT32);
        byte[][] elements = elements(type, 500, 200);
        try (ChunkStore two = Zarr.create(temporary.resolve("two"), ZarrFormat.V2)) {
            copy(source(type, elements, Shape.of(500), Shape.of(33)), two, "70", "40MB");
            assertEquals(type, ((ArrayNode) two.node("").orElseThrow()).spec().dataType());
            assertArrayEquals(padded(elements, longest(elements)), elementsOf(two));
        }
    }

    @Test
    void saysTheLongestElementAndRefusesALongerOne() throws Exception {
        DataType type = DataType.text();
        byte[][] elements = elements(type, 100, 50);
        Path place = temporary.resolve("grows");
        try (ChunkStore store = Zarr.create(place)) {
            copy(source(type, elements, Shape.of(100), Shape.of(10)), store, "10", "40MB");
            Plan plan = Rechunker.from(store)
                    .to(new MemoryStore())
                    .chunks(20)
                    .maxMem("40MB")
                    .plan();
            assertTrue(plan.explain().contains("string of up to 50 bytes"), plan.explain());
            elements[7] = "z".repeat(51).getBytes(StandardCharsets.UTF_8);
            try (ChunkStore again = Zarr.create(place)) {
                Rechunker.from(source(type, elements, Shape.of(100), Shape.of(10)))
                        .to(again)
                        .chunks(10)
                        .maxMem("40MB")
                        .overwrite()
                        .execute();
            }
            IOException failure = assertThrows(IOException.class, plan::execute);
            assertTrue(failure.toString().contains("make a new plan"), failure.toString());
        }
    }

    @Test
    void appendsLongerAndShorterElements() throws Exception {
        DataType type = DataType.text();
        byte[][] first = elements(type, 30, 20);
        byte[][] second = elements(type, 25, 90);
        second[4] = "w".repeat(90).getBytes(StandardCharsets.UTF_8);
        try (ChunkStore store = Zarr.create(temporary.resolve("appended"));
                ChunkStore more = Zarr.create(temporary.resolve("more"))) {
            copy(source(type, first, Shape.of(30), Shape.of(7)), store, "8", "40MB");
            copy(source(type, second, Shape.of(25), Shape.of(9)), more, "6", "40MB");
            Rechunker.from(more)
                    .into(store.at(""))
                    .append(0)
                    .maxMem("40MB")
                    .verify()
                    .execute();
            byte[][] both = new byte[55][];
            System.arraycopy(first, 0, both, 0, 30);
            System.arraycopy(second, 0, both, 30, 25);
            assertArrayEquals(padded(both, 90), elementsOf(store));
        }
    }

    @Test
    void refusesElementsThatExceedTheLimitWithTheNumbers() throws Exception {
        byte[][] elements = elements(DataType.text(), 1000, 30);
        elements[500] = new byte[50_000];
        Arrays.fill(elements[500], (byte) 'q');
        ArraySpec small = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(1000), Shape.of(10)),
                        DataType.text().upTo(50_000))
                .fillValue(FillValue.ofContents(new byte[0]))
                .build();
        try (ChunkStore store = Zarr.create(temporary.resolve("long"))) {
            copy(MemoryStore.of(small, padded(elements, 50_000)), store, "1000", "400MB");
            InfeasiblePlanException refused = assertThrows(
                    InfeasiblePlanException.class,
                    () -> copy(store, Zarr.create(temporary.resolve("never")), "100", "8MB"));
            assertTrue(String.valueOf(refused.getMessage()).contains("take 50.0 kB each"), refused.toString());
            copy(store, Zarr.create(temporary.resolve("once")), "100", "20MB");
        }
    }
}
