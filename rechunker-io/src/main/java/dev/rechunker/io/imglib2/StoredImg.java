package dev.rechunker.io.imglib2;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreLocation;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import net.imglib2.img.basictypeaccess.DataAccess;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;

/**
 * A stored array as an image whose cells are read on demand. Created by {@link ImgArrays#open}.
 *
 * <p>Any number of threads may use the image. A cell is a chunk of the array or, if chunks are large and can be read in
 * parts, a contiguous part of at most 1 MiB. Cells are cached until others need their memory, and a cell that several
 * threads need is read once. A cell that a cursor uses stays in memory with the cursor; if it is evicted from the
 * cache, it is no longer counted.
 *
 * <p>Pixels should only be read: changes are lost when their cell is evicted. If the storage fails, the access to a
 * pixel throws {@link java.io.UncheckedIOException}.
 */
public final class StoredImg<T extends NativeType<T>> extends LazyCellImg<T, DataAccess> implements Closeable {
    private final CellCache cache;

    private StoredImg(T type, CellCache cells) {
        super(cells.grid(), type, cells);
        this.cache = cells;
    }

    static <T extends NativeType<T>> StoredImg<T> open(StoreLocation array, T type, ByteSize cache) throws IOException {
        Pixels pixels = Pixels.of(type);
        ArrayReader reader = array.store().openReader(array.path());
        try {
            Optional<String> mismatch = pixels.mismatch(reader.spec().dataType());
            if (mismatch.isPresent()) {
                throw new IllegalArgumentException(array + ": " + mismatch.get());
            }
            if (reader.spec().shape().rank() == 0 || reader.spec().shape().isEmpty()) {
                throw new IllegalArgumentException(array + " has the shape "
                        + reader.spec().shape() + " without pixels, but an image needs at least one");
            }
            return new StoredImg<>(type, new CellCache(array.toString(), reader, pixels, cache));
        } catch (RuntimeException | Error e) {
            reader.close();
            throw e;
        }
    }

    /** {@return the memory in use now, for cells and for reading} */
    public ByteSize memoryInUse() {
        return ByteSize.of(cache.ledger().held());
    }

    /** {@return the most memory that was in use at any time; at most the size of the cache} */
    public ByteSize peakMemoryInUse() {
        return ByteSize.of(cache.ledger().highWater());
    }

    /** Evicts all cells and closes the reader, but not the store. Pixels cannot be accessed afterwards. */
    @Override
    public void close() throws IOException {
        cache.close();
    }
}
