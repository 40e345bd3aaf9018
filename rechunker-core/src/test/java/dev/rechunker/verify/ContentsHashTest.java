package dev.rechunker.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checksum is the one that the documentation defines: the expected ones are those of its Python function. */
class ContentsHashTest {
    private static ArraySpec spec(DataType type, ByteOrder order, long... shape) {
        Shape extents = Shape.of(shape);
        Shape chunks = extents.combine(extents, (extent, same) -> Math.max(1, extent));
        return ArraySpec.builder(ChunkGrid.regular(extents, chunks), type)
                .byteOrder(order)
                .fillValue(FillValue.zero(type.itemSize()))
                .build();
    }

    private static ByteBuffer elements(ArraySpec spec) {
        return ByteBuffer.allocate(Math.toIntExact(spec.bytes())).order(spec.byteOrder());
    }

    /** {@return the checksum of an array whose elements are added at once} */
    private static String hash(ArraySpec spec, ByteBuffer elements) {
        ContentsHash hash = new ContentsHash(spec);
        if (!spec.shape().isEmpty()) {
            long[] strides = StridedCopy.denseStrides(
                    spec.shape().toArray(), spec.dataType().itemSize());
            hash.accept(Region.whole(spec.shape()), elements.clear(), 0, strides);
        }
        return hash.text();
    }

    @Test
    void bothByteOrdersAreThePythonFunctions() {
        for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            ArraySpec ints = spec(DataType.INT32, order, 4, 6);
            ByteBuffer bytes = elements(ints);
            for (int i = 0; i < 24; i++) {
                bytes.putInt(i);
            }
            assertEquals("4f31248e2df9bc2d1cb84ebed110b2dda48b571765204a14303f6747e4a92f48", hash(ints, bytes));
            ArraySpec doubles = spec(DataType.FLOAT64, order, 3);
            assertEquals(
                    "2169b24702ce4621e7f6eb90fae4b060b8f4743a775c8c733a67d37c1fef86eb",
                    hash(
                            doubles,
                            elements(doubles).putDouble(1.5).putDouble(-0.0).putDouble(Double.NaN)));
            ArraySpec large = spec(DataType.COMPLEX128, order, 2, 1);
            assertEquals(
                    "453fb23e54955dc809aa8b16bb291dcce586bd1c4fed024538445b9455dbc2fd",
                    hash(
                            large,
                            elements(large)
                                    .putDouble(1)
                                    .putDouble(2)
                                    .putDouble(3)
                                    .putDouble(-4)));
            ArraySpec small = spec(DataType.COMPLEX64, order, 2, 1);
            assertEquals(
                    "95a75834b1c4d509c648b563e9f0a9e5003efb5d987ae668ddd41b2b19f08957",
                    hash(
                            small,
                            elements(small).putFloat(1).putFloat(2).putFloat(3).putFloat(-4)));
            ArraySpec text = spec(DataType.unicode(3), order, 2);
            ByteBuffer points = elements(text);
            for (char c : new char[] {'a', 'b', 0, 'a', 'b', 'c'}) {
                points.putInt(c);
            }
            String named = "unicode3";
            assertEquals(named, text.dataType().name());
            assertEquals("dd6faaf10e26826ea54faf1af324526dc0510d43140b2c5a859097e0edc43e20", hash(text, points));
        }
    }

    @Test
    void otherShapesAndTypesAreThePythonFunctions() {
        ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        ArraySpec scalar = spec(DataType.FLOAT32, order);
        assertEquals(
                "0dfc5be8745f2a013752107e140fdb2cd9700ce6b257b8af28619cdc2fb2c69b",
                hash(scalar, elements(scalar).putFloat(7)));
        ArraySpec empty = spec(DataType.UINT8, order, 0, 3);
        assertEquals("18939d73d007999a969aec9dea128b3bd3b632d78cbcce74315d25331ab28832", hash(empty, elements(empty)));
        ArraySpec bytes = spec(DataType.UINT8, order, 2);
        assertEquals(
                "34a325be2cc56525300654123122487167356fdf961e02d616274512bd287ee3",
                hash(bytes, elements(bytes).put((byte) 200).put((byte) 3)));
        ArraySpec text = spec(DataType.bytes(10), order, 2);
        byte[] letters = "ab\0\0\0\0\0\0\0\0abcdefghij".getBytes(StandardCharsets.US_ASCII);
        assertEquals(
                "9541278380ca45eaa093ec0c37f5b8879e50ee5c117b2561bf3c557c7e608dbc",
                hash(text, elements(text).put(letters)));
    }

    @Test
    void elementsOfVariableLengthDoNotDependOnTheLongest() {
        for (int longest : new int[] {18, 19, 100}) {
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(2, 2), Shape.of(2, 2)),
                            DataType.text().upTo(longest))
                    .build();
            ByteBuffer elements = elements(spec);
            int at = 0;
            for (String text : List.of("", "abc", "abcdefgh", "é€😀 and more")) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                elements.position(at).putInt(bytes.length);
                elements.put(bytes);
                at += spec.dataType().itemSize();
            }
            assertEquals("f4c0c2c9b2117f9a438e637f9c5f1a49bf39d1c611b67e77c41af890659ae1df", hash(spec, elements));
        }
    }

    /** Parts of any shape, in any order, some of them never written, add up to the same checksum. */
    @Test
    void partsAddUpInAnyOrder() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int rank = 1 + random.nextInt(3);
            long[] shape = random.longs(rank, 1, 12).toArray();
            DataType type = List.of(
                            DataType.UINT8, DataType.INT16, DataType.FLOAT32, DataType.COMPLEX128, DataType.bytes(3))
                    .get(random.nextInt(5));
            ArraySpec spec = spec(type, random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, shape);
            ChunkGrid parts = ChunkGrid.regular(
                    spec.shape(), Shape.of(random.longs(rank, 1, 6).toArray()));
            byte[] all = new byte[Math.toIntExact(spec.bytes())];
            random.nextBytes(all);
            List<Region> order = new ArrayList<>();
            for (long part = 0; part < parts.count(); part++) {
                order.add(parts.regionAt(part));
            }
            Collections.shuffle(order, random);
            long[] strides = StridedCopy.denseStrides(shape, type.itemSize());
            ContentsHash hash = new ContentsHash(spec);
            for (Region part : order) {
                long offset = part.offsetIn(Region.whole(spec.shape()), strides);
                if (random.nextInt(4) == 0) {
                    StridedCopy.fill(
                            ByteBuffer.wrap(all), offset, strides, part.shape().toArray(), new byte[type.itemSize()]);
                    hash.accept(part, null, 0, strides);
                } else {
                    hash.accept(part, ByteBuffer.wrap(all), offset, strides);
                }
            }
            assertEquals(hash(spec, ByteBuffer.wrap(all)), hash.text(), spec::toString);
            all[random.nextInt(all.length)] ^= (byte) (1 << random.nextInt(8));
            assertNotEquals(hash(spec, ByteBuffer.wrap(all)), hash.text(), spec::toString);
        }
    }

    @Test
    void exchangedElementsAreNoticed() {
        ArraySpec spec = spec(DataType.INT16, ByteOrder.LITTLE_ENDIAN, 3);
        assertNotEquals(
                hash(spec, elements(spec).putShort((short) 1).putShort((short) 2)),
                hash(spec, elements(spec).putShort((short) 2).putShort((short) 1)));
        ArraySpec column = spec(DataType.INT16, ByteOrder.LITTLE_ENDIAN, 3, 1);
        assertNotEquals(hash(spec, elements(spec)), hash(column, elements(column)), "the shape is part of it");
    }
}
