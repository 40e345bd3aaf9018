package dev.rechunker.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Any part of an array can be read as an array. */
class RegionViewTest {
    private static MemoryStore store(Granularity granularity, boolean padded) {
        return MemoryStore.builder()
                .granularity(granularity)
                .paddedEdges(padded)
                .build();
    }

    private static Region region(Cases random, Shape shape) {
        long[] origin = new long[shape.rank()];
        long[] extents = new long[shape.rank()];
        for (int axis = 0; axis < origin.length; axis++) {
            long from = random.between(0, shape.extent(axis));
            origin[axis] = from;
            extents[axis] = random.between(0, shape.extent(axis) - from);
        }
        return Region.of(origin, Shape.of(extents));
    }

    @Test
    void anyPartOfAnyArrayIsRead() {
        for (Granularity granularity : Granularity.values()) {
            Cases.check(300, random -> {
                ArraySpec spec = random.spec();
                Data data = Data.of(spec, random.seed());
                MemoryStore store = store(granularity, random.random().nextBoolean());
                LongPredicate written = random.random().nextBoolean() ? unit -> true : unit -> unit % 3 != 1;
                data.write(store, "", written);
                Region region = region(random, spec.shape());
                StrictStore strict = new StrictStore(store).allowMissing();
                RegionView view = new RegionView(strict, region.toString(), (path, whole) -> region);
                try (ArrayReader reader = view.openReader("")) {
                    assertEquals(
                            new ChunkStore.ArrayNode(reader.spec()),
                            view.node("").orElseThrow());
                    assertEquals(region.shape(), reader.spec().shape());
                    data.assertSame(region, data.elements(region, written), Data.readAll(reader));
                    if (granularity == Granularity.BYTES && written.test(1) && written.test(4)) {
                        data.part(region, reader.spec()).checkParts(reader, random.random());
                    }
                }
                strict.assertClosed();
            });
        }
    }

    /** The contract for a part that starts at a write unit of a larger array, so that its grid is regular. */
    abstract static class Contract extends ChunkStoreContract {
        private final Granularity granularity;
        private final boolean padded;

        Contract(Granularity granularity, boolean padded) {
            this.granularity = granularity;
            this.padded = padded;
        }

        @Override
        protected ChunkStore createStore() {
            return new RegionView(store(granularity, padded), "all", (path, spec) -> Region.whole(spec.shape()));
        }

        @Override
        protected boolean supports(ArraySpec spec) {
            boolean supported = spec.chunks().isRegular() && spec.writeUnits().isRegular();
            for (int axis = 0; axis < spec.shape().rank(); axis++) {
                supported &= spec.writeUnits().axis(axis).step()
                                % spec.chunks().axis(axis).step()
                        == 0;
            }
            return supported;
        }

        @Override
        protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
            ArraySpec spec = data.spec();
            long[] origin = new long[spec.shape().rank()];
            List<Long> ends = new ArrayList<>();
            for (int axis = 0; axis < origin.length; axis++) {
                origin[axis] = spec.writeUnits().axis(axis).step();
                ends.add(origin[axis]
                        + spec.shape().extent(axis)
                        + (axis + spec.shape().extent(0)) % 3);
            }
            Region region = Region.of(origin, spec.shape());
            Shape shape = Shape.of(ends.stream().mapToLong(Long::longValue).toArray());
            ArraySpec large = spec.toBuilder()
                    .shards(spec.shards()
                            .map(shards -> ChunkGrid.regular(shape, shards.chunkShape()))
                            .orElse(null))
                    .chunks(ChunkGrid.regular(shape, spec.chunks().chunkShape()))
                    .build();
            Data around = Data.of(large, (position, element) -> {
                long[] index = index(large.shape(), position);
                Region one = Region.of(index, Shape.of(ones(index.length)));
                if (region.contains(one)) {
                    long[] back = new long[index.length];
                    for (int axis = 0; axis < back.length; axis++) {
                        back[axis] = -origin[axis];
                    }
                    System.arraycopy(data.elements(one.moved(back)), 0, element, 0, element.length);
                }
            });
            MemoryStore store = store(granularity, padded);
            around.write(store, path(), ordinal -> {
                Region unit = large.writeUnits().regionAt(ordinal);
                return unit.intersect(region)
                        .map(part -> {
                            long[] index = large.writeUnits().index(ordinal);
                            for (int axis = 0; axis < index.length; axis++) {
                                index[axis]--;
                            }
                            return written.test(spec.writeUnits().ordinal(index));
                        })
                        .orElse(true);
            });
            return new RegionView(store, region.toString(), (path, whole) -> region);
        }

        private static long[] index(Shape shape, long position) {
            long[] index = new long[shape.rank()];
            long rest = position;
            for (int axis = index.length - 1; axis >= 0; axis--) {
                index[axis] = rest % shape.extent(axis);
                rest /= shape.extent(axis);
            }
            return index;
        }

        private static long[] ones(int rank) {
            long[] ones = new long[rank];
            Arrays.fill(ones, 1);
            return ones;
        }
    }

    @Nested
    class Bytes extends Contract {
        Bytes() {
            super(Granularity.BYTES, false);
        }
    }

    @Nested
    class Streams extends Contract {
        Streams() {
            super(Granularity.STREAM, true);
        }
    }

    @Nested
    class Chunks extends Contract {
        Chunks() {
            super(Granularity.CHUNK, true);
        }
    }
}
