package dev.rechunker.io.tiff;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.tiff.Page.Place;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** The rows of a page or of one of its samples, in uncompressed strips, as if they were one piece. */
final class StripRows implements TiffReader.Opener {
    private final Page page;
    private final long first;
    private final LongAdder bytesRead;
    private final byte[] fill;
    private final Optional<Place> together;
    private final long stripBytes;

    /**
     * Creates it.
     *
     * @param first the number of the first strip
     * @param fill the element of strips that were never written
     */
    StripRows(Page page, long first, LongAdder bytesRead, byte[] fill) throws IOException {
        this.page = page;
        this.first = first;
        this.bytesRead = bytesRead;
        this.fill = fill;
        this.together = page.together(first);
        this.stripBytes = page.layout().rowBytes() * page.layout().chunkHeight();
        if (together.isPresent() && !together.get().isMissing()) {
            page.file()
                    .requireInside(
                            "a page", together.get().offset(), together.get().bytes());
        }
    }

    /** {@return whether any of the strips was written} */
    boolean exist() {
        return together.isEmpty() || !together.get().isMissing();
    }

    @Override
    public ByteSource open(long offset, long length) throws IOException {
        return together.isPresent()
                ? new Piece(page.file().bytes(), together.get().offset(), bytesRead).open(offset, length)
                : new Strips();
    }

    /** Reads from strip to strip. */
    private void read(long from, ByteBuffer target) throws IOException {
        long offset = from;
        int end = target.limit();
        while (target.position() < end) {
            long strip = offset / stripBytes;
            long within = offset % stripBytes;
            int count = (int) Math.min(end - target.position(), stripBytes - within);
            target.limit(target.position() + count);
            Place place = page.place(first + strip);
            if (place.isMissing()) {
                while (target.hasRemaining()) {
                    target.put(fill[(int) (offset++ % fill.length)]);
                }
            } else {
                if (place.bytes() < within + count) {
                    throw new StoreException("strip " + (first + strip) + " has " + place.bytes()
                            + " bytes, but must have " + (within + count));
                }
                page.file().requireInside("a strip", place.offset(), place.bytes());
                bytesRead.add(count);
                page.file().bytes().read(place.offset() + within, target);
                offset += count;
            }
            target.limit(end);
        }
    }

    /** Strips in different places, each of which is opened when it is read. */
    private final class Strips implements ByteSource {
        @Override
        public long size() {
            return page.layout().rowBytes() * page.layout().height();
        }

        @Override
        public void read(long offset, ByteBuffer target) throws IOException {
            StripRows.this.read(offset, target);
        }

        @Override
        public void close() {}
    }
}
