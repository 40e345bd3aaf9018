package dev.rechunker.io.tiff;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A page of a file: where its chunks are. Their positions are read when the first of them is asked for. */
final class Page {
    /** The memory of a page without the positions of its chunks, roughly, in bytes. */
    private static final long BYTES = 160;

    private static final int MOST_CHUNKS = 1 << 28;
    private static final int REDUCED = 1;
    private static final int MASK = 4;

    private final TiffFile file;
    private final long position;
    private final PageLayout layout;
    private final int kind;
    /** The positions of chunks, then their sizes; null as long as they were not read. */
    private volatile long @Nullable [] places;

    /**
     * A chunk in a file.
     *
     * @param offset the position; 0 if the chunk was never written
     * @param bytes the size; 0 if the chunk was never written
     */
    record Place(long offset, long bytes) {
        boolean isMissing() {
            return offset == 0 || bytes == 0;
        }
    }

    private Page(TiffFile file, long position, PageLayout layout, int kind) {
        this.file = file;
        this.position = position;
        this.layout = layout;
        this.kind = kind;
    }

    /**
     * {@return the page of a directory}
     *
     * @param layouts the layouts of other pages, to which that of this page is added
     */
    static Page of(Directory directory, Map<PageLayout, PageLayout> layouts) throws IOException {
        PageLayout own = PageLayout.of(directory);
        PageLayout shared = layouts.putIfAbsent(own, own);
        PageLayout layout = shared == null ? own : shared;
        int kind = (int) (directory.integer(Tags.SUBFILE_TYPE, 0) & 0xFF);
        Page page = new Page(directory.file(), directory.position(), layout, kind);
        if (layout.chunks() == 1 && directory.count(page.offsetsTag()) == 1 && directory.count(page.sizesTag()) == 1) {
            page.places = page.read(directory); // they are in the directory
        }
        return page;
    }

    /** {@return a page of one strip at another position, of which there are no tags} */
    Page at(PageLayout oneStrip, long offset) {
        Page page = new Page(file, position, oneStrip, kind);
        page.places = new long[] {offset, oneStrip.chunkBytes()};
        return page;
    }

    private int offsetsTag() {
        return layout.isTiled() ? Tags.TILE_OFFSETS : Tags.STRIP_OFFSETS;
    }

    private int sizesTag() {
        return layout.isTiled() ? Tags.TILE_COUNTS : Tags.STRIP_COUNTS;
    }

    TiffFile file() {
        return file;
    }

    PageLayout layout() {
        return layout;
    }

    /** {@return whether it is a smaller version of another page} */
    boolean isReduced() {
        return (kind & REDUCED) != 0;
    }

    /** {@return whether it says which pixels of another page are valid} */
    boolean isMask() {
        return (kind & MASK) != 0;
    }

    /** {@return the tags of the page, which are read again} */
    Directory directory() throws IOException {
        return file.directory(position);
    }

    /** {@return the name of the page, for messages} */
    String name() {
        return file.name() + ", page at byte " + position;
    }

    /** {@return the memory that the page takes once a chunk of it was read, in bytes} */
    long heldBytes() {
        return BYTES + (layout.chunks() == 1 ? 0 : 2 * Long.BYTES * layout.chunks());
    }

    /** {@return the location of a chunk, by its number in the page} */
    Place place(long number) throws IOException {
        long[] found = places();
        return new Place(found[(int) number], found[found.length / 2 + (int) number]);
    }

    /**
     * {@return the location of all strips of a sample, if they follow one another without a gap; missing if all of them
     * are; empty otherwise}
     *
     * @param first the number of the first strip
     */
    Optional<Place> together(long first) throws IOException {
        long[] found = places();
        int half = found.length / 2;
        long stripBytes = layout.rowBytes() * layout.chunkHeight();
        long total = layout.rowBytes() * layout.height();
        long start = found[(int) first];
        for (int i = 0; i < layout.down(); i++) {
            long offset = found[(int) first + i];
            long bytes = found[half + (int) first + i];
            boolean isMissing = offset == 0 || bytes == 0;
            long needed = Math.min(stripBytes, total - i * stripBytes);
            if (start == 0 ? !isMissing : isMissing || offset != start + i * stripBytes || bytes < needed) {
                return Optional.empty();
            }
        }
        return Optional.of(new Place(start, start == 0 ? 0 : total));
    }

    private long[] places() throws IOException {
        long[] found = places;
        if (found == null) {
            found = read(file.directory(position));
            places = found;
        }
        return found;
    }

    private long[] read(Directory directory) throws IOException {
        long chunks = layout.chunks();
        int tag = offsetsTag();
        int sizes = sizesTag();
        if (chunks > MOST_CHUNKS || directory.count(tag) < chunks) {
            throw new StoreException(directory.name(tag) + " has " + directory.count(tag) + " elements, but must have "
                    + chunks + ", one for each " + (layout.isTiled() ? "tile" : "strip"));
        }
        long[] found = new long[(int) (2 * chunks)];
        copy(directory, tag, found, 0, (int) chunks);
        if (directory.has(sizes)) {
            copy(directory, sizes, found, (int) chunks, (int) chunks);
        } else if (layout.compression() == Decoders.NONE && chunks == 1) {
            found[1] = layout.chunkBytes();
        } else {
            throw new StoreException(directory.name(sizes) + " is missing");
        }
        return found;
    }

    private static void copy(Directory directory, int tag, long[] target, int start, int count) throws IOException {
        int most = 1 << 16;
        for (int from = 0; from < count; from += most) {
            long[] some = directory.integers(tag, from, Math.min(most, count - from));
            System.arraycopy(some, 0, target, start + from, some.length);
        }
    }
}
