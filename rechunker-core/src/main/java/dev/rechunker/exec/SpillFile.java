package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.NestedLayout;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * The temporary copy of one block in files: window after window, in a window piece after piece, in a piece the elements
 * in C order. The first bytes of it may stay in memory.
 *
 * <p>Consecutive windows share a file, of which there are a few, because threads that write to one file wait for one
 * another. Pieces of nothing but zero bytes are left out: a file is as long as if they were there, and what was not
 * written reads as zeros. A file is deleted when its last window is done.
 */
final class SpillFile implements SpillBlock {
    private static final int MOST_FILES = 64;

    private final List<SpillPart> parts = new ArrayList<>();
    private final Path directory;
    private final ArraySpec spec;
    private final ChunkGrid windows;
    private final Region windowIndices;
    private final NestedLayout windowLayout;
    /** What makes up a window: units, if no piece crosses one, else pieces. */
    private final ChunkGrid inWindow;

    private final List<Integer> order;
    private final Resident resident;
    private final byte[] zero;
    private boolean lacksResident;

    /**
     * Creates the files, or opens those that an earlier run has left.
     *
     * @param spills where they are
     * @param block tells this block from all others, for their names
     * @param region what they hold
     * @param windows the windows that will be read
     * @param pieces the array in pieces, which cross no window
     * @param units what the windows are made of; pieces that cross no unit lie together by unit
     * @param resident the part that stays in memory
     * @param written whether an earlier run has written some of it
     * @param isDone whether an earlier run is done with a window
     * @throws dev.rechunker.store.StoreException if something that was written is gone
     */
    static SpillFile create(
            Spills spills,
            String block,
            Region region,
            ChunkGrid windows,
            ArraySpec pieces,
            ChunkGrid units,
            Resident resident,
            boolean written,
            Predicate<Region> isDone)
            throws IOException {
        Files.createDirectories(spills.directory());
        SpillFile spill = new SpillFile(spills.directory(), pieces, windows, region, units, resident);
        spill.count(isDone);
        try {
            for (int i = 0; i < spill.parts.size(); i++) {
                SpillPart part = spill.parts.get(i);
                if (part.end > part.start) {
                    // What is read anew is written again.
                    boolean complete = written && !spill.lacksResident;
                    part.open(spills, spills.file(block, i), part.end - part.start, complete);
                }
            }
            return spill;
        } catch (IOException e) {
            spill.close();
            throw e;
        }
    }

    private SpillFile(
            Path directory, ArraySpec spec, ChunkGrid windows, Region region, ChunkGrid units, Resident resident) {
        this.directory = directory;
        boolean byUnit = spec.chunks().combine(units, Partition::refine).equals(spec.chunks());
        this.inWindow = byUnit ? units : windows;
        this.spec = spec;
        this.windows = windows;
        this.windowIndices = windows.chunksTouching(region);
        this.order = Odometer.naturalOrder(region.rank());
        this.windowLayout = new NestedLayout(windows, region, order);
        this.resident = resident;
        this.zero = new byte[spec.dataType().itemSize()];
    }

    private void count(Predicate<Region> isDone) {
        for (int i = 0; i < Math.min(windowIndices.elements(), MOST_FILES); i++) {
            parts.add(new SpillPart());
        }
        Odometer odometer = new Odometer(windowIndices);
        while (odometer.next()) {
            long[] window = odometer.index();
            SpillPart part = part(window);
            long offset = bytes(windowLayout.offset(window));
            part.start = Math.min(part.start, Math.max(offset, resident.bytes()));
            part.end = Math.max(part.end, offset + bytes(windows.region(window).elements()));
            if (!isDone.test(windows.region(window))) {
                part.expectWindow();
                lacksResident |= offset < resident.bytes();
            }
        }
    }

    private long bytes(long elements) {
        return elements * spec.dataType().itemSize();
    }

    private SpillPart part(long[] window) {
        return parts.get((int) (windowIndices.ordinal(window) * parts.size() / windowIndices.elements()));
    }

    @Override
    public boolean lacksResident() {
        return lacksResident;
    }

    @Override
    public long bytes() {
        return Math.max(0, bytes(windowLayout.elements()) - resident.bytes());
    }

    @Override
    public void done(Region window) {
        SpillPart part = part(windows.chunksTouching(window).origin());
        if (part.wasLast()) {
            try {
                part.delete();
            } catch (IOException e) {
                throw new UncheckedIOException("the spill " + part.path() + " cannot be deleted", e);
            }
        }
    }

    @Override
    public void force() throws IOException {
        for (SpillPart part : parts) {
            part.force();
        }
        RunDirectory.force(directory);
    }

    /** {@return a reader of any part of a piece} */
    @Override
    public ArrayReader reader(LongConsumer told) {
        return new Reader(told);
    }

    @Override
    public ArrayWriter writer(LongConsumer told) {
        return new Writer(told);
    }

    @Override
    public void close() throws IOException {
        for (SpillPart part : parts) {
            part.close();
        }
    }

    /** {@return the bytes of the block before a piece} */
    private long offset(Region piece, long[] window) {
        long[] outer = inWindow.chunksTouching(piece).origin();
        long[] index = spec.chunks().chunksTouching(piece).origin();
        return bytes(windowLayout.offset(window)
                + new NestedLayout(inWindow, windows.region(window), order).offset(outer)
                + new NestedLayout(spec.chunks(), inWindow.region(outer), order).offset(index));
    }

    private final class Reader implements ArrayReader {
        private final LongConsumer told;

        Reader(LongConsumer told) {
            this.told = told;
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public ReadTraits traits() {
            return new ReadTraits(ReadTraits.Granularity.BYTES, false, 0, 0);
        }

        @Override
        public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
            Region piece =
                    spec.chunks().region(spec.chunks().chunksTouching(region).origin());
            long[] window = windows.chunksTouching(piece).origin();
            SpillPart part = part(window);
            long start = offset(piece, window);
            told.accept(
                    region.equals(piece) ? fill(part, target, start) : readRuns(part, start, piece, region, target));
            return true;
        }

        private long readRuns(SpillPart part, long start, Region piece, Region region, ByteBuffer target)
                throws IOException {
            long[] strides = StridedCopy.denseStrides(
                    piece.shape().toArray(), spec.dataType().itemSize());
            // The last axes that are whole make one run together with the axis before them.
            int split = region.rank() - 1;
            while (split > 0 && region.extent(split) == piece.extent(split)) {
                split--;
            }
            long run = spec.dataType().itemSize();
            for (int axis = Math.max(split, 0); axis < region.rank(); axis++) {
                run *= region.extent(axis);
            }
            long[] runs = region.shape().toArray();
            for (int axis = Math.max(split, 0); axis < runs.length; axis++) {
                runs[axis] = 1;
            }
            Odometer odometer = new Odometer(Region.whole(Shape.of(runs)));
            int position = target.position();
            long ofFile = 0;
            while (odometer.next()) {
                long at = start;
                for (int axis = 0; axis < runs.length; axis++) {
                    at += (region.start(axis) - piece.start(axis) + odometer.at(axis)) * strides[axis];
                }
                ofFile += fill(part, target.slice(position, (int) run), at);
                position += (int) run;
            }
            return ofFile;
        }

        /** Fills what remains of the target; {@return how much of it was in a file} */
        private long fill(SpillPart part, ByteBuffer target, long at) throws IOException {
            int inMemory = resident.length(at, target.remaining());
            resident.read(at, target);
            int ofFile = target.remaining();
            long from = at + inMemory - part.start;
            while (target.hasRemaining()) {
                int read = part.channel().read(target, from);
                if (read < 0) {
                    throw new EOFException("the spill " + part.path() + " ends at "
                            + part.channel().size() + ", before " + from);
                }
                from += read;
            }
            return ofFile;
        }

        @Override
        public void close() {}
    }

    private final class Writer implements ArrayWriter {
        private final LongConsumer told;

        Writer(LongConsumer told) {
            this.told = told;
        }

        @Override
        public ArraySpec spec() {
            return spec;
        }

        @Override
        public WriteTraits traits() {
            return new WriteTraits(false, 0, 0);
        }

        @Override
        public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            long[] window = windows.chunksTouching(unit).origin();
            long at = offset(unit, window);
            long to = at + resident.length(at, data.remaining());
            resident.write(at, data);
            told.accept(data.remaining());
            SpillPart part = part(window);
            // What is read anew for other windows may be of one that is done.
            if (part.isDone() || StridedCopy.isFilled(data, data.position(), data.remaining(), zero)) {
                return;
            }
            FileChannel channel = part.channel();
            to -= part.start;
            while (data.hasRemaining()) {
                to += channel.write(data, to);
            }
        }

        @Override
        public void commit() {}

        @Override
        public void close() {}
    }
}
