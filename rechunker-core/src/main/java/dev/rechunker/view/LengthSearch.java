package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.VariableLength;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A search for the longest element of variable length of an array, by several threads. How many bytes the elements of a
 * chunk take is not known in advance, so a chunk that does not fit is read again with more memory.
 */
final class LengthSearch {
    /** The bytes of the elements of a chunk that are tried first. */
    private static final long FIRST = 1 << 20;

    private static final int GROWTH = 2;
    /** The most elements whose lengths are read at once if chunks can be read in parts. */
    private static final long PART = 1 << 16;

    private final ChunkStore store;
    private final VariableLength lengths;
    private final String path;
    private final ScanLimits limits;

    /**
     * Creates a search.
     *
     * @param limits what it may take
     */
    LengthSearch(ChunkStore store, String path, ScanLimits limits) {
        this.store = store;
        this.lengths = store.variableLength().orElseThrow();
        this.path = path;
        this.limits = limits;
    }

    /**
     * {@return the lengths of the longest element, which may be the fill value, and of the elements of a chunk}
     *
     * @throws InfeasiblePlanException if one chunk takes more memory
     * @throws StoreException if what is stored cannot be decoded in the memory, or an element is too long
     */
    ElementLengths lengths() throws IOException {
        long longest = 0;
        long next = 0;
        StoreException failure = null;
        for (long bytes = FIRST; ; bytes *= GROWTH) {
            try (Pass pass = new Pass(bytes)) {
                if (!pass.fits()) {
                    if (failure == null) {
                        throw tooLarge(pass.needs());
                    }
                    throw unlessLarger(failure, bytes);
                }
                longest = Math.max(longest, pass.fill());
                long begin = next;
                List<Lane> lanes = new ArrayList<>();
                try {
                    ChunkScan.run(pass.threads(), pass.count() - begin, 1, () -> {
                        Lane lane = new Lane(pass, begin);
                        lanes.add(lane);
                        return lane;
                    });
                } finally {
                    // Chunks that others have read after one that did not fit are read again.
                    next = lanes.stream().mapToLong(lane -> lane.chunk).min().orElse(begin);
                    longest = Math.max(
                            longest,
                            lanes.stream().mapToLong(lane -> lane.longest).max().orElse(0));
                }
                return new ElementLengths(requireSupported(longest), bytes);
            } catch (TooLong e) {
                failure = e.failure;
            }
        }
    }

    private int requireSupported(long longest) throws StoreException {
        if (longest > DataType.LONGEST) {
            throw new StoreException(store.at(path) + " has an element of " + longest + " bytes; elements of more than "
                    + DataType.LONGEST + " bytes are not supported");
        }
        return (int) longest;
    }

    private InfeasiblePlanException tooLarge(long needs) {
        return new InfeasiblePlanException(
                "finding the longest element of " + store.at(path) + " takes more", limits.bytes(), needs);
    }

    private StoreException unlessLarger(StoreException failure, long bytes) {
        return new StoreException(
                store.at(path) + " has elements of variable length, and the longest cannot be found in a limit of "
                        + ByteSize.of(limits.bytes())
                        + " of memory: a chunk is damaged, or its elements take more than "
                        + ByteSize.of(bytes / GROWTH) + ": " + failure.getMessage(),
                failure);
    }

    /** Elements that take more memory than the pass has, or that are damaged. */
    private static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        private final StoreException failure;

        TooLong(StoreException failure) {
            super(failure);
            this.failure = failure;
        }
    }

    /** A pass over the chunks, with one size of memory for each thread. */
    private final class Pass implements AutoCloseable {
        private final ArrayReader reader;
        private final ChunkGrid grid;
        private final RegionRead read;

        Pass(long bytes) throws IOException {
            this.reader = lengths.openLengths(path, bytes);
            ArraySpec spec = reader.spec();
            this.grid = spec.chunks();
            this.read = new RegionRead(spec, reader.traits(), spec, grid);
        }

        long count() {
            return grid.count();
        }

        /** {@return the length of the fill value, of which there may be others than in the spec of the array} */
        long fill() {
            return reader.spec().fillValue().contents().length;
        }

        /** {@return the elements of which lengths are read at once, at most} */
        private long part() {
            long chunk = grid.largestChunk().elements();
            return RegionRead.readsBytes(reader.traits()) ? Math.min(PART, chunk) : chunk;
        }

        long needs() {
            return Math.addExact(
                    Math.multiplyExact(part(), (long) DataType.LENGTH_SIZE),
                    Math.addExact(read.scratchBytes(), reader.traits().nativeBytes()));
        }

        boolean fits() {
            return needs() <= Math.min(limits.bytes(), Integer.MAX_VALUE);
        }

        int threads() {
            return ChunkScan.threads(limits, 0, needs(), "finding the longest element of " + store.at(path));
        }

        @Override
        public void close() throws IOException {
            reader.close();
        }
    }

    /** The memory of a thread, and the longest element that it has found. */
    private static final class Lane implements ChunkScan.Lane {
        private final Pass pass;
        private final long begin;
        private final ByteBuffer buffer;
        private final ByteBuffer scratch;
        private long longest;
        /** The chunk that is being read, or that could not be read; the largest number if there is none. */
        private long chunk = Long.MAX_VALUE;

        Lane(Pass pass, long begin) {
            this.pass = pass;
            this.begin = begin;
            this.buffer = ByteBuffer.allocateDirect((int) (pass.part() * DataType.LENGTH_SIZE));
            this.scratch = ByteBuffer.allocateDirect((int) pass.read.scratchBytes());
        }

        @Override
        public void accept(long after) throws IOException {
            chunk = begin + after;
            Region region = pass.grid.regionAt(chunk);
            ChunkGrid parts = ChunkGrid.contiguous(region.shape(), pass.part());
            for (long i = 0; i < parts.count(); i++) {
                longest = Math.max(longest, longest(parts.regionAt(i).moved(region.origin())));
            }
            chunk = Long.MAX_VALUE;
        }

        private long longest(Region region) throws IOException {
            int bytes = (int) (region.elements() * DataType.LENGTH_SIZE);
            boolean isThere;
            try {
                isThere = pass.read.read(pass.reader, region, buffer.slice(0, bytes), new Scratch(scratch.duplicate()));
            } catch (StoreException e) {
                throw new TooLong(e);
            }
            ByteBuffer found = buffer.slice(0, isThere ? bytes : 0).order(ByteOrder.LITTLE_ENDIAN);
            long most = 0;
            while (found.hasRemaining()) {
                most = Math.max(most, found.getInt());
            }
            return most;
        }
    }
}
