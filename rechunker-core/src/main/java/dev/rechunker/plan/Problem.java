package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be planned: an array that lies in one grid and is wanted in another, and the memory that reading and
 * writing take besides.
 *
 * @param source the chunks that it lies in
 * @param ways what can be read of it at once, as far as can be told without a plan: chunks, or stretches or bands of
 *     which chunks consist. The first is taken, unless another spares a second copy or a second reading
 * @param target the write units: the smallest regions that the target can write without reading
 * @param itemSize bytes per element
 * @param reading what part of a source chunk can be read
 * @param reader memory of reading
 * @param writer memory of writing
 * @param parts what write units can be put together from, if they need not be written whole
 * @param paddedUnits whether write units at the array's ends are written in their nominal shape
 * @param encoded memory of copying encoded units as they are, empty if they must be decoded
 * @param heldBytes what reader and writer hold however many threads there are, such as indexes of chunks
 */
public record Problem(
        ChunkGrid source,
        List<Way> ways,
        ChunkGrid target,
        int itemSize,
        Reading reading,
        ReaderMemory reader,
        WriterMemory writer,
        Optional<Parts> parts,
        boolean paddedUnits,
        Optional<WriterMemory> encoded,
        long heldBytes) {
    private static final long ENCODED_PIECE = 1 << 20;
    private static final long MOST_UNITS = 1 << 17;

    /** What part of a source chunk can be read without the rest. */
    public enum Reading {
        /** A chunk is read and decoded whole. */
        WHOLE_CHUNKS,
        /** Any run of elements can be read. */
        ANY_BYTES
    }

    /**
     * The memory of one reading thread.
     *
     * @param chunkBytes the buffer that one decoded chunk takes; 0 if any bytes can be read, or chunks are never held
     *     whole
     * @param scratchBytes what decoding takes besides
     * @param nativeBytes what native codecs hold outside of any buffer
     */
    public record ReaderMemory(long chunkBytes, long scratchBytes, long nativeBytes) {
        /** Of a reader of plain bytes. */
        public static final ReaderMemory NONE = new ReaderMemory(0, 0, 0);
    }

    /**
     * The memory of one writing thread.
     *
     * @param scratchBytes what encoding takes besides the unit
     * @param nativeBytes what native codecs hold outside of any buffer
     */
    public record WriterMemory(long scratchBytes, long nativeBytes) {
        /** Of a writer of plain bytes. */
        public static final WriterMemory NONE = new WriterMemory(0, 0);
    }

    /**
     * Parts of write units that can be written one by one, in any order.
     *
     * @param grid no part crosses the border of a write unit
     * @param writer memory of writing a part
     * @param unitBytes what a unit holds from its first part to its last
     */
    public record Parts(ChunkGrid grid, WriterMemory writer, long unitBytes) {}

    /**
     * A way to read.
     *
     * @param grid what is read at once
     * @param decoded the bytes that are decoded for each that is wanted
     */
    public record Way(ChunkGrid grid, double decoded) {
        /** A band has at least this part of what could be read at once, or chunks are not cut into bands. */
        private static final long LEAST_SHARE = 8;

        /** In no more numbers of parts than these a number is sought that cuts chunks evenly. */
        private static final long MOST_TRIED = 1 << 20;

        /**
         * {@return the way to read where any bytes can be read: in bands, which are the last axes of a chunk whole, as
         * far as is read at once, and one index of those before}
         *
         * <p>So what has to be held of write units is what a band leaves incomplete, not what a chunk would.
         *
         * @param units the write units, at whose borders bands end where they can
         */
        public static Way inBands(ChunkGrid chunks, ChunkGrid units, int itemSize) {
            List<Partition> axes = new ArrayList<>(chunks.axes());
            long room = Math.max(1, StageBuilder.MOST_READ_BYTES / Math.max(1, itemSize));
            int cut = axes.size() - 1;
            while (cut >= 0 && axes.get(cut).maxSize() <= room) {
                room /= Math.max(1, axes.get(cut--).maxSize());
            }
            long extent = cut < 0 ? 0 : extent(axes.get(cut), units.axis(cut), room);
            if (extent > 0) {
                axes.set(cut, Partition.regular(axes.get(cut).length(), extent));
                axes.subList(0, cut).replaceAll(axis -> Partition.regular(axis.length(), 1));
            }
            return new Way(ChunkGrid.of(axes), 1);
        }

        /**
         * {@return what bands have of an axis whose chunks are larger than a limit: so much that all chunks, or units
         * if there is but one chunk, are cut into the same parts; 0 if that would be too little}
         */
        private static long extent(Partition chunks, Partition units, long most) {
            boolean one = chunks.count() == 1;
            Partition even = one ? units : chunks;
            if (!even.isRegular()) {
                return one ? most : most <= LEAST_SHARE ? 1 : 0;
            }
            if (even.step() <= most) {
                return most - most % even.step();
            }
            long fewest = (even.step() + most - 1) / most;
            long mostParts = Math.min(fewest * LEAST_SHARE, fewest + MOST_TRIED);
            for (long parts = fewest; parts <= mostParts; parts++) {
                if (even.step() % parts == 0) {
                    return even.step() / parts;
                }
            }
            return one ? most : 0;
        }
    }

    /** Checks that the parts fit together. */
    public Problem {
        ways = List.copyOf(ways);
        if (!source.shape().equals(target.shape())) {
            throw new IllegalArgumentException(
                    "the source has shape " + source.shape() + ", but the target " + target.shape());
        }
        if (ways.isEmpty()) {
            throw new IllegalArgumentException("there is no way to read " + source);
        }
        for (Way way : ways) {
            if (!way.grid.refines(source)) {
                throw new IllegalArgumentException("chunks of " + source + " do not consist of " + way.grid);
            }
        }
        if (itemSize <= 0) {
            throw new IllegalArgumentException("an element of " + itemSize + " bytes cannot be moved");
        }
        Math.multiplyExact(source.shape().elements(), (long) itemSize);
    }

    /** Of one way to read: chunk by chunk. */
    public Problem(
            ChunkGrid source,
            ChunkGrid target,
            int itemSize,
            Reading reading,
            ReaderMemory reader,
            WriterMemory writer,
            Optional<Parts> parts,
            boolean paddedUnits,
            Optional<WriterMemory> encoded,
            long heldBytes) {
        this(
                source,
                List.of(new Way(source, 1)),
                target,
                itemSize,
                reading,
                reader,
                writer,
                parts,
                paddedUnits,
                encoded,
                heldBytes);
    }

    /** {@return what is read at once} */
    public ChunkGrid reads() {
        return ways.get(0).grid;
    }

    /**
     * {@return the bytes that are decoded or encoded when so many are read, and everything is written}
     *
     * <p>Where any bytes can be read nothing is decoded; that something is encoded shows in the scratch it takes.
     */
    double codecBytes(double read) {
        return reading == Reading.WHOLE_CHUNKS
                ? read * ways.get(0).decoded + bytes()
                : writer.scratchBytes() > 0 ? bytes() : 0;
    }

    /** {@return this problem, read in the way that has this grid, if there is one} */
    Problem readAs(ChunkGrid grid) {
        List<Way> first = new ArrayList<>(ways);
        first.sort(Comparator.comparing(way -> !way.grid.equals(grid)));
        return withWays(first);
    }

    /** {@return this problem in each of the other ways} */
    List<Problem> readInOtherWays() {
        return ways.stream().skip(1).map(way -> readAs(way.grid)).toList();
    }

    private Problem withWays(List<Way> in) {
        return new Problem(
                source, in, target, itemSize, reading, reader, writer, parts, paddedUnits, encoded, heldBytes);
    }

    /** {@return a problem between uncompressed stores: any bytes can be read, nothing has to be decoded or padded} */
    public static Problem uncompressed(ChunkGrid source, ChunkGrid target, int itemSize) {
        return new Problem(
                        source,
                        List.of(Way.inBands(source, target, itemSize)),
                        target,
                        itemSize,
                        Reading.ANY_BYTES,
                        ReaderMemory.NONE,
                        WriterMemory.NONE,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        0)
                .copyingEncoded();
    }

    /** {@return this problem, where units are copied encoded if the chunks stay as they are, in pieces of 1 MiB} */
    public Problem copyingEncoded() {
        return source.equals(target) ? withEncoded(new WriterMemory(Math.min(ENCODED_PIECE, unitBytes()), 0)) : this;
    }

    /** {@return this problem, where encoded units can be copied as they are, and take so much} */
    Problem withEncoded(WriterMemory copying) {
        return new Problem(
                source,
                ways,
                target,
                itemSize,
                reading,
                reader,
                writer,
                parts,
                paddedUnits,
                Optional.of(copying),
                heldBytes);
    }

    /** {@return the bytes of all elements} */
    public long bytes() {
        return source.shape().elements() * itemSize;
    }

    /**
     * {@return the most units that are under way at once: keeping track of more tiny ones would take more memory than
     * their elements}
     *
     * <p>Not bounded where nothing is decoded, as in a plan without stores.
     */
    long mostUnits() {
        return reading == Reading.WHOLE_CHUNKS ? MOST_UNITS : Long.MAX_VALUE;
    }

    /** {@return the elements that {@code units} write units side by side take on an axis} */
    long bufferExtent(int axis, long units) {
        return Math.min(
                LongMath.saturatedMultiply(units, target.axis(axis).step()),
                target.axis(axis).length());
    }

    /** {@return the bytes of the largest write unit} */
    long unitBytes() {
        return Math.multiplyExact(target.largestChunk().elements(), (long) itemSize);
    }

    /**
     * {@return the bytes in which a unit at the array's end is brought to its nominal shape; 0 if that never happens}
     */
    long padBytes() {
        boolean clipped = target.axes().stream().anyMatch(axis -> axis.length() % axis.step() != 0);
        return paddedUnits && clipped ? Math.multiplyExact(target.chunkShape().elements(), (long) itemSize) : 0;
    }

    /** {@return why no plan can carry this out on any machine, or null} */
    @Nullable
    String obstacle() {
        try {
            if (Math.max(unitBytes(), padBytes()) > Workspace.MAX_BUFFER) {
                return "a write unit of " + target.chunkShape() + " takes " + Math.max(unitBytes(), padBytes())
                        + " bytes, but a buffer has at most " + Workspace.MAX_BUFFER
                        + "; choose smaller chunks or shards";
            }
        } catch (ArithmeticException e) {
            return "a write unit of " + target.chunkShape() + " exceeds 2^63 bytes; choose smaller chunks";
        }
        if (Lane.encoded(this).isPresent()) {
            return null;
        }
        Lane lane = Lane.direct(this);
        if (lane.readBytes() + lane.readScratch() > Workspace.MAX_BUFFER) {
            return "a source chunk of " + source.chunkShape() + " takes " + lane.readBytes()
                    + " bytes, and decoding it " + lane.readScratch() + ", but a buffer has at most "
                    + Workspace.MAX_BUFFER + " for both";
        }
        if (parts.isEmpty() && lane.writeScratch() > Workspace.MAX_BUFFER) {
            return "encoding a write unit of " + target.chunkShape() + " takes " + lane.writeScratch()
                    + " bytes besides its elements, but a buffer has at most " + Workspace.MAX_BUFFER
                    + "; choose smaller chunks or shards";
        }
        return null;
    }
}
