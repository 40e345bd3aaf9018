package dev.rechunker.verify;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The checksum of the contents of an array, to which parts are added in any order, by any thread.
 *
 * <p>Each element is taken as little-endian bytes, padded with zeros to words of 8 bytes. The words are numbered in C
 * order from 0. With wrapping 64-bit arithmetic, and {@code mix} of SplitMix64, word {@code v} with number {@code i}
 * becomes {@code x = mix(mix(i + G) ^ v)}. An element of variable length with number {@code i} becomes one {@code x}:
 * it begins as {@code mix(i + G)} and is replaced by {@code mix(x ^ v)} for its length and each word. The checksum is
 * the SHA-256 of the text of the type, the shape, the sum of all {@code x} and the sum of all {@code mix(x)}.
 *
 * <p>Two arrays that differ by chance have equal sums with a probability of about 2<sup>-128</sup>. The sums are not
 * made to withstand attempts to construct such arrays.
 */
final class ContentsHash implements WindowReads.Sink {
    private static final long G = 0x9E3779B97F4A7C15L;

    private final ArraySpec spec;
    private final int itemSize;
    private final int words;
    /** Whether an element is a single word of the array's byte order. */
    private final boolean isSimple;

    private final long[] places;
    private final ByteBuffer fill;
    private long sum;
    private long mixedSum;

    ContentsHash(ArraySpec spec) {
        this.spec = spec;
        this.itemSize = spec.dataType().itemSize();
        this.words = (itemSize + Long.BYTES - 1) / Long.BYTES;
        boolean little = spec.byteOrder() == ByteOrder.LITTLE_ENDIAN;
        this.isSimple = Integer.bitCount(itemSize) == 1
                && words == 1
                && (little || spec.dataType().wordSize() == itemSize);
        this.places = StridedCopy.denseStrides(spec.shape().toArray(), 1);
        this.fill = ByteBuffer.wrap(spec.fillValue().element(itemSize));
    }

    /** {@return the finalizer of SplitMix64, which changes about half of the bits if one bit changes} */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    @Override
    public void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides) {
        ByteOrder order = spec.dataType().isVariable() ? ByteOrder.LITTLE_ENDIAN : spec.byteOrder();
        ByteBuffer elements = (data == null ? fill : data).duplicate().order(order);
        int longest = -1;
        for (int axis = part.rank() - 1; axis >= 0; axis--) {
            longest = longest < 0 || part.extent(axis) > part.extent(longest) ? axis : longest;
        }
        long[] outer = part.shape().toArray();
        Run run = new Run(elements, 0, 0, 1);
        if (longest >= 0) {
            outer[longest] = 1;
            int step = data == null ? 0 : Math.toIntExact(strides[longest]);
            run = new Run(elements, step, places[longest], part.extent(longest));
        }
        Odometer index = new Odometer(Region.whole(Shape.of(outer)));
        long[] sums = new long[2];
        while (index.next()) {
            long place = 0;
            long at = data == null ? 0 : offset;
            for (int axis = 0; axis < outer.length; axis++) {
                place += (part.start(axis) + index.at(axis)) * places[axis];
                at += data == null ? 0 : index.at(axis) * strides[axis];
            }
            add(run, Math.toIntExact(at), place, sums);
        }
        add(sums);
    }

    private synchronized void add(long[] sums) {
        sum += sums[0];
        mixedSum += sums[1];
    }

    /**
     * Elements on a line.
     *
     * @param step the distance of their bytes
     * @param placeStep the distance of their numbers in C order
     */
    private record Run(ByteBuffer elements, int step, long placeStep, long count) {}

    private void add(Run run, int from, long first, long[] sums) {
        long one = 0;
        long other = 0;
        int at = from;
        long place = first;
        boolean isVariable = spec.dataType().isVariable();
        for (long i = 0; i < run.count; i++) {
            if (isVariable) {
                long x = variable(run.elements, at, place);
                one += x;
                other += mix(x);
            }
            for (int word = 0; word < words && !isVariable; word++) {
                long value = isSimple ? simple(run.elements, at) : word(run.elements, at, word);
                long x = mix(mix(place * words + word + G) ^ value);
                one += x;
                other += mix(x);
            }
            at += run.step;
            place += run.placeStep;
        }
        sums[0] += one;
        sums[1] += other;
    }

    /** {@return what an element of variable length becomes, which does not depend on the longest element} */
    private static long variable(ByteBuffer elements, int at, long place) {
        int length = elements.getInt(at);
        long x = mix(mix(place + G) ^ length);
        int from = at + DataType.LENGTH_SIZE;
        int end = from + length;
        for (; from <= end - Long.BYTES; from += Long.BYTES) {
            x = mix(x ^ elements.getLong(from));
        }
        long last = 0;
        for (int i = from; i < end; i++) {
            last |= (elements.get(i) & 0xffL) << (Byte.SIZE * (i - from));
        }
        return from < end ? mix(x ^ last) : x;
    }

    private long simple(ByteBuffer elements, int at) {
        return switch (itemSize) {
            case 1 -> elements.get(at) & 0xffL;
            case 2 -> elements.getShort(at) & 0xffffL;
            case 4 -> elements.getInt(at) & 0xffff_ffffL;
            default -> elements.getLong(at);
        };
    }

    /** {@return one of the words of an element} */
    private long word(ByteBuffer elements, int at, int number) {
        int wordSize = spec.dataType().wordSize();
        int from = number * Long.BYTES;
        long word = 0;
        for (int i = from; i < Math.min(itemSize, from + Long.BYTES); i++) {
            int inWord = i % wordSize;
            int stored = elements.order() == ByteOrder.LITTLE_ENDIAN ? i : i - inWord + (wordSize - 1 - inWord);
            word |= (elements.get(at + stored) & 0xffL) << (Byte.SIZE * (i - from));
        }
        return word;
    }

    /** {@return the checksum of everything that was added, in hexadecimal} */
    synchronized String text() {
        String shape =
                LongStream.of(spec.shape().toArray()).mapToObj(Long::toString).collect(Collectors.joining(","));
        String sums =
                String.format(Locale.ROOT, "%s %s %016x %016x", spec.dataType().name(), shape, sum, mixedSum);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(sums.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
