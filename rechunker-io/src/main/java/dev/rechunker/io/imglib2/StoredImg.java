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
 * A stored array as an image, whose cells are read when they are looked at. Made by {@link ImgArrays#open}.
 *
 * <p>Any number of threads may look at it. A cell is a chunk of the array; where a chunk is large and can be read in
 * parts, a part of at most 1 MiB that lies together. Cells are kept until others need their place, and a cell that
 * several threads ask for is read once. A cell that a cursor is on stays alive with it, although it may have been given
 * up here and is no longer counted then.
 *
 * <p>Pixels are only read: what is set in them is lost when their cell is given up. Where the storage fails, looking at
 * a pixel throws {@link java.io.UncheckedIOException}.
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
                throw new IllegalArgumentException("of " + array + ", " + mismatch.get());
            }
            if (reader.spec().shape().rank() == 0 || reader.spec().shape().isEmpty()) {
                throw new IllegalArgumentException(
                        array + " of shape " + reader.spec().shape() + " has no pixels; an image has at least one");
            }
            return new StoredImg<>(type, new CellCache(array.toString(), reader, pixels, cache));
        } catch (RuntimeException | Error e) {
            reader.close();
            throw e;
        }
    }

    /** {@return the bytes held now: cells, and buffers for reading} */
    public ByteSize held() {
        return ByteSize.of(cache.ledger().held());
    }

    /** {@return the most bytes that were ever held at once; at most the cache it was opened with} */
    public ByteSize mostHeld() {
        return ByteSize.of(cache.ledger().highWater());
    }

    /** Gives up all cells, and closes the reader; not the store. Looking at a pixel is refused afterwards. */
    @Override
    public void close() throws IOException {
        cache.close();
    }
}
