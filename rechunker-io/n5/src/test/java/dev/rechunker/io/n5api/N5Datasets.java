package dev.rechunker.io.n5api;

import com.google.gson.JsonPrimitive;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.testing.Data;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongPredicate;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DataType;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;

/** Writes and reads datasets with n5 alone, element by element, for comparison with this library. */
final class N5Datasets {
    private N5Datasets() {}

    /**
     * Writes the blocks of a dataset whose ordinals {@code written} accepts; {@code order} is the byte order of the
     * data.
     */
    static void write(N5Writer n5, String path, Data data, LongPredicate written, ByteOrder order) {
        ArraySpec spec = data.spec();
        ChunkGrid grid = spec.chunks();
        int rank = grid.rank();
        long[] dimensions = new long[rank];
        int[] block = new int[rank];
        for (int d = 0; d < rank; d++) {
            dimensions[d] = spec.shape().extent(rank - 1 - d);
            block[d] = (int) grid.chunkShape().extent(rank - 1 - d);
        }
        DataType type = DataType.fromString(spec.dataType().name());
        DatasetAttributes made = n5.createDataset(
                path, new DatasetAttributes(dimensions, block, type, new JsonPrimitive(0), null, null));
        for (long ordinal = 0; ordinal < grid.count(); ordinal++) {
            if (written.test(ordinal)) {
                n5.writeChunk(path, made, block(data, type, grid, ordinal, order));
            }
        }
    }

    private static DataBlock<?> block(Data data, DataType type, ChunkGrid grid, long ordinal, ByteOrder order) {
        int rank = grid.rank();
        Region region = grid.regionAt(ordinal);
        long[] position = new long[rank];
        int[] size = new int[rank];
        for (int d = 0; d < rank; d++) {
            position[d] = grid.index(ordinal)[rank - 1 - d];
            size[d] = (int) region.extent(rank - 1 - d);
        }
        DataBlock<?> block = type.createDataBlock(size, position);
        ByteBuffer bytes = ByteBuffer.wrap(data.elements(region)).order(order);
        Object elements = block.getData();
        for (int i = 0; i < Array.getLength(elements); i++) {
            set(elements, i, bytes);
        }
        return block;
    }

    private static void set(Object elements, int i, ByteBuffer bytes) {
        if (elements instanceof byte[] array) {
            array[i] = bytes.get();
        } else if (elements instanceof short[] array) {
            array[i] = bytes.getShort();
        } else if (elements instanceof int[] array) {
            array[i] = bytes.getInt();
        } else if (elements instanceof long[] array) {
            array[i] = bytes.getLong();
        } else if (elements instanceof float[] array) {
            array[i] = bytes.getFloat();
        } else {
            ((double[]) elements)[i] = bytes.getDouble();
        }
    }

    /** {@return all elements of a dataset in C order, in a byte order; those of missing blocks are {@code fill}} */
    static byte[] readAll(N5Reader n5, String path, ByteOrder order, byte[] fill) {
        DatasetAttributes dataset = n5.getDatasetAttributes(path);
        long[] dimensions = dataset.getDimensions();
        int elements = 1;
        for (long extent : dimensions) {
            elements *= (int) extent;
        }
        ByteBuffer all = ByteBuffer.allocate(elements * fill.length).order(order);
        for (int element = 0; element < elements; element++) {
            all.put(fill);
        }
        long[] position = new long[dimensions.length];
        do {
            DataBlock<?> block = n5.readChunk(path, dataset, position.clone());
            if (block != null) {
                place(block, dataset, position, all, fill.length);
            }
        } while (next(position, dataset));
        return all.array();
    }

    private static void place(
            DataBlock<?> block, DatasetAttributes dataset, long[] position, ByteBuffer all, int itemSize) {
        int[] size = block.getSize();
        for (int i = 0; i < Array.getLength(block.getData()); i++) {
            long at = 0;
            long stride = 1;
            boolean inside = true;
            for (int d = 0, rest = i; d < size.length; rest /= size[d], d++) {
                long index = position[d] * dataset.getChunkSize()[d] + rest % size[d];
                inside &= index < dataset.getDimensions()[d];
                at += index * stride;
                stride *= dataset.getDimensions()[d];
            }
            if (inside) {
                get(block.getData(), i, all, (int) at * itemSize);
            }
        }
    }

    private static void get(Object elements, int i, ByteBuffer all, int at) {
        if (elements instanceof byte[] array) {
            all.put(at, array[i]);
        } else if (elements instanceof short[] array) {
            all.putShort(at, array[i]);
        } else if (elements instanceof int[] array) {
            all.putInt(at, array[i]);
        } else if (elements instanceof long[] array) {
            all.putLong(at, array[i]);
        } else if (elements instanceof float[] array) {
            all.putFloat(at, array[i]);
        } else {
            all.putDouble(at, ((double[]) elements)[i]);
        }
    }

    private static boolean next(long[] position, DatasetAttributes dataset) {
        for (int d = 0; d < position.length; d++) {
            if (++position[d] * dataset.getChunkSize()[d] < dataset.getDimensions()[d]) {
                return true;
            }
            position[d] = 0;
        }
        return false;
    }
}
