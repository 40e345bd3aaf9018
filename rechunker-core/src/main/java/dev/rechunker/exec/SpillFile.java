package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.NestedLayout;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.WriteTraits;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The temporary copy of one block: one file, window after window, in a window piece after piece, in a piece the
 * elements in C order.
 *
 * <p>Where a piece lies follows from its index; there is no index to keep, and every piece has one writer. Pieces of
 * nothing but zero bytes are left out: the file is as long as all pieces, and what was not written reads as zeros. The
 * file is deleted when it is closed.
 */
final class SpillFile implements Closeable {
    private final Path file;
    private final FileChannel channel;
    private final ArraySpec spec;
    private final ChunkGrid windows;
    private final NestedLayout windowLayout;
    private final List<Integer> order;
    private final byte[] zero;

    /**
     * Creates the file.
     *
     * @param directory where, not beneath the target
     * @param block what it holds
     * @param windows the windows that will be read
     * @param source the array that is copied
     * @param pieces the pieces, which cross no window
     */
    static SpillFile create(Path directory, Region block, ChunkGrid windows, ArraySpec source, ChunkGrid pieces)
            throws IOException {
        Files.createDirectories(directory);
        Path file = Files.createTempFile(directory, "rechunk-", ".spill");
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        ArraySpec spec = ArraySpec.builder(pieces, source.dataType())
                .byteOrder(source.byteOrder())
                .fillValue(source.fillValue())
                .build();
        SpillFile spill = new SpillFile(file, channel, spec, windows, block);
        long bytes = block.elements() * source.dataType().itemSize();
        channel.write(ByteBuffer.allocate(1), bytes - 1);
        return spill;
    }

    private SpillFile(Path file, FileChannel channel, ArraySpec spec, ChunkGrid windows, Region block) {
        this.file = file;
        this.channel = channel;
        this.spec = spec;
        this.windows = windows;
        this.order = Odometer.naturalOrder(block.rank());
        this.windowLayout = new NestedLayout(windows, block, false, order);
        this.zero = new byte[spec.dataType().itemSize()];
    }

    /** {@return a reader of any part of a piece} */
    ArrayReader reader() {
        return new Reader();
    }

    /** {@return a writer of pieces} */
    ArrayWriter writer() {
        return new Writer();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }

    private long offset(Region piece) {
        long[] window = windows.chunksTouching(piece).origin();
        Region region = windows.region(window);
        long[] index = spec.chunks().chunksTouching(piece).origin();
        long elements =
                windowLayout.offset(window) + new NestedLayout(spec.chunks(), region, false, order).offset(index);
        return elements * spec.dataType().itemSize();
    }

    private final class Reader implements ArrayReader {
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
            long start = offset(piece);
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
            while (odometer.next()) {
                long at = start;
                for (int axis = 0; axis < runs.length; axis++) {
                    at += (region.start(axis) - piece.start(axis) + odometer.at(axis)) * strides[axis];
                }
                fill(target.slice(position, (int) run), at);
                position += (int) run;
            }
            return true;
        }

        private void fill(ByteBuffer target, long at) throws IOException {
            long from = at;
            while (target.hasRemaining()) {
                int read = channel.read(target, from);
                if (read < 0) {
                    throw new EOFException("the spill " + file + " ends at " + channel.size() + ", before " + from);
                }
                from += read;
            }
        }

        @Override
        public void close() {}
    }

    private final class Writer implements ArrayWriter {
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
            if (StridedCopy.isFilled(data, data.position(), data.remaining(), zero)) {
                return;
            }
            long to = offset(unit);
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
