package dev.rechunker.exec;

import static java.util.Objects.requireNonNull;

import com.google.common.io.Closer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The temporary copy of one block in files, with the layout of {@link SpillLayout}. Its first bytes may stay in memory.
 *
 * <p>Consecutive windows share a file. There are several files, because threads that write to the same file wait for
 * each other. Pieces of zero bytes are not written: the file has its full length, and reads as zeros there. A file is
 * deleted when its last window is done.
 */
final class SpillFile implements SpillBlock {
    private static final int MOST_FILES = 64;
    /** The most files of a copy that several processes share, unless it has more blocks. */
    private static final int MOST_SHARED_FILES = 1 << 16;

    private final List<SpillPart> parts = new ArrayList<>();
    private final Spills spills;
    private final ArraySpec spec;
    private final ChunkGrid reads;
    private final ChunkGrid windows;
    private final Region windowIndices;
    private final SpillLayout layout;
    private final long bytes;
    private final Resident resident;
    private final @Nullable SpillCodec codec;
    private final byte[] zero;
    private boolean lacksResident;

    /** How the files of a block are opened. */
    enum Opening {
        /** They are created, and what an earlier run has left is replaced. */
        CREATE,
        /** Those of an earlier run are used. */
        RESUME,
        /** They are created for several processes. */
        CREATE_SHARED,
        /**
         * This process writes pieces, while others write other pieces. It cannot read, because some network file
         * systems write more than was changed if a page has been read before.
         */
        WRITE_SHARED,
        /** This process reads what several processes have written. */
        READ_SHARED;

        boolean creates() {
            return this == CREATE || this == CREATE_SHARED;
        }

        private boolean isShared() {
            return this == CREATE_SHARED || this == WRITE_SHARED || this == READ_SHARED;
        }
    }

    /**
     * One of the temporary copies of a plan.
     *
     * @param array the number of the array in the run
     * @param number the number of the copy
     * @param source the array that is copied
     */
    record Copy(int array, CopyPlan plan, int number, ArraySpec source) {
        private ChunkGrid blocks() {
            return plan.strategy().copies().get(number).blocks();
        }

        /** {@return the number of a block} */
        long block(Region region) {
            return blocks().ordinal(blocks().chunksTouching(region).origin());
        }

        /** {@return the array in pieces, which do not cross windows} */
        ArraySpec pieces() {
            return ArraySpec.builder(plan.stages().get(number).units(), source.dataType())
                    .byteOrder(source.byteOrder())
                    .fillValue(source.fillValue())
                    .build();
        }

        private Stage reading() {
            return plan.stages().get(number + 1);
        }

        /** {@return the most files of a block} All files of a run of several processes exist at once. */
        private int mostFiles(Opening opening) {
            long each = opening.isShared() ? MOST_SHARED_FILES / blocks().count() : MOST_FILES;
            return (int) Math.max(1, Math.min(each, MOST_FILES));
        }
    }

    /**
     * Opens the files of a block.
     *
     * @param spills the place of the files
     * @param copy the copy
     * @param region the region of the block
     * @param resident the part that stays in memory
     * @param isDone whether a window was done by an earlier run
     * @throws dev.rechunker.store.StoreException if files that must exist are missing or incomplete
     */
    static SpillFile open(
            Spills spills, Copy copy, Region region, Resident resident, Opening opening, Predicate<Region> isDone)
            throws IOException {
        SpillCodec codec = copy.plan().strategy().compressed()
                ? requireNonNull(spills.codec(), "the plan compresses spills, but there is no codec")
                : null;
        SpillFile spill = new SpillFile(spills, copy, region, resident, codec);
        spill.count(copy.mostFiles(opening), isDone);
        try {
            spill.open(spills, copy.array() + "-" + copy.number() + "-" + copy.block(region), opening);
            return spill;
        } catch (IOException | RuntimeException e) {
            spill.close();
            throw e;
        }
    }

    private void open(Spills spills, String block, Opening opening) throws IOException {
        // Source chunks that are read again are written again.
        Opening how = opening == Opening.RESUME && lacksResident ? Opening.CREATE : opening;
        if (how == Opening.CREATE) {
            spills.createPlace();
        } else if (how == Opening.RESUME) {
            spills.requirePlace();
        }
        for (int i = 0; i < parts.size(); i++) {
            SpillPart part = parts.get(i);
            if (part.end > part.start) {
                part.open(spills, spills.file(block, i), part.end - part.start, how);
            }
        }
    }

    private SpillFile(Spills spills, Copy copy, Region region, Resident resident, @Nullable SpillCodec codec) {
        Stage reading = copy.reading();
        this.spills = spills;
        this.spec = copy.pieces();
        int itemSize = spec.dataType().itemSize();
        this.reads = reading.source();
        this.windows = reading.windows();
        this.windowIndices = windows.chunksTouching(region);
        this.layout = new SpillLayout(
                region, windows, spec.chunks(), reading.units(), itemSize, codec == null ? 0 : CompressedPieces.HEAD);
        this.bytes = region.elements() * itemSize;
        this.resident = resident;
        this.codec = codec;
        this.zero = new byte[itemSize];
    }

    private void count(int mostFiles, Predicate<Region> isDone) {
        for (int i = 0; i < Math.min(windowIndices.elements(), mostFiles); i++) {
            parts.add(new SpillPart());
        }
        Odometer odometer = new Odometer(windowIndices);
        while (odometer.next()) {
            long[] window = odometer.index();
            SpillPart part = part(window);
            long offset = layout.start(window);
            part.start = Math.min(part.start, Math.max(offset, resident.bytes()));
            part.end = Math.max(part.end, layout.end(window));
            if (!isDone.test(windows.region(window))) {
                part.expectWindow();
                lacksResident |= offset < resident.bytes();
            }
        }
    }

    /** {@return the array in pieces} */
    ArraySpec spec() {
        return spec;
    }

    /** {@return the regions with contiguous elements in C order: pieces, or several pieces in sequence} */
    ChunkGrid reads() {
        return reads;
    }

    SpillLayout layout() {
        return layout;
    }

    Resident resident() {
        return resident;
    }

    /** {@return the file of a region that does not cross windows} */
    SpillPart part(Region region) {
        return part(windows.chunksTouching(region).origin());
    }

    /** {@return whether the rest of a piece must be written: unless it is zero, or its windows are done} */
    boolean isNeeded(SpillPart part, ByteBuffer data) {
        return !part.isDone() && !StridedCopy.isFilled(data, data.position(), data.remaining(), zero);
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
        return Math.max(0, bytes - resident.bytes());
    }

    @Override
    public void finish(Region window) {
        SpillPart part = part(windows.chunksTouching(window).origin());
        if (part.countDownWindows()) {
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
        RunDirectory.forceNames(spills.place());
        RunDirectory.forceNames(spills.directory());
    }

    @Override
    public ArrayReader reader(LongConsumer counter) {
        return codec == null ? new PlainPieces.Reader(this, counter) : CompressedPieces.reader(this, codec, counter);
    }

    @Override
    public ArrayWriter writer(LongConsumer counter) {
        return codec == null ? new PlainPieces.Writer(this, counter) : CompressedPieces.writer(this, codec, counter);
    }

    @Override
    public void close() throws IOException {
        Closer closer = Closer.create();
        parts.forEach(closer::register);
        closer.close();
    }
}
