package dev.rechunker.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Boxes are cut into pieces that fit a buffer and have each element once. */
class CutTest {
    @Test
    void piecesHaveEachElementOnceAndFit() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            int rank = random.nextInt(5);
            long[] whole = random.longs(rank, 1, 8).toArray();
            long[] box = whole.clone();
            for (int axis = 0; axis < rank; axis++) {
                box[axis] = random.nextLong(1, whole[axis] + 1);
            }
            int first = rank == 0 ? 0 : random.nextInt(rank);
            int most = 1 + random.nextInt(40);
            Cut cut = Cut.of(box, first, whole, most);
            assertTrue(cut.axis() >= first, "seed " + seed);

            Shape shape = Shape.of(box);
            int[] times = new int[(int) shape.elements()];
            for (long number = 0; number < cut.pieces(box); number++) {
                Region piece = cut.piece(box, number);
                long read = rank == 0 ? 1 : piece.extent(cut.axis());
                for (int axis = 0; axis < rank; axis++) {
                    assertTrue(axis >= cut.axis() || piece.extent(axis) == 1, "seed " + seed);
                    read *= axis > cut.axis() ? whole[axis] : 1;
                }
                assertTrue(read <= most, "seed " + seed + ": " + piece + " of " + most);
                Odometer elements = new Odometer(piece);
                while (elements.next()) {
                    times[(int) Region.whole(shape).ordinal(elements.index())]++;
                }
            }
            assertTrue(Arrays.stream(times).allMatch(t -> t == 1), "seed " + seed);
        }
    }

    /** Pieces have about equal sizes, and those of a smaller box are not larger. */
    @Test
    void piecesAreEven() {
        Cut cut = Cut.of(new long[] {10, 7}, 0, new long[] {10, 7}, 30);
        assertEquals(new Cut(0, 4), cut);
        assertEquals(3, cut.pieces(new long[] {10, 7}));
        assertEquals(2, cut.pieces(new long[] {5, 7}));
        assertEquals(Region.of(new long[] {4, 0}, Shape.of(1, 7)), cut.piece(new long[] {5, 7}, 1));
    }
}
