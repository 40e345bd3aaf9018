package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code chunk_grid} of arrays of version 3: {@code regular}, {@code rectilinear} or {@code rectangular}.
 *
 * <p>A rectilinear grid states for each axis one size for all chunks, or a list of their sizes, in which {@code [31,
 * 2]} is 31 two times. The list may end after the array. Each chunk is stored in the size that is stated, so the last
 * one along an axis can be padded. {@code rectangular} is an earlier proposal without repetitions; it is not written.
 */
final class ChunkGrids {
    /** The member of the document. */
    static final String MEMBER = "chunk_grid";

    private static final String REGULAR = "regular";
    private static final String RECTILINEAR = "rectilinear";
    private static final String RECTANGULAR = "rectangular";
    /** The maximum number of chunks in lists, whose sizes take 128 MiB. */
    private static final long MOST_LISTED = 1 << 24;

    private ChunkGrids() {}

    /** {@return the grid of the write units of a document} */
    static ChunkGrid parse(Document document, Shape shape) throws StoreException {
        Document grid = document.object(MEMBER);
        return switch (grid.string("name")) {
            case REGULAR ->
                regular(document, shape, grid.object("configuration").shape("chunk_shape"));
            case RECTILINEAR -> {
                Document settings = grid.object("configuration");
                settings.allowOnly(Set.of("kind", "chunk_shapes"));
                if (!settings.string("kind").equals("inline")) {
                    throw settings.wrong("kind", "\"inline\"");
                }
                yield irregular(settings, "chunk_shapes", shape);
            }
            case RECTANGULAR -> irregular(grid.object("configuration"), "chunk_shape", shape);
            default ->
                throw document.refuse("has the unknown chunk_grid \"" + grid.string("name")
                        + "\"; \"regular\", \"rectilinear\" and \"rectangular\" are supported");
        };
    }

    /** {@return whether a document states one shape for all chunks, so that it need not change if the array grows} */
    static boolean isRegular(Document document) throws StoreException {
        return document.object(MEMBER).string("name").equals(REGULAR);
    }

    /** {@return the grid of a shape and a chunk shape of a document; a chunk may be empty on an empty axis} */
    static ChunkGrid regular(Document document, Shape shape, Shape chunk) throws StoreException {
        try {
            return ChunkGrid.regular(shape, shape.combine(chunk, (n, c) -> n == 0 && c == 0 ? 1 : c));
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    document.where() + " has shape " + shape + " and chunks of " + chunk + ", which do not fit", e);
        }
    }

    private static ChunkGrid irregular(Document settings, String key, Shape shape) throws StoreException {
        List<?> stated = settings.list(key);
        if (stated.size() != shape.rank()) {
            throw settings.wrong(key, "one size or list of sizes for each of " + shape.rank() + " axes");
        }
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < stated.size(); axis++) {
            try {
                long length = shape.extent(axis);
                axes.add(
                        stated.get(axis) instanceof List<?> sizes
                                ? Partition.ofNominalSizes(length, sizes(sizes))
                                : Partition.regular(length, size(stated.get(axis))));
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new StoreException(
                        settings.where() + " " + key + " of axis " + axis + " does not fit: " + e.getMessage(), e);
            }
        }
        return ChunkGrid.of(axes);
    }

    /** {@return the sizes in a list, in which a list of a size and a number stands for repetitions} */
    private static long[] sizes(List<?> list) {
        long count = 0;
        for (Object item : list) {
            count = Math.addExact(count, item instanceof List<?> run ? repetitions(run) : 1);
        }
        if (count > MOST_LISTED) {
            throw new IllegalArgumentException("it lists " + count + " chunks, but at most " + MOST_LISTED
                    + " are supported; a single number states one size for all");
        }
        long[] sizes = new long[(int) count];
        int at = 0;
        for (Object item : list) {
            long size = size(item instanceof List<?> run ? run.get(0) : item);
            for (long i = item instanceof List<?> run ? repetitions(run) : 1; i > 0; i--) {
                sizes[at++] = size;
            }
        }
        return sizes;
    }

    private static long repetitions(List<?> run) {
        if (run.size() != 2) {
            throw new IllegalArgumentException("it contains the list " + run + "; a size and a number are expected");
        }
        return size(run.get(1));
    }

    private static long size(@Nullable Object item) {
        if (item instanceof Long size && size > 0) {
            return size;
        }
        throw new IllegalArgumentException("it contains " + item + "; positive integers are expected");
    }

    /**
     * {@return the member for an array}
     *
     * @throws StoreException if version 3 cannot store such chunks and shards
     */
    static Map<String, Object> toJson(ArraySpec spec) throws StoreException {
        if (spec.shards().isPresent()) {
            requireWholeChunks(spec.shards().get(), spec.chunks());
        }
        ChunkGrid units = spec.writeUnits();
        if (units.isRegular()) {
            return V3Codecs.extension(REGULAR, Map.of("chunk_shape", V3Metadata.list(units.chunkShape())));
        }
        List<Object> axes = new ArrayList<>();
        for (Partition axis : units.axes()) {
            axes.add(axis.isRegular() ? axis.step() : runs(axis));
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("kind", "inline");
        settings.put("chunk_shapes", axes);
        return V3Codecs.extension(RECTILINEAR, settings);
    }

    private static List<Object> runs(Partition axis) {
        List<Object> runs = new ArrayList<>();
        long part = 0;
        while (part < axis.count()) {
            long size = axis.nominalSize(part);
            long end = axis.endOfRun(part);
            runs.add(end - part == 1 ? (Object) size : List.of(size, end - part));
            part = end;
        }
        return runs;
    }

    private static void requireWholeChunks(ChunkGrid shards, ChunkGrid chunks) throws StoreException {
        if (!chunks.isRegular()) {
            throw new StoreException("the chunks in shards of Zarr all have the same shape, but chunks of "
                    + chunks.chunkText() + " were requested; write them without shards");
        }
        for (int axis = 0; axis < shards.rank(); axis++) {
            Partition along = shards.axis(axis);
            long n = chunks.axis(axis).step();
            if (along.isInUnits(n)) {
                continue;
            }
            long part = 0;
            while (along.nominalSize(part) % n == 0) {
                part = along.endOfRun(part);
            }
            long size = along.nominalSize(part);
            throw new StoreException("shards of " + shards.chunkText()
                    + " do not consist of a whole number of chunks of " + chunks.chunkShape() + " along axis " + axis
                    + "; write " + Math.multiplyExact(n, size / n + 1)
                    + (along.isRegular() ? "" : " instead of " + size) + ", or another multiple of " + n);
        }
    }
}
