package dev.rechunker.suggest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import dev.rechunker.suggest.ChunkSearch.Choice;
import dev.rechunker.suggest.ReadCosts.ReadCost;
import dev.rechunker.suggest.ReadCosts.Storage;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChunkSearchTest {
    private static ArraySpec array(Shape shape, Shape chunks) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.FLOAT32)
                .build();
    }

    private static List<ReadCosts> costs(ArraySpec array, CostModel model, String... ways) {
        Storage storage = new Storage(model, 2, 1, false);
        return Stream.of(ways)
                .map(way -> new ReadCosts(ReadWay.parse(way), array, storage))
                .toList();
    }

    private static double bytes(Shape chunks) {
        return 4.0 * chunks.elements();
    }

    /** {@return the chunks that every read of a length and their elements need, by going through all positions} */
    private static AxisReads counted(ChunkGrid chunks, List<Long> lengths) {
        double parts = 1;
        double elements = 1;
        for (int axis = 0; axis < chunks.rank(); axis++) {
            long begins = chunks.axis(axis).length() - lengths.get(axis) + 1;
            double touched = 0;
            double inThem = 0;
            for (long begin = 0; begin < begins; begin++) {
                for (long part = 0; part < chunks.axis(axis).count(); part++) {
                    boolean needed = chunks.axis(axis).start(part) < begin + lengths.get(axis)
                            && chunks.axis(axis).end(part) > begin;
                    touched += needed ? 1 : 0;
                    inThem += needed ? chunks.axis(axis).size(part) : 0;
                }
            }
            parts *= touched / begins;
            elements *= inThem / begins;
        }
        return new AxisReads(parts, elements);
    }

    @Test
    void requestsAndBytesAreThoseOfCounting() {
        Random random = new Random(7);
        for (int run = 0; run < 300; run++) {
            Shape shape = Shape.of(1 + random.nextInt(40), 1 + random.nextInt(40), 1 + random.nextInt(40));
            Shape chunks = Shape.of(1 + random.nextInt(12), 1 + random.nextInt(12), 1 + random.nextInt(12));
            ArraySpec array = array(shape, chunks);
            String way = random.nextInt(1, 50) + "," + random.nextInt(1, 50) + ",-1";
            ReadCost cost = costs(array, CostModel.SSD, way).get(0).of(array.chunks(), Optional.empty());
            AxisReads counted = counted(array.chunks(), ReadWay.parse(way).of(array));
            assertEquals(counted.parts(), cost.requests(), 1e-9 * counted.parts());
            assertEquals(4 * counted.elements(), cost.bytes(), 1e-9 * 4 * counted.elements());
        }
    }

    @Test
    void aShardAddsItsIndex() {
        ArraySpec array = array(Shape.of(64, 64), Shape.of(8, 8));
        ReadCosts costs = costs(array, CostModel.SSD, "1,1").get(0);
        ReadCost cost = costs.of(array.chunks(), Optional.of(ChunkGrid.regular(array.shape(), Shape.of(32, 16))));
        assertEquals(2, cost.requests(), 1e-9);
        assertEquals(4 * 64 + 16 * 4 * 2, cost.bytes(), 1e-9);
    }

    @Test
    void everyChoiceIsInTheRangeAndNoneIsBetterThanAnother() {
        Random random = new Random(8);
        for (int run = 0; run < 20; run++) {
            Shape shape = Shape.of(500 + random.nextInt(1000), 100 + random.nextInt(400), 100 + random.nextInt(400));
            ArraySpec array = array(shape, Shape.of(5, 100, 100));
            List<ReadCosts> costs = costs(array, CostModel.SSD, "-1,1,1", "1,-1,-1");
            List<Choice> front = ChunkSearch.front(array, costs, 100_000, 5_000_000);
            for (Choice choice : front) {
                assertTrue(bytes(choice.chunks()) >= 100_000 && bytes(choice.chunks()) <= 5_000_000, choice::toString);
                ChunkGrid grid = ChunkGrid.regular(shape, choice.chunks());
                for (int way = 0; way < 2; way++) {
                    double seconds = costs.get(way).of(grid, Optional.empty()).seconds();
                    assertEquals(seconds, choice.seconds().get(way), 1e-9 * seconds);
                }
                assertTrue(front.stream()
                        .noneMatch(other -> !other.equals(choice)
                                && other.bytes() >= choice.bytes()
                                && other.seconds().get(0) <= choice.seconds().get(0)
                                && other.seconds().get(1) <= choice.seconds().get(1)));
            }
        }
    }

    @Test
    void chunksForOneWayAreThoseOfItsBox() {
        ArraySpec array = array(Shape.of(4000, 256, 256), Shape.of(1, 256, 256));
        List<ReadCosts> costs = costs(array, CostModel.OBJECT_STORE, "-1,16,16");
        Choice best = ChunkSearch.some(ChunkSearch.front(array, costs, 1_000_000, 100_000_000), costs, 5)
                .get(0);
        assertEquals(4000, best.chunks().extent(0));
        assertTrue(best.chunks().extent(1) <= 32 && best.chunks().extent(2) <= 32, best::toString);
    }

    @Test
    void weightsMoveTheBest() {
        ArraySpec array = array(Shape.of(8901, 720, 1440), Shape.of(5, 720, 1440));
        double series = bestLength(costs(array, CostModel.SSD, "-1,1,1", "1,-1,-1@0.01"), array);
        double maps = bestLength(costs(array, CostModel.SSD, "-1,1,1@0.01", "1,-1,-1"), array);
        assertTrue(series > 4 * maps, series + " and " + maps);
    }

    private static long bestLength(List<ReadCosts> costs, ArraySpec array) {
        List<Choice> front = ChunkSearch.front(array, costs, 1_000_000, 100_000_000);
        return ChunkSearch.some(front, costs, 7).get(0).chunks().extent(0);
    }

    @Test
    void smallArraysAndManyAxesAreFound() {
        ArraySpec small = array(Shape.of(3, 4), Shape.of(1, 1));
        List<ReadCosts> costs = costs(small, CostModel.SSD, "1,1");
        assertEquals(
                Shape.of(3, 4),
                ChunkSearch.front(small, costs, 1_000_000, 2_000_000).get(0).chunks());
        Shape shape = Shape.of(30, 20, 40, 50, 60, 70);
        ArraySpec many = array(shape, Shape.of(1, 1, 1, 50, 60, 70));
        costs = costs(many, CostModel.SSD, "-1,1,1,1,1,1", "1,1,1,1,-1,-1");
        assertTrue(ChunkSearch.some(ChunkSearch.front(many, costs, 1_000_000, 8_000_000), costs, 7)
                        .size()
                > 2);
        ArraySpec scalar = array(Shape.of(), Shape.of());
        costs = List.of(new ReadCosts(ReadWay.parse("...=1"), scalar, new Storage(CostModel.SSD, 1, 1, false)));
        assertEquals(Shape.of(), ChunkSearch.front(scalar, costs, 1, 100).get(0).chunks());
    }
}
