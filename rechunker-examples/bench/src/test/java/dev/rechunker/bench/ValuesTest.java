package dev.rechunker.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.DataType;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValuesTest {
    private static final Shape ARRAY = Shape.of(11, 13, 41);

    private static ByteBuffer filled(Values values, DataType type, Region region) {
        ByteBuffer out =
                ByteBuffer.allocate((int) region.elements() * type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        values.fill(ARRAY, type, region, out);
        return out.flip();
    }

    @ParameterizedTest
    @EnumSource
    void partsAreThoseOfTheWhole(Values values) {
        Random random = new Random(3);
        for (DataType type :
                List.of(DataType.INT8, DataType.UINT16, DataType.INT32, DataType.FLOAT32, DataType.FLOAT64)) {
            ByteBuffer whole = filled(values, type, Region.whole(ARRAY));
            long[] strides = StridedCopy.denseStrides(ARRAY.toArray(), type.itemSize());
            for (int i = 0; i < 50; i++) {
                long[] origin = new long[3];
                long[] extents = new long[3];
                long offset = 0;
                for (int axis = 0; axis < 3; axis++) {
                    origin[axis] = random.nextInt((int) ARRAY.extent(axis));
                    extents[axis] = 1L + random.nextInt((int) (ARRAY.extent(axis) - origin[axis]));
                    offset += origin[axis] * strides[axis];
                }
                Region region = Region.of(origin, Shape.of(extents));
                ByteBuffer part = filled(values, type, region);
                ByteBuffer expected = ByteBuffer.allocate(part.capacity());
                long[] dense = StridedCopy.denseStrides(extents, type.itemSize());
                StridedCopy.copy(whole, offset, strides, expected, 0, dense, extents, type.itemSize(), 1);
                assertEquals(expected, part, region.toString());
            }
        }
    }

    @Test
    void walksInSmallStepsAndRisesWithTheFirstAxis() {
        ByteBuffer walk = filled(Values.WALK, DataType.INT32, Region.whole(ARRAY));
        long rise = 0;
        for (int i = 0; i < walk.limit() / 4; i++) {
            if (i % 41 != 0) {
                assertTrue(Math.abs(walk.getInt(4 * i) - walk.getInt(4 * i - 4)) <= 3);
            } else {
                rise += walk.getInt(4 * i) - i / 41 / 13;
                assertTrue(Math.abs(walk.getInt(4 * i) - i / 41 / 13) <= 3);
            }
        }
        assertTrue(Math.abs(rise) < 143, "starts are spread around the index: " + rise);
    }

    @Test
    void onesAreFew() {
        ByteBuffer sparse = filled(Values.SPARSE, DataType.INT8, Region.whole(ARRAY));
        int ones = 0;
        while (sparse.hasRemaining()) {
            ones += sparse.get();
        }
        assertEquals(0.03, (double) ones / ARRAY.elements(), 0.01);
    }
}
