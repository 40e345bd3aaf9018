package dev.rechunker.reduce;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The reduction of a row of boxes: takes the rows of elements that lie in it, one after the other. Not thread-safe. */
abstract class Rows {
    /** The extent of a box on the axis of the rows. */
    final int factor;

    Rows(int factor) {
        this.factor = factor;
    }

    /** {@return the reduction of numbers by a method other than the nearest} */
    static Rows of(Method method, Elements elements, int factor) {
        if (method != Method.MEAN) {
            return new Sorted(method, elements, factor);
        }
        if (elements.isFloat()) {
            return new FloatMean(elements, factor);
        }
        return elements.size() > 2 || elements.hasMissing()
                ? new IntegerMean(elements, factor)
                : new SmallMean(elements, factor);
    }

    /** Begins a row of boxes with rows of {@code elements} elements. */
    abstract void begin(int elements);

    /** Adds a row of elements. */
    abstract void add(ByteBuffer source, int at, int elements);

    /** Stores the reduced elements. */
    abstract void end(ByteBuffer target, int at);

    /** {@return the number of boxes in a row} */
    final int boxes(int elements) {
        return (elements + factor - 1) / factor;
    }

    /** The mean of integers of at most 16 bits, none of which is missing. */
    private static final class SmallMean extends Rows {
        private final Elements elements;
        private long[] sums = new long[0];
        private short[] words = new short[0];
        private byte[] bytes = new byte[0];
        private int[] numbers = new int[0];
        private int rows;
        private int length;

        SmallMean(Elements elements, int factor) {
            super(factor);
            this.elements = elements;
        }

        @Override
        void begin(int length) {
            if (numbers.length < length) {
                numbers = new int[length];
                words = new short[elements.size() == 2 ? length : 0];
                bytes = new byte[elements.size() == 1 ? length : 0];
                sums = new long[boxes(length)];
            }
            Arrays.fill(sums, 0);
            rows = 0;
            this.length = length;
        }

        @Override
        void add(ByteBuffer source, int at, int count) {
            elements.loadSmall(source, at, count, words, bytes, numbers);
            rows++;
            if (factor == 2) {
                int pairs = count / 2;
                for (int box = 0; box < pairs; box++) {
                    sums[box] += numbers[2 * box] + numbers[2 * box + 1];
                }
                if (2 * pairs < count) {
                    sums[pairs] += numbers[2 * pairs];
                }
                return;
            }
            for (int box = 0, i = 0; i < count; box++) {
                long sum = 0;
                for (int end = Math.min(count, i + factor); i < end; i++) {
                    sum += numbers[i];
                }
                sums[box] += sum;
            }
        }

        @Override
        void end(ByteBuffer target, int at) {
            for (int box = 0; box < boxes(length); box++) {
                long count = (long) rows * Math.min(factor, length - box * factor);
                elements.store(target, at + box * elements.size(), Elements.mean(sums[box], count));
            }
        }
    }

    /** The mean of integers of any size, whose sums are kept in two parts. */
    private static final class IntegerMean extends Rows {
        private static final int HALF = 32;
        private final Elements elements;
        private long[] high = new long[0];
        private long[] low = new long[0];
        private long[] counts = new long[0];
        private long[] keys = new long[0];
        private int length;

        IntegerMean(Elements elements, int factor) {
            super(factor);
            this.elements = elements;
        }

        @Override
        void begin(int length) {
            if (keys.length < length) {
                keys = new long[length];
                high = new long[boxes(length)];
                low = new long[boxes(length)];
                counts = new long[boxes(length)];
            }
            Arrays.fill(high, 0);
            Arrays.fill(low, 0);
            Arrays.fill(counts, 0);
            this.length = length;
        }

        @Override
        void add(ByteBuffer source, int at, int count) {
            elements.load(source, at, count, keys, 0);
            for (int box = 0, i = 0; i < count; box++) {
                for (int end = Math.min(count, i + factor); i < end; i++) {
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
            for (int box = 0; box < boxes(length); box++) {
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
        private double[] sums = new double[0];
        private long[] counts = new long[0];
        private double[] numbers = new double[0];
        private int length;

        FloatMean(Elements elements, int factor) {
            super(factor);
            this.elements = elements;
        }

        @Override
        void begin(int length) {
            if (numbers.length < length) {
                numbers = new double[length];
                sums = new double[boxes(length)];
                counts = new long[boxes(length)];
            }
            Arrays.fill(sums, 0);
            Arrays.fill(counts, 0);
            this.length = length;
        }

        @Override
        void add(ByteBuffer source, int at, int count) {
            elements.load(source, at, count, numbers);
            for (int box = 0, i = 0; i < count; box++) {
                double sum = sums[box];
                int present = 0;
                for (int end = Math.min(count, i + factor); i < end; i++) {
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
            for (int box = 0; box < boxes(length); box++) {
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
        private int length;

        Sorted(Method method, Elements elements, int factor) {
            super(factor);
            this.method = method;
            this.elements = elements;
        }

        @Override
        void begin(int length) {
            rows = 0;
            this.length = length;
        }

        @Override
        void add(ByteBuffer source, int at, int count) {
            if (keys.length < (rows + 1) * length) {
                keys = Arrays.copyOf(keys, Math.max((rows + 1) * length, 2 * keys.length));
            }
            elements.load(source, at, count, keys, rows * length);
            rows++;
        }

        @Override
        void end(ByteBuffer target, int at) {
            long[] box = new long[rows * Math.min(factor, length)];
            for (int i = 0; i < boxes(length); i++) {
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
