package dev.rechunker.job;

import dev.rechunker.geometry.Partition;
import java.util.Arrays;

/**
 * The partition of an axis of which the size of each chunk or shard is stated.
 *
 * @param subject what is listed, for messages: {@code chunks of axis 0}
 */
record ListedCuts(String subject) {
    /** The most chunks of an axis that a list can state; their sizes take 128 MiB. */
    private static final long MOST = 1 << 24;

    /**
     * {@return the partition of an axis into listed sizes}
     *
     * @throws IllegalArgumentException if the list does not end with the last chunk of the axis, or is too long
     */
    Partition of(ChunkEntry.Sizes list, long length) {
        long count = 0;
        long before = 0;
        long end = 0;
        for (ChunkEntry.Run run : list.runs()) {
            count = Math.addExact(count, run.count());
            end = Math.addExact(end, Math.multiplyExact(run.size(), run.count()));
            before = end - run.size();
        }
        if (end < length || (length > 0 && before >= length)) {
            throw new IllegalArgumentException(
                    subject + " are " + end + " elements in all, but the axis has " + length);
        }
        if (count > MOST) {
            throw new IllegalArgumentException(subject + " are " + count + ", but at most " + MOST + " can be listed");
        }
        long[] sizes = new long[(int) count];
        int at = 0;
        for (ChunkEntry.Run run : list.runs()) {
            Arrays.fill(sizes, at, at + (int) run.count(), run.size());
            at += (int) run.count();
        }
        return Partition.ofNominalSizes(length, sizes);
    }

    /** {@return a partition into whole units, except that the last part may end with the axis} */
    Partition inUnits(Partition partition, long unit) {
        if (partition.isRegular()) {
            return Partition.regular(partition.length(), inWhole(partition.step(), unit));
        }
        if (unit == 1) {
            return partition;
        }
        long[] sizes = new long[Math.toIntExact(partition.count())];
        for (int i = 0; i < sizes.length; i++) {
            long size = partition.nominalSize(i);
            sizes[i] = i == sizes.length - 1 ? inWhole(size, unit) : size;
            if (sizes[i] % unit != 0) {
                throw new IllegalArgumentException(
                        subject + " have a size of " + size + ", which is not a whole number of chunks of " + unit);
            }
        }
        return Partition.ofNominalSizes(partition.length(), sizes);
    }

    private static long inWhole(long elements, long unit) {
        return Math.multiplyExact(ChunkText.divideUp(elements, unit), unit);
    }
}
