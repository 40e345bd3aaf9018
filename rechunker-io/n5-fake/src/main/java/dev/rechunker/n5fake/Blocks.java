package dev.rechunker.n5fake;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DataType;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.N5Exception;

/** Copies blocks, and knows which belong together. */
final class Blocks {
    private Blocks() {}

    /** {@return a copy of a block, padded by zeros to a size} */
    static DataBlock<?> copy(DataBlock<?> block, DataType type, int[] size) {
        int[] own = block.getSize();
        if (Array.getLength(block.getData()) != Arrays.stream(own).reduce(1, Math::multiplyExact)) {
            throw new N5Exception("a block of size " + Arrays.toString(own) + " with "
                    + Array.getLength(block.getData()) + " elements");
        }
        DataBlock<?> copy =
                type.createDataBlock(size.clone(), block.getGridPosition().clone());
        int row = own[0];
        for (int from = 0; from < Array.getLength(block.getData()); from += row) {
            int rest = from / row;
            int to = 0;
            int stride = size[0];
            for (int d = 1; d < size.length; d++) {
                to += rest % own[d] * stride;
                rest /= own[d];
                stride *= size[d];
            }
            System.arraycopy(block.getData(), from, copy.getData(), to, row);
        }
        return copy;
    }

    /** {@return the size of a chunk, cropped where the dataset ends} */
    static int[] cropped(DatasetAttributes dataset, long... position) {
        int[] size = dataset.getChunkSize().clone();
        for (int d = 0; d < size.length; d++) {
            size[d] = (int) Math.min(size[d], dataset.getDimensions()[d] - position[d] * size[d]);
        }
        return size;
    }

    /** Refuses chunks that are not all those of one shard: n5 would read and write its file several times. */
    static void requireWholeShard(DatasetAttributes dataset, DataBlock<?>[] chunks) {
        int[] shard = dataset.getBlockSize();
        int[] chunk = dataset.getChunkSize();
        long[] first = chunks[0].getGridPosition();
        long expected = 1;
        for (int d = 0; d < shard.length; d++) {
            int perShard = shard[d] / chunk[d];
            long start = first[d] / perShard * perShard;
            long all = (dataset.getDimensions()[d] + chunk[d] - 1) / chunk[d];
            expected *= Math.min(perShard, all - start);
            for (DataBlock<?> other : chunks) {
                if (other.getGridPosition()[d] / perShard != first[d] / perShard) {
                    throw new N5Exception("chunks of several shards are written at once");
                }
            }
        }
        if (Arrays.stream(chunks)
                        .map(DataBlock::getGridPosition)
                        .map(Arrays::toString)
                        .distinct()
                        .count()
                != expected) {
            throw new N5Exception(
                    "the shard of " + Arrays.toString(first) + " has " + expected + " chunks, but not all are written");
        }
    }
}
