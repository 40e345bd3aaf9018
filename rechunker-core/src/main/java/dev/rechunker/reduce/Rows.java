package dev.rechunker.reduce;

import com.google.common.math.IntMath;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The reduction of a row of boxes: takes the rows of elements that lie in it, one after the other. Not thread-safe. */
abstract class Rows {
    /** The extent of a box on the axis of the rows. */
    final int factor;

    /** The number of elements in a row. */
    final int length;

    /** The number of boxes in a row. */
    final int boxes;

    Rows(int factor, int length) {
        this.factor = factor;
        this.length = length;
        this.boxes = IntMath.divide(length, factor, RoundingMode.CEILING);
    }

    /** {@return the reduction of rows of numbers by a method other than the nearest} */
    static Rows of(Method method, Elements elements, int factor, int length) {
        if (method != Method.MEAN) {
            return new Sorted(method, elements, factor, length);
        }
        if (elements.isFloat()) {
            return new FloatMean(elements, factor, length);
        }
        return elements.size() > 2 || elements.hasMissing()
                ? new IntegerMean(elements, factor, length)
                : new SmallMean(elements, factor, length);
    }

    /** Begins a row of boxes. */
    abstract void begin();

    /** Adds a row of elements. */
    abstract void add(ByteBuffer source, int at);

    /** Stores the reduced elements. */
    abstract void end(ByteBuffer target, int at);

    /** The mean of integers of at most 16 bits, none of which is missing. */
    private static final class SmallMean extends Rows {
        private final Elements elements;
        private final long[] sums;
        private final short[] words;
        private final byte[] bytes;
        private final int[] numbers;
        private int rows;

        SmallMean(Elements elements, int factor, int length) {
            super(factor, length);
            this.elements = elements;
            this.sums = new long[boxes];
            this.words = new short[elements.size() == 2 ? length : 0];
            this.bytes = new byte[elements.size() == 1 ? length : 0];
            this.numbers = new int[length];
        }

        @Override
        void begin() {
            Arrays.fill(sums, 0);
            rows = 0;
        }

        @Override
        void add(ByteBuffer source, int at) {
            elements.loadSmall(source, at, length, words, bytes, numbers);
            rows++;
            if (factor == 2) {
                int pairs = length / 2;
                for (int box = 0; box < pairs; box++) {
                    sums[box] += numbers[2 * box] + numbers[2 * box + 1];
                }
                if (2 * pairs < length) {
                    sums[pairs] += numbers[2 * pairs];
                }
                return;
            }
            for (int box = 0, i = 0; i < length; box++) {
                long sum = 0;
                for (int end = Math.min(length, i + factor); i < end; i++) {
                    sum += numbers[i];
                }
                sums[box] += sum;
            }
        }

        @Override
        void end(ByteBuffer target, int at) {
            for (int box = 0; box < boxes; box++) {
                long count = (long) rows * Math.min(factor, length - box * factor);
                elements.store(target, at + box * elements.size(), Elements.mean(sums[box], count));
            }
        }
    }

    /** The mean of integers of any size, whose sums are kept in two parts. */
    private static final class IntegerMean extends Rows {
        private static final int HALF = 32;
        private final Elements elements;
        private final long[] high;
        private final long[] low;
        private final long[] counts;
        private final long[] keys;

        IntegerMean(Elements elements, int factor, int length) {
            super(factor, length);
            this.elements = elements;
            this.high = new long[boxes];
            this.low = new long[boxes];
            this.counts = new long[boxes];
            this.keys = new long[length];
        }

        @Override
        void begin() {
            Arrays.fill(high, 0);
            Arrays.fill(low, 0);
            Arrays.fill(counts, 0);
        }

        @Override
        void add(ByteBuffer source, int at) {
            elements.load(source, at, length, keys, 0);
            for (int box = 0, i = 0; i < length; box++) {
                for (int end = Math.min(length, i + factor); i < end; i++) {
                    long key = keys[i];
                    if (!elements.isMissing(key)) {
                        high[box] += key >> HALF;
                        low[box] += key & 0xFFFF_FFFFL;
                        counts[box]++;
                    }
                }
            }
        }

        @Override
        void end(ByteBuffer target, int at) {
            for (int box = 0; box < boxes; box++) {
                int place = at + box * elements.size();
                if (counts[box] == 0) {
                    elements.storeMissing(target, place);
                } else {
                    // A mean may be the missing value by chance; no other number is as near to it.
                    elements.store(target, place, mean(high[box], low[box], counts[box]));
                }
            }
        }

        private static long mean(long high, long low, long count) {
            if (Math.abs(high) < 1L << (HALF - 3) && low >= 0 && low < 1L << 62) {
                return Elements.mean((high << HALF) + low, count);
            }
            BigInteger sum = BigInteger.valueOf(high).shiftLeft(HALF).add(BigInteger.valueOf(low));
            return Elements.mean(sum, count);
        }
    }

    /** The mean of floats. */
    private static final class FloatMean extends Rows {
        private final Elements elements;
        private final double[] sums;
        private final long[] counts;
        private final double[] numbers;

        FloatMean(Elements elements, int factor, int length) {
            super(factor, length);
            this.elements = elements;
            this.sums = new double[boxes];
            this.counts = new long[boxes];
            this.numbers = new double[length];
        }

        @Override
        void begin() {
            Arrays.fill(sums, 0);
            Arrays.fill(counts, 0);
        }

        @Override
        void add(ByteBuffer source, int at) {
            elements.load(source, at, length, numbers);
            for (int box = 0, i = 0; i < length; box++) {
                double sum = sums[box];
                int present = 0;
                for (int end = Math.min(length, i + factor); i < end; i++) {
                    if (!elements.isMissing(numbers[i])) {
                        sum += numbers[i];
                        present++;
                    }
                }
                sums[box] = sum;
                counts[box] += present;
            }
        }

        @Override
        void end(ByteBuffer target, int at) {
            for (int box = 0; box < boxes; box++) {
                int place = at + box * elements.size();
                if (counts[box] == 0) {
                    elements.storeMissing(target, place);
                } else {
                    elements.store(target, place, sums[box] / counts[box]);
                }
            }
        }
    }

    /** Methods that depend on the order of numbers. */
    private static final class Sorted extends Rows {
        private final Method method;
        private final Elements elements;
        private long[] keys = new long[0];
        private int rows;

        Sorted(Method method, Elements elements, int factor, int length) {
            super(factor, length);
            this.method = method;
            this.elements = elements;
        }

        @Override
        void begin() {
            rows = 0;
        }

        @Override
        void add(ByteBuffer source, int at) {
            if (keys.length < (rows + 1) * length) {
                keys = Arrays.copyOf(keys, Math.max((rows + 1) * length, 2 * keys.length));
            }
            elements.load(source, at, length, keys, rows * length);
            rows++;
        }

        @Override
        void end(ByteBuffer target, int at) {
            long[] box = new long[rows * Math.min(factor, length)];
            for (int i = 0; i < boxes; i++) {
                int count = 0;
                for (int row = 0; row < rows; row++) {
                    int from = row * length + i * factor;
                    int to = Math.min(from + factor, (row + 1) * length);
                    for (int k = from; k < to; k++) {
                        if (!elements.isMissing(keys[k])) {
                            box[count++] = keys[k];
                        }
                    }
                }
                int place = at + i * elements.size();
                if (count == 0) {
                    elements.storeMissing(target, place);
                } else {
                    Arrays.sort(box, 0, count);
                    elements.store(target, place, chosen(box, count));
                }
            }
        }

        private long chosen(long[] sorted, int count) {
            return switch (method) {
                case MIN -> sorted[0];
                case MAX -> sorted[count - 1];
                case MEDIAN -> elements.middle(sorted[(count - 1) / 2], sorted[count / 2]);
                default -> mostFrequent(sorted, count);
            };
        }

        private static long mostFrequent(long[] sorted, int count) {
            long found = sorted[0];
            int most = 0;
            int run = 0;
            for (int i = 0; i < count; i++) {
                run = i > 0 && sorted[i] == sorted[i - 1] ? run + 1 : 1;
                if (run > most) {
                    most = run;
                    found = sorted[i];
                }
            }
            return found;
        }
    }
}
