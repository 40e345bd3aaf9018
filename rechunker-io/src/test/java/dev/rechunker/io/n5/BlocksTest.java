package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Blocks with sizes, modes and contents that our own writer does not write. */
class BlocksTest {
    @TempDir
    Path temporary;

    /** Creates an array without blocks. */
    private Path array(String name, ArraySpec spec) throws IOException {
        ChunkStore store = N5.create(temporary.resolve(name));
        try (ArrayWriter writer = store.create("x", store.resolve(spec), false)) {
            writer.commit();
        }
        return temporary.resolve(name);
    }

    private static byte[] head(int mode, int... sizesAndCount) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        int axes = mode == 1 ? sizesAndCount.length - 1 : sizesAndCount.length;
        out.writeShort(mode);
        if (mode != 2) {
            out.writeShort(axes);
        }
        for (int size : sizesAndCount) {
            out.writeInt(size);
        }
        return bytes.toByteArray();
    }

    private static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.write(part);
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(byte[]... members) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] member : members) {
            try (OutputStream out = new GZIPOutputStream(bytes)) {
                out.write(member);
            }
        }
        return bytes.toByteArray();
    }

    private static void put(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, bytes);
    }

    /**
     * Blocks may have any size with at most the nominal number of elements. Elements outside of the array are ignored;
     * elements that are not stored are zero.
     */
    @Test
    void blocksOfAnySizeAreRead() {
        Cases.check(200, random -> {
            int rank = (int) random.between(1, 4);
            Shape shape = Cases.of(random.seed()).shape(rank).combine(Shape.of(ones(rank)), Math::max);
            ArraySpec spec = ArraySpec.builder(random.regularGrid(shape), DataType.UINT16)
                    .codecs(random.random().nextBoolean() ? List.of() : CodecSpec.parse("gzip"))
                    .build();
            Path container = array("b" + random.seed(), spec);
            Shape nominal = spec.chunks().chunkShape();
            byte[] expected = new byte[Math.toIntExact(spec.bytes())];
            for (long ordinal = 0; ordinal < Math.min(6, spec.chunks().count()); ordinal++) {
                Region region = spec.chunks().regionAt(ordinal);
                long[] stored = new long[rank];
                do {
                    for (int axis = 0; axis < rank; axis++) {
                        stored[axis] = random.between(1, nominal.extent(axis) + 2);
                    }
                } while (Shape.of(stored).elements() > nominal.elements());
                List<Byte> payload = new ArrayList<>();
                long[] index = new long[rank];
                for (long i = 0; i < Shape.of(stored).elements(); i++) {
                    int value = random.random().nextInt(1, 1 << 16);
                    payload.add((byte) (value >> 8));
                    payload.add((byte) value);
                    long at = 0;
                    boolean inside = true;
                    for (int axis = 0; axis < rank; axis++) {
                        inside &= index[axis] < region.extent(axis);
                        at = at * shape.extent(axis) + region.start(axis) + index[axis];
                    }
                    if (inside) {
                        expected[(int) at * 2] = (byte) (value >> 8);
                        expected[(int) at * 2 + 1] = (byte) value;
                    }
                    for (int axis = rank - 1; axis >= 0 && ++index[axis] == stored[axis]; axis--) {
                        index[axis] = 0;
                    }
                }
                byte[] elements = new byte[payload.size()];
                for (int i = 0; i < elements.length; i++) {
                    elements[i] = payload.get(i);
                }
                int[] sizes = new int[rank];
                StringBuilder key = new StringBuilder("x");
                for (int axis = rank - 1; axis >= 0; axis--) {
                    sizes[rank - 1 - axis] = (int) stored[axis];
                    key.append('/').append(region.start(axis) / nominal.extent(axis));
                }
                byte[] encoded = spec.codecs().isEmpty() ? elements : gzip(elements);
                put(container.resolve(key.toString()), join(head(0, sizes), encoded));
            }
            try (ChunkStore store = N5.open(container);
                    ArrayReader reader = store.openReader("x")) {
                assertArrayEquals(expected, Data.readAll(reader), () -> spec.toString());
            }
        });
    }

    private static long[] ones(int rank) {
        long[] ones = new long[rank];
        Arrays.fill(ones, 1);
        return ones;
    }

    @Test
    void blocksOfMode1WithAllElementsAreRead() throws IOException {
        ArraySpec spec = N5Specs.spec(DataType.UINT8, new long[] {2, 3}, 2, 3)
                .codecs(CodecSpec.parse("gzip"))
                .build();
        byte[] elements = {1, 2, 3, 4, 5, 6};
        for (byte[] block : List.of(
                join(head(0, 3, 2), gzip(elements)),
                join(head(1, 3, 2, 6), gzip(elements)),
                join(head(0, 3, 2), gzip(new byte[] {1, 2}, new byte[] {}, new byte[] {3, 4, 5, 6})))) {
            Path container = array("m" + block.length, spec);
            put(container.resolve("x/0/0"), block);
            try (ChunkStore store = N5.open(container);
                    ArrayReader reader = store.openReader("x")) {
                assertArrayEquals(elements, Data.readAll(reader));
            }
        }
    }

    @Test
    void invalidBlocksAreNamed() throws IOException {
        ArraySpec raw = N5Specs.spec(DataType.UINT8, new long[] {2, 3}, 2, 3).build();
        byte[] six = new byte[6];
        Path container = array("refused", raw);
        Object[][] cases = {
            {join(head(1, 3, 2, 5), new byte[5]), "mode 1, variable length"},
            {join(head(2, 7), six), "mode 2, serialised objects"},
            {join(head(3, 3, 2), six), "the unknown mode 3"},
            {join(head(0, 3, 2, 1), six), "3 axes, but the array has 2"},
            {join(head(0, 6), six), "1 axes"},
            {join(head(0, 3, 2), new byte[5]), "5 bytes of elements"},
            {join(head(0, 3, 2), new byte[7]), "7 bytes of elements"},
            {join(head(0, 4, 2), new byte[8]), "more elements"},
            {head(0, -1, -1), "more than 2^63 elements"},
            {head(0, 0x7fffffff, 0x7fffffff), "more elements"},
            {join(head(0, 0, 2), six), "without elements"},
            {new byte[] {0, 0, 0, 2, 0, 0}, "too few"},
            {new byte[0], "too few"}
        };
        for (Object[] refused : cases) {
            put(container.resolve("x/0/0"), (byte[]) refused[0]);
            try (ChunkStore store = N5.open(container);
                    ArrayReader reader = store.openReader("x")) {
                Region block = raw.chunks().regionAt(0);
                for (Executable read : List.<Executable>of(
                        () -> Data.readAll(reader),
                        () -> reader.encoded()
                                .orElseThrow()
                                .openEncoded(block)
                                .orElseThrow()
                                .close())) {
                    StoreException e = assertThrows(StoreException.class, read);
                    String message = String.valueOf(e.getMessage());
                    assertTrue(message.contains((String) refused[1]) && message.contains("#x, chunk x/0/0"), message);
                }
            }
        }
    }
}
