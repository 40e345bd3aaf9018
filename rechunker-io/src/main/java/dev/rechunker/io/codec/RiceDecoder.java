package dev.rechunker.io.codec;

import java.util.Arrays;

/**
 * Decodes samples in blocks, each with the code that suits it: the adaptive entropy coder of space data systems.
 *
 * <p>A block has the number of its code, and then: nothing, because it and blocks after it are all zeros; one number
 * for each pair of samples; the high bits of all samples as runs of zeros, and then their low bits; or all samples as
 * they are. If samples are predicted, the first sample of an interval is stored as it is, and the others as differences
 * to their predecessors, folded into numbers without a sign. Source: CCSDS 121.0-B-3, sections 3 to 5.
 */
final class RiceDecoder {
    private static final int REST_OF_SEGMENT = 5;
    private static final int SEGMENT = 64;
    private static final int LARGEST_PAIR = 1 << 29;

    private final BitInput bits;
    private final int width;
    private final int largest;
    private final int idWidth;
    private final int blocks;
    private final boolean predicted;
    private int block;
    private int zeroBlocks;
    private int last;

    /**
     * @param width the number of bits of a sample, from 1 to 24
     * @param blocks the number of blocks in an interval
     * @param predicted whether samples are differences
     */
    RiceDecoder(BitInput bits, int width, int blocks, boolean predicted) {
        this.bits = bits;
        this.width = width;
        this.largest = (1 << width) - 1;
        this.idWidth = width > 16 ? 5 : width > 8 ? 4 : 3;
        this.blocks = blocks;
        this.predicted = predicted;
    }

    /** Decodes the next block, which fills an array. */
    void next(int[] samples) throws CodecException {
        boolean hasReference = predicted && block == 0;
        if (zeroBlocks > 0) {
            zeroBlocks--;
            Arrays.fill(samples, 0);
        } else {
            readBlock(samples, hasReference ? 1 : 0);
        }
        if (predicted) {
            predict(samples, hasReference);
        }
        block = block + 1 == blocks ? 0 : block + 1;
    }

    /** @param first 1 if the first sample is a reference, which is stored as it is; otherwise 0 */
    private void readBlock(int[] samples, int first) throws CodecException {
        int id = (int) bits.bits(idWidth);
        boolean isPlain = id == (1 << idWidth) - 1;
        boolean inPairs = id == 0 && bits.bits(1) == 1;
        if (first > 0 && !isPlain) {
            samples[0] = (int) bits.bits(width);
        }
        if (isPlain) {
            for (int i = 0; i < samples.length; i++) {
                samples[i] = (int) bits.bits(width);
            }
        } else if (inPairs) {
            readPairs(samples, first);
        } else if (id == 0) {
            Arrays.fill(samples, first, samples.length, 0);
            zeroBlocks = zeroBlocks() - 1;
        } else {
            readSplit(samples, first, id - 1);
        }
    }

    private void readSplit(int[] samples, int first, int low) throws CodecException {
        for (int i = first; i < samples.length; i++) {
            samples[i] = bits.zeros(largest >>> low) << low;
        }
        for (int i = first; low > 0 && i < samples.length; i++) {
            samples[i] |= (int) bits.bits(low);
        }
    }

    /** Reads numbers of pairs {@code (a, b)}, which are {@code (a + b) (a + b + 1) / 2 + b}. */
    private void readPairs(int[] samples, int first) throws CodecException {
        for (int i = 0; i < samples.length; i += 2) {
            int number = bits.zeros(LARGEST_PAIR);
            int sum = (int) ((Math.sqrt(8.0 * number + 1) - 1) / 2);
            int second = number - sum * (sum + 1) / 2;
            if (i >= first) {
                samples[i] = valid(sum - second);
            }
            samples[i + 1] = valid(second);
        }
    }

    private int valid(int sample) throws CodecException {
        if (sample > largest) {
            throw new CodecException("a chunk has the sample " + sample + ", which is larger than " + largest);
        }
        return sample;
    }

    /** {@return the number of blocks that are zero, from this one on} */
    private int zeroBlocks() throws CodecException {
        int count = bits.zeros(SEGMENT) + 1;
        int restOfInterval = blocks - block;
        if (count == REST_OF_SEGMENT) {
            return Math.min(restOfInterval, SEGMENT - block % SEGMENT);
        }
        if (count > REST_OF_SEGMENT) {
            count--;
        }
        if (count > restOfInterval) {
            throw new CodecException(
                    "a chunk has " + count + " blocks of zeros where only " + restOfInterval + " blocks follow");
        }
        return count;
    }

    private void predict(int[] samples, boolean hasReference) {
        int i = 0;
        if (hasReference) {
            last = samples[i++];
        }
        for (; i < samples.length; i++) {
            int folded = samples[i];
            boolean isHigh = last > largest >>> 1;
            int distance = isHigh ? largest - last : last;
            if (folded <= 2 * distance) {
                last += (folded & 1) == 0 ? folded >>> 1 : -((folded + 1) >>> 1);
            } else {
                last = isHigh ? largest - folded : folded;
            }
            samples[i] = last;
        }
    }
}
