package dev.rechunker.exec;

import com.google.common.io.Closer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Stage;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private final List<SpillPart> parts = new ArrayList<>();
    private final Path directory;
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

    /**
     * Creates the files, or opens those of an earlier run.
     *
     * @param spills the place of the files
     * @param block an identifier of the block, for the names of the files
     * @param region the region of the block
     * @param pieces the array in pieces, which do not cross windows
     * @param reading the stage that will read the copy; pieces that do not cross its units are stored by unit
     * @param resident the part that stays in memory
     * @param codec the codec that compresses pieces, none of which stays in memory then; null without compression
     * @param written whether an earlier run has written a part of the copy
     * @param isDone whether a window was done by an earlier run
     * @throws dev.rechunker.store.StoreException if data of an earlier run are missing
     */
    static SpillFile create(
            Spills spills,
            String block,
            Region region,
            ArraySpec pieces,
            Stage reading,
            Resident resident,
            @Nullable SpillCodec codec,
            boolean written,
            Predicate<Region> isDone)
            throws IOException {
        Files.createDirectories(spills.directory());
        SpillFile spill = new SpillFile(spills.directory(), region, pieces, reading, resident, codec);
        spill.count(isDone);
        try {
            for (int i = 0; i < spill.parts.size(); i++) {
                SpillPart part = spill.parts.get(i);
                if (part.end > part.start) {
                    // Source chunks that are read again are written again.
                    boolean complete = written && !spill.lacksResident;
                    part.open(spills, spills.file(block, i), part.end - part.start, complete);
                }
            }
            return spill;
        } catch (IOException | RuntimeException e) {
            spill.close();
            throw e;
        }
    }

    private SpillFile(
            Path directory,
            Region region,
            ArraySpec spec,
            Stage reading,
            Resident resident,
            @Nullable SpillCodec codec) {
        int itemSize = spec.dataType().itemSize();
        this.directory = directory;
        this.spec = spec;
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

    private void count(Predicate<Region> isDone) {
        for (int i = 0; i < Math.min(windowIndices.elements(), MOST_FILES); i++) {
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
        RunDirectory.forceNames(directory);
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
