package dev.rechunker.io.microscopy;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.RegionView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A level of an image, with the axes t, c, z, y, x, of arrays with the axes z, y, x: one for each time point and
 * channel. They are opened when the level is asked for.
 */
final class StackedLevel {
    /** The most arrays that a reader has open at the same time, each with the index of its chunks. */
    private static final int OPEN = 16;

    private final List<StoreLocation> members;
    private final int channels;
    private final Shape size;
    private final boolean isUnsigned;
    private @Nullable ChunkStore stacked;

    /**
     * Creates it.
     *
     * @param members the arrays: all channels of the first time point, then those of the next one
     * @param size the extents of z, y, x that belong to the image; what arrays have beyond is padding
     * @param isUnsigned whether integers are unsigned, although the arrays say that they are not
     */
    StackedLevel(List<StoreLocation> members, int channels, Shape size, boolean isUnsigned) {
        this.members = List.copyOf(members);
        this.channels = channels;
        this.size = size;
        this.isUnsigned = isUnsigned;
    }

    /** {@return the level as one array} */
    ArraySpec spec() throws IOException {
        if (stacked().node("").orElseThrow() instanceof ChunkStore.ArrayNode array) {
            return folded(array.spec());
        }
        throw new StoreException(members.get(0) + " is a group, not an array");
    }

    /** {@return a reader of the level, which the caller closes} */
    ArrayReader open() throws IOException {
        ArrayReader reader = stacked().openReader("");
        return new Folded(reader, folded(reader.spec()));
    }

    /** {@return what is not kept of the arrays} */
    List<String> omissions() throws IOException {
        return stacked().omissions("");
    }

    /** {@return the arrays, clipped to the size of the image, along one axis} */
    private synchronized ChunkStore stacked() throws IOException {
        ChunkStore store = stacked;
        if (store == null) {
            store = Concat.options()
                    .atMostOpen(OPEN)
                    .stack("array", Concat.sources(members.toArray(StoreLocation[]::new)));
            if (store.node("").orElseThrow() instanceof ChunkStore.ArrayNode array) {
                store = new RegionView(store, "the image", (path, spec) -> Region.of(new long[4], part(spec)));
                part(array.spec());
                requireInside(array.spec().shape());
            }
            stacked = store;
        }
        return store;
    }

    private Shape part(ArraySpec spec) {
        return Shape.of(spec.shape().extent(0), size.extent(0), size.extent(1), size.extent(2));
    }

    private void requireInside(Shape stored) throws StoreException {
        boolean inside = stored.rank() == 4;
        for (int axis = 0; inside && axis < 3; axis++) {
            inside = size.extent(axis) <= stored.extent(axis + 1);
        }
        if (!inside) {
            throw new StoreException(members.get(0) + " is an array without the elements of an image of " + size
                    + ": its shape is " + stored + " with all time points and channels");
        }
    }

    /** {@return the spec with an axis of time and one of channels in place of the first} */
    private ArraySpec folded(ArraySpec flat) {
        List<Partition> axes = new ArrayList<>(flat.chunks().axes());
        long times = flat.shape().extent(0) / channels;
        axes.set(0, Partition.regular(channels, 1));
        axes.add(0, Partition.regular(times, 1));
        return ArraySpec.builder(ChunkGrid.of(axes), type(flat.dataType()))
                .byteOrder(flat.byteOrder())
                .fillValue(flat.fillValue())
                .codecs(flat.codecs())
                .dimensionNames(StackDescription.AXES)
                .build();
    }

    private DataType type(DataType stored) {
        if (!isUnsigned || stored.kind() != DataType.Kind.INT) {
            return stored;
        }
        return switch (stored.itemSize()) {
            case 1 -> DataType.UINT8;
            case 2 -> DataType.UINT16;
            case 4 -> DataType.UINT32;
            default -> DataType.UINT64;
        };
    }

    /** A reader of the level by means of one with the arrays along one axis. */
    private final class Folded extends ForwardingStore.Reader {
        private final ArraySpec spec;

        Folded(ArrayReader flat, ArraySpec spec) {
            super(flat);
            this.spec = spec;
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            if (!Region.whole(spec.shape()).contains(region) || region.extent(0) != 1 || region.extent(1) != 1) {
                throw new IllegalArgumentException(region + " is no part of a chunk of " + spec.chunks());
            }
            long[] origin = {
                region.start(0) * channels + region.start(1), region.start(2), region.start(3), region.start(4)
            };
            Shape shape = Shape.of(1, region.extent(2), region.extent(3), region.extent(4));
            return delegate().read(Region.of(origin, shape), target, scratch);
        }

        @Override
        public Optional<EncodedSource> encoded() {
            return Optional.empty();
        }

        @Override
        public Optional<EncodedChunks> encodedChunks() {
            return Optional.empty();
        }
    }
}
