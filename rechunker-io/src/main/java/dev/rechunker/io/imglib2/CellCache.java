package dev.rechunker.io.imglib2;

import static java.util.Objects.requireNonNullElse;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.UncheckedExecutionException;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import net.imglib2.img.basictypeaccess.DataAccess;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.util.Cast;

/**
 * The cells of a {@link StoredImg}, within a memory bound.
 *
 * <p>A part of the bound is for reading: for a few loaders, and for one cell of each that is about to enter the cache.
 * The rest is for cached cells. A thread needs a permit to add a cell, and releases it when the cell is in the cache
 * and the evicted cells are gone, so neither part is exceeded.
 */
final class CellCache implements LazyCellImg.Get<Cell<DataAccess>>, Closeable {
    /** The maximum size of a cell, in bytes, if chunks can be read in parts. */
    private static final long MOST_OF_PART = 1 << 20;

    private final String name;
    private final ArrayReader reader;
    private final Pixels pixels;
    private final ChunkGrid cells;
    private final CellGrid grid;
    private final Cache<Long, CachedCell> cached;
    private final int loaders;
    private final Semaphore permits;
    private final Deque<CellLoader> idle = new ConcurrentLinkedDeque<>();
    private final MemoryBudget ledger;
    private final long loaderBytes;
    private volatile boolean closed;

    /** A cell, and its reserved memory. */
    private record CachedCell(Cell<DataAccess> cell, MemoryBudget.Reservation bytes) {}

    CellCache(String name, ArrayReader reader, Pixels pixels, ByteSize bound) {
        this.name = name;
        this.reader = reader;
        this.pixels = pixels;
        Shape shape = reader.spec().shape();
        Shape cell = CellLoader.cellShape(reader, MOST_OF_PART);
        this.cells = ChunkGrid.regular(shape, cell);
        this.grid = new CellGrid(PixelBlocks.reversed(shape.toArray()), ints(PixelBlocks.reversed(cell.toArray())));
        this.loaderBytes = CellLoader.memory(reader, cell);
        long cellBytes = pixels.bytes(cell.elements());
        long fixed = reader.traits().heldBytes();
        long least = Math.addExact(fixed, Math.addExact(loaderBytes, 2 * cellBytes));
        if (bound.bytes() < least) {
            throw new IllegalArgumentException("a cache of " + bound + " is too small for cells of " + cell + " of "
                    + name + "; the least is " + least + " bytes");
        }
        long half = (bound.bytes() - fixed) / 2 / (loaderBytes + cellBytes);
        this.loaders = (int) Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), half));
        this.permits = new Semaphore(loaders);
        this.ledger = MemoryBudget.of(bound);
        reserve(fixed);
        this.cached = CacheBuilder.newBuilder()
                .concurrencyLevel(1) // several segments would divide the weight, and refuse a large cell
                .maximumWeight(bound.bytes() - fixed - loaders * (loaderBytes + cellBytes))
                .<Long, CachedCell>weigher((index, held) -> (int) held.bytes.bytes())
                .removalListener(removed -> removed.getValue().bytes.close())
                .build();
    }

    private static int[] ints(long[] extents) {
        int[] ints = new int[extents.length];
        for (int d = 0; d < ints.length; d++) {
            ints[d] = Math.toIntExact(extents[d]);
        }
        return ints;
    }

    CellGrid grid() {
        return grid;
    }

    /** {@return the memory in use} */
    MemoryBudget ledger() {
        return ledger;
    }

    /**
     * {@inheritDoc}
     *
     * @param index the ordinal of the cell, counted with x fastest, which is C order
     */
    @Override
    public Cell<DataAccess> get(long index) {
        CachedCell present = cached.getIfPresent(index);
        if (present != null) {
            return present.cell;
        }
        permits.acquireUninterruptibly();
        try {
            return cached.get(index, () -> load(index)).cell;
        } catch (ExecutionException e) {
            String where = name + ", cell " + cells.regionAt(index);
            throw new UncheckedIOException(
                    new IOException(where + " cannot be read: " + StoreException.reason(cause(e)), cause(e)));
        } catch (UncheckedExecutionException e) {
            throw new IllegalStateException(name + ": " + cause(e).getMessage(), cause(e));
        } finally {
            permits.release();
        }
    }

    private static Throwable cause(Exception e) {
        return requireNonNullElse(e.getCause(), e);
    }

    private CachedCell load(long index) throws IOException {
        if (closed) {
            throw new IllegalStateException("the image is closed");
        }
        CellLoader loader = idle.pollFirst();
        if (loader == null) {
            loader = newLoader();
        }
        try {
            long[] min = new long[grid.numDimensions()];
            int[] size = new int[min.length];
            grid.getCellDimensions(index, min, size);
            Region region = cells.regionAt(index);
            MemoryBudget.Reservation bytes = reserve(pixels.bytes(region.elements()));
            try {
                Object array = loader.load(region);
                return new CachedCell(
                        new Cell<>(size, min, Cast.unchecked(pixels.carrier().access(array))), bytes);
            } catch (IOException | RuntimeException | Error e) {
                bytes.close();
                throw e;
            }
        } finally {
            idle.addFirst(loader);
        }
    }

    private CellLoader newLoader() {
        MemoryBudget.Reservation bytes = reserve(loaderBytes);
        try {
            return new CellLoader(reader, pixels, cells.chunkShape());
        } catch (RuntimeException | Error e) {
            bytes.close();
            throw e;
        }
    }

    /**
     * Reserves memory. It rarely waits: memory is free as soon as other threads with a permit have released evicted
     * cells.
     */
    private MemoryBudget.Reservation reserve(long bytes) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ledger.reserve(bytes);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() throws IOException {
        permits.acquireUninterruptibly(loaders);
        try {
            closed = true;
            cached.invalidateAll();
            idle.clear();
        } finally {
            permits.release(loaders);
        }
        reader.close();
    }
}
