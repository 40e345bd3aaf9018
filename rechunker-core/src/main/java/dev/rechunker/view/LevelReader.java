package dev.rechunker.view;

import com.google.common.math.LongMath;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.reduce.Reducer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a level of a pyramid, which reduces elements of the level above. That is opened with the first read: when
 * a copy is planned, it does not exist yet.
 *
 * <p>A chunk is the reduction of as few whole chunks of the level above as possible, so that each is read once.
 */
final class LevelReader implements ArrayReader {
    /** The most chunks of the level above that are reduced to one, beyond the chunks that are smaller than a box. */
    private static final long MOST_CHUNKS = 8;

    /** The most chunks of an irregular axis whose borders are kept. */
    private static final long MOST_CUTS = 1 << 20;

    private final StoreLocation above;
    private final ArraySpec aboveSpec;
    private final ReadTraits aboveTraits;
    private final ArraySpec spec;
    private final Reducer reducer;
    private final RegionRead read;
    private final ReadTraits traits;
    private @Nullable ArrayReader opened;

    /**
     * Creates it.
     *
     * @param above the location of the level above
     * @param aboveSpec the spec that it will have
     * @param aboveTraits how it will be read
     * @param level the level, in any chunks
     */
    LevelReader(
            StoreLocation above,
            ArraySpec aboveSpec,
            ReadTraits aboveTraits,
            ArraySpec level,
            Pyramid pyramid,
            int[] step) {
        this.above = above;
        this.aboveSpec = aboveSpec;
        this.aboveTraits = aboveTraits;
        this.reducer = new Reducer(aboveSpec, pyramid.method(), step);
        ChunkGrid chunks = chunks(aboveSpec.chunks(), level.shape(), step);
        this.spec = level.toBuilder().shards(null).chunks(chunks).build();
        ChunkGrid boxes = boxes(chunks, aboveSpec.shape(), step);
        this.read = new RegionRead(aboveSpec, aboveTraits, aboveSpec, boxes);
        Shape largest = boxes.largestChunk();
        long boxBytes = aboveSpec.shape().isEmpty()
                ? 0
                : Math.multiplyExact(
                        largest.elements(), (long) aboveSpec.dataType().itemSize());
        this.traits = ReadTraits.of(ReadTraits.Granularity.CHUNK)
                .withScratchBytes(Math.addExact(boxBytes, read.scratchBytes()))
                .withNativeBytes(aboveTraits.nativeBytes() + reducer.workBytes(largest))
                .withHeldBytes(aboveTraits.heldBytes());
    }

    private static ChunkGrid chunks(ChunkGrid above, Shape shape, int[] step) {
        List<Partition> axes = new ArrayList<>();
        long chunks = 1;
        for (int axis = 0; axis < step.length; axis++) {
            Partition cut = above.axis(axis);
            long extent = shape.extent(axis);
            if (!cut.isRegular() && cut.count() <= MOST_CUTS) {
                axes.add(reduced(cut, step[axis]));
                continue;
            }
            long size = Math.max(1, cut.maxSize());
            long common = Math.min(step[axis] / LongMath.gcd(size, step[axis]), Math.max(1, cut.count()));
            boolean whole = common * size <= Math.max(size, step[axis]) || chunks * common <= MOST_CHUNKS;
            chunks *= whole ? common : 1;
            long reduced = (whole ? common : 1) * size;
            axes.add(Partition.regular(
                    extent, Math.max(1, Math.min(extent, LongMath.divide(reduced, step[axis], RoundingMode.CEILING)))));
        }
        return ChunkGrid.of(axes);
    }

    /** {@return the cuts of irregular chunks, moved to the next border of boxes} */
    private static Partition reduced(Partition cut, int step) {
        List<Long> sizes = new ArrayList<>();
        long before = 0;
        for (long i = 0; i < cut.count(); i++) {
            long end = LongMath.divide(cut.end(i), step, RoundingMode.CEILING);
            if (end > before) {
                sizes.add(end - before);
                before = end;
            }
        }
        return Partition.ofSizes(sizes.stream().mapToLong(Long::longValue).toArray());
    }

    /** {@return the regions of the level above that chunks are the reductions of} */
    private static ChunkGrid boxes(ChunkGrid chunks, Shape above, int[] step) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < step.length; axis++) {
            Partition cut = chunks.axis(axis);
            long extent = above.extent(axis);
            if (cut.isRegular()) {
                axes.add(Partition.regular(
                        extent, Math.max(1, Math.min(Math.max(1, extent), cut.step() * step[axis]))));
                continue;
            }
            long[] sizes = new long[Math.toIntExact(cut.count())];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = Math.min(extent, cut.end(i) * step[axis]) - cut.start(i) * step[axis];
            }
            axes.add(Partition.ofSizes(sizes));
        }
        return ChunkGrid.of(axes);
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public ReadTraits traits() {
        return traits;
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
        Region box = reducer.box(region, Region.whole(aboveSpec.shape()));
        int mark = scratch.mark();
        try {
            int itemSize = spec.dataType().itemSize();
            ByteBuffer elements = scratch.take(box.elements() * itemSize);
            if (!read.read(reader(), box, elements.duplicate(), scratch)) {
                return false;
            }
            reducer.reduce(
                    elements,
                    box.shape(),
                    target.slice(),
                    0,
                    StridedCopy.denseStrides(region.shape().toArray(), itemSize));
            return true;
        } finally {
            scratch.release(mark);
        }
    }

    private synchronized ArrayReader reader() throws IOException {
        ArrayReader reader = opened;
        if (reader == null) {
            reader = above.store().openReader(above.path());
            opened = reader;
            if (!reader.spec().equals(aboveSpec) || !reader.traits().equals(aboveTraits)) {
                throw new StoreException(above + " is not as it was planned: it is " + reader.spec() + ", not "
                        + aboveSpec + "; plan again");
            }
        }
        return reader;
    }

    @Override
    public synchronized long storedBytesRead() {
        return opened == null ? 0 : opened.storedBytesRead();
    }

    @Override
    public synchronized void close() throws IOException {
        if (opened != null) {
            opened.close();
        }
    }
}
