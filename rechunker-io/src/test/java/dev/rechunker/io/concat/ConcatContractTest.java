package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.ChunkStoreContract;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Nested;

/** A store of joined arrays fulfils the contract of a store, for all kinds of members. */
class ConcatContractTest {
    @Nested
    class Bytes extends Contract {
        Bytes() {
            super(Granularity.BYTES, false);
        }
    }

    @Nested
    class Chunks extends Contract {
        Chunks() {
            super(Granularity.CHUNK, false);
        }
    }

    @Nested
    class PaddedChunks extends Contract {
        PaddedChunks() {
            super(Granularity.CHUNK, true);
        }
    }

    abstract static class Contract extends ChunkStoreContract {
        private final Granularity granularity;
        private final boolean padded;

        Contract(Granularity granularity, boolean padded) {
            this.granularity = granularity;
            this.padded = padded;
        }

        private ChunkStore member(String name) {
            return MemoryStore.builder()
                    .name(name)
                    .granularity(granularity)
                    .paddedEdges(padded)
                    .build();
        }

        @Override
        protected ChunkStore createStore() throws IOException {
            ChunkStore member = member("empty");
            member.writeGroup("", Map.of());
            Data.of(simple()).write(member, "any");
            return Concat.along(0, member.at(""));
        }

        /**
         * Shards that consist of whole chunks wherever members may start, and no irregular chunks that are nominally
         * larger than the array's end allows, as a member with one chunk does not say whether it is regular.
         */
        @Override
        protected boolean supports(ArraySpec spec) {
            for (int axis = 0; axis < spec.shape().rank(); axis++) {
                Partition chunks = spec.chunks().axis(axis);
                if (!chunks.isRegular() && chunks.isClipped()) {
                    return false;
                }
            }
            return spec.shards().isEmpty() || spec.writeUnits().isRegular();
        }

        @Override
        protected ChunkStore fixture(Data data, LongPredicate written) throws IOException {
            Random random = new Random(data.spec().hashCode());
            int rank = data.spec().shape().rank();
            if (rank == 0) {
                ChunkStore member = member("only");
                data.write(member, path(), written);
                Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(1), Shape.of(1)), DataType.INT8)
                                .build())
                        .write(member, "other");
                return Concat.along(0, member.at(""));
            }
            int axis = random.nextInt(rank);
            Partition units = data.spec().writeUnits().axis(axis);
            List<Source> sources = new ArrayList<>();
            for (long unit = 0; unit < units.count() || sources.isEmpty(); ) {
                long next = Math.min(units.count(), unit + 1 + random.nextInt(3));
                sources.add(slice(data, axis, unit, next, written));
                unit = next;
            }
            return Concat.options().atMostOpen(1 + random.nextInt(3)).along(axis, sources);
        }

        private Source slice(Data data, int axis, long unit, long end, LongPredicate written) throws IOException {
            ArraySpec spec = data.spec();
            Partition units = spec.writeUnits().axis(axis);
            Partition chunks = spec.chunks().axis(axis);
            long start = unit == end ? 0 : units.start(unit);
            Partition part = unit == end
                    ? chunks
                    : Slices.parts(chunks, chunks.indexOf(start), chunks.indexOf(units.end(end - 1) - 1) + 1);
            ArraySpec slice = spec.toBuilder()
                    .chunks(Slices.with(spec.chunks(), axis, part))
                    .shards(spec.shards()
                            .map(shards -> Slices.with(shards, axis, Slices.parts(units, unit, end)))
                            .orElse(null))
                    .build();
            ChunkStore member = member("from " + unit);
            Slices.of(data, axis, start, slice).write(member, path(), ordinal -> {
                long[] index = slice.writeUnits().index(ordinal);
                index[axis] += unit;
                return written.test(spec.writeUnits().ordinal(index));
            });
            return Source.of(new StrictStore(member).allowMissing().at(""));
        }
    }
}
