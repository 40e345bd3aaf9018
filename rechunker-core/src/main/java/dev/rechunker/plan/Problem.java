package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import dev.rechunker.resource.ByteSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input of the planner: the grid of the source, the grid of the target, and the memory for reading and writing.
 *
 * @param source the chunks of the source
 * @param ways the regions that can be read at once: chunks, or stretches or bands of which chunks consist. The first
 *     way is used unless another one makes a temporary copy or a second reading unnecessary
 * @param target the write units: the smallest regions that can be written to the target without reading it
 * @param itemSize the bytes per element
 * @param reading which part of a source chunk can be read
 * @param reader the memory of a reading thread
 * @param writer the memory of a writing thread
 * @param parts the parts of which write units can be assembled in the target; empty if they must be written as a whole
 * @param paddedUnits whether write units at the ends of the array are written in their nominal shape
 * @param encoded how encoded units or chunks are copied as they are; empty if chunks must be decoded
 * @param heldBytes the bytes that reader and writer use for any number of threads, such as indexes of chunks
 * @param stored the sizes of source and target as they are stored
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
        Optional<Encoded> encoded,
        long heldBytes,
        Stored stored) {
    private static final long ENCODED_PIECE = 1 << 20;

    /** The part of a source chunk that can be read without the rest. */
    public enum Reading {
        /** A chunk is read and decoded as a whole. */
        WHOLE_CHUNKS,
        /** Any run of elements can be read. */
        ANY_BYTES
    }

    /**
     * The memory of one reading thread.
     *
     * @param chunkBytes the size of a decoded chunk in its buffer; 0 if any bytes can be read, or chunks are never
     *     decoded as a whole
     * @param scratchBytes the additional bytes for decoding
     * @param nativeBytes the bytes of native codecs outside of any buffer
     */
    public record ReaderMemory(long chunkBytes, long scratchBytes, long nativeBytes) {
        /** The memory for reading plain bytes: none. */
        public static final ReaderMemory NONE = new ReaderMemory(0, 0, 0);
    }

    /**
     * The memory of one writing thread.
     *
     * @param scratchBytes the bytes for encoding, in addition to the unit
     * @param nativeBytes the bytes of native codecs outside of any buffer
     */
    public record WriterMemory(long scratchBytes, long nativeBytes) {
        /** The memory for writing plain bytes: none. */
        public static final WriterMemory NONE = new WriterMemory(0, 0);

        private WriterMemory max(WriterMemory other) {
            return new WriterMemory(
                    Math.max(scratchBytes, other.scratchBytes), Math.max(nativeBytes, other.nativeBytes));
        }
    }

    /**
     * A way to copy without decoding.
     *
     * @param chunkByChunk whether write units are assembled from the encoded chunks of the source, whose grid is that
     *     of the chunks of the target; otherwise whole units are copied
     * @param memory the memory of a thread
     */
    public record Encoded(boolean chunkByChunk, WriterMemory memory) {}

    /**
     * Parts of write units that can be written one by one, in any order.
     *
     * @param grid the parts, none of which crosses the border of a write unit
     * @param writer the memory for writing a part
     * @param unitBytes the bytes that a unit uses from its first part to its last
     */
    public record Parts(ChunkGrid grid, WriterMemory writer, long unitBytes) {}

    /**
     * A way to read.
     *
     * @param grid the regions that are read at once
     * @param decoded the number of bytes that are decoded per byte that is used
     */
    public record Way(ChunkGrid grid, double decoded) {
        /** Chunks are not cut into bands that would be smaller than this part of what could be read at once. */
        private static final long LEAST_SHARE = 8;

        /** The most numbers of parts that are tried to find one that cuts chunks evenly. */
        private static final long MOST_TRIED = 1 << 20;

        /**
         * {@return the way to read if any bytes can be read} This is in bands. A band has as many of the last axes of a
         * chunk as can be read at once, and one index of the axes before.
         *
         * <p>So only those write units have to be in memory that a band leaves incomplete, not those that a chunk
         * would.
         *
         * @param units the write units; bands end at their borders if possible
         */
        public static Way inBands(ChunkGrid chunks, ChunkGrid units, int itemSize) {
            List<Partition> axes = new ArrayList<>(chunks.axes());
            long left = Math.max(1, StageBuilder.MOST_READ_BYTES / Math.max(1, itemSize));
            int cut = axes.size() - 1;
            while (cut >= 0 && axes.get(cut).maxSize() <= left) {
                left /= Math.max(1, axes.get(cut--).maxSize());
            }
            long extent = cut < 0 ? 0 : evenExtent(axes.get(cut), units.axis(cut), left);
            if (extent > 0) {
                axes.set(cut, Partition.regular(axes.get(cut).length(), extent));
                axes.subList(0, cut).replaceAll(axis -> Partition.regular(axis.length(), 1));
            }
            return new Way(ChunkGrid.of(axes), 1);
        }

        /**
         * {@return the extent of bands on an axis whose chunks are larger than a limit} It cuts all chunks into the
         * same parts, or all units if there is only one chunk. It is 0 if the bands would be too small.
         *
         * @param units the write units on this axis
         */
        public static long evenExtent(Partition chunks, Partition units, long most) {
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

    /** Creates a problem of which stored sizes are not known. */
    public Problem(
            ChunkGrid source,
            List<Way> ways,
            ChunkGrid target,
            int itemSize,
            Reading reading,
            ReaderMemory reader,
            WriterMemory writer,
            Optional<Parts> parts,
            boolean paddedUnits,
            Optional<Encoded> encoded,
            long heldBytes) {
        this(
                source,
                ways,
                target,
                itemSize,
                reading,
                reader,
                writer,
                parts,
                paddedUnits,
                encoded,
                heldBytes,
                Stored.unknown(source.shape().elements() * itemSize));
    }

    /** Creates a problem with one way to read: chunk by chunk. */
    public Problem(
            ChunkGrid source,
            ChunkGrid target,
            int itemSize,
            Reading reading,
            ReaderMemory reader,
            WriterMemory writer,
            Optional<Parts> parts,
            boolean paddedUnits,
            Optional<Encoded> encoded,
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

    /** {@return the regions that are read at once, by the first way} */
    public ChunkGrid reads() {
        return ways.get(0).grid;
    }

    /**
     * {@return the bytes that are decoded or encoded if {@code read} bytes are read, and everything is written}
     *
     * <p>If any bytes can be read, nothing is decoded. If encoding needs no scratch, nothing is encoded.
     */
    double codecBytes(double read) {
        return reading == Reading.WHOLE_CHUNKS
                ? read * ways.get(0).decoded + bytes()
                : writer.scratchBytes() > 0 ? bytes() : 0;
    }

    /**
     * {@return the stored bytes that are read if chunks are read {@code times} times, on average} Of a stretch of a
     * chunk, whole blocks are read.
     */
    double storedRead(double times) {
        return stored.source() * times * (reading == Reading.WHOLE_CHUNKS ? ways.get(0).decoded : 1);
    }

    /** {@return this problem with the way that has a grid, if there is one, as the first} */
    Problem readAs(ChunkGrid grid) {
        List<Way> first = new ArrayList<>(ways);
        first.sort(Comparator.comparing(way -> !way.grid.equals(grid)));
        return withWays(first);
    }

    /** {@return this problem with each of the other ways as the first} */
    List<Problem> readInOtherWays() {
        return ways.stream().skip(1).map(way -> readAs(way.grid)).toList();
    }

    private Problem withWays(List<Way> in) {
        return new Problem(
                source, in, target, itemSize, reading, reader, writer, parts, paddedUnits, encoded, heldBytes, stored);
    }

    /** {@return a problem of uncompressed stores: any bytes can be read, and nothing is decoded or padded} */
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
                .with(Stored.asElements(source.shape().elements() * itemSize))
                .copyingEncoded();
    }

    /** {@return this problem, in which units are copied encoded in pieces of 1 MiB if the grids are the same} */
    public Problem copyingEncoded() {
        return source.equals(target)
                ? withEncoded(new Encoded(false, new WriterMemory(Math.min(ENCODED_PIECE, unitBytes()), 0)))
                : this;
    }

    /** {@return this problem, in which nothing has to be decoded} */
    Problem withEncoded(Encoded copying) {
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
                heldBytes,
                stored);
    }

    /**
     * {@return this problem with more memory}
     *
     * @param least the least memory of a writing thread, without that for padding units of this problem
     * @param held the bytes that are held in addition, for any number of threads
     */
    public Problem with(WriterMemory least, long held) {
        return new Problem(
                source,
                ways,
                target,
                itemSize,
                reading,
                reader,
                writer.max(least),
                parts.map(each -> new Parts(each.grid, each.writer.max(least), each.unitBytes)),
                paddedUnits,
                encoded,
                Math.addExact(heldBytes, held),
                stored);
    }

    /** {@return this problem with known sizes of source and target as they are stored} */
    public Problem with(Stored sizes) {
        return new Problem(
                source, ways, target, itemSize, reading, reader, writer, parts, paddedUnits, encoded, heldBytes, sizes);
    }

    /** {@return the size of all elements in bytes} */
    public long bytes() {
        return source.shape().elements() * itemSize;
    }

    /** {@return the extent of a number of write units side by side on an axis, in elements} */
    long bufferExtent(int axis, long units) {
        return Math.min(
                LongMath.saturatedMultiply(units, target.axis(axis).step()),
                target.axis(axis).length());
    }

    /** {@return the size of the largest write unit in bytes} */
    long unitBytes() {
        return Math.multiplyExact(target.largestChunk().elements(), (long) itemSize);
    }

    /** {@return the size of the buffer in which units at the ends of the array are padded; 0 if none has to be} */
    long padBytes() {
        return paddedUnits && target.isClipped()
                ? Math.multiplyExact(target.chunkShape().elements(), (long) itemSize)
                : 0;
    }

    /** {@return why there is no plan with any memory limit; null if there may be one} */
    @Nullable
    String obstacle() {
        try {
            if (Math.max(unitBytes(), padBytes()) > Workspace.MAX_BUFFER) {
                return "a write unit of " + target.chunkShape() + " takes "
                        + ByteSize.of(Math.max(unitBytes(), padBytes())) + ", but a buffer has at most "
                        + largestBuffer() + "; choose smaller chunks or shards";
            }
        } catch (ArithmeticException e) {
            return "a write unit of " + target.chunkShape() + " exceeds 2^63 bytes; choose smaller chunks";
        }
        if (Lane.encoded(this).isPresent()) {
            return null;
        }
        Lane lane = Lane.direct(this);
        if (lane.readBytes() + lane.readScratch() > Workspace.MAX_BUFFER) {
            return "a source chunk of " + source.chunkShape() + " takes " + ByteSize.of(lane.readBytes())
                    + ", and decoding it " + ByteSize.of(lane.readScratch()) + ", but a buffer has at most "
                    + largestBuffer() + " for both";
        }
        if (parts.isEmpty() && lane.writeScratch() > Workspace.MAX_BUFFER) {
            return "encoding a write unit of " + target.chunkShape() + " takes " + ByteSize.of(lane.writeScratch())
                    + " in addition to its elements, but a buffer has at most " + largestBuffer()
                    + "; choose smaller chunks or shards";
        }
        return null;
    }

    private static String largestBuffer() {
        return String.format(Locale.ROOT, "%s (%,d bytes)", ByteSize.of(Workspace.MAX_BUFFER), Workspace.MAX_BUFFER);
    }
}
