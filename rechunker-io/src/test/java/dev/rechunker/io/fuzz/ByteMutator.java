package dev.rechunker.io.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Changes bytes in ways that often break formats made of numbers, lengths, offsets and runs of data. */
public final class ByteMutator {
    /** Numbers at limits of counts, sizes and signs. */
    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        3,
        7,
        8,
        15,
        16,
        127,
        128,
        255,
        256,
        4095,
        65535,
        65536,
        1 << 20,
        1 << 28,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        (1L << 32) - 1,
        1L << 40,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private ByteMutator() {}

    /** {@return a copy of a random seed with one to four changes} */
    public static byte[] mutate(List<byte[]> seeds, Random random) {
        byte[] bytes = pick(seeds, random).clone();
        for (int times = 1 + random.nextInt(4); times > 0; times--) {
            bytes = change(bytes, seeds, random);
        }
        return bytes;
    }

    /** {@return a copy of a random seed, of the same length, with one to three changes} */
    public static byte[] overwrite(List<byte[]> seeds, Random random) {
        byte[] bytes = pick(seeds, random).clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            overwriteSome(bytes, random);
        }
        return bytes;
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static byte[] change(byte[] bytes, List<byte[]> seeds, Random random) {
        if (bytes.length == 0) {
            return new byte[random.nextInt(20)];
        }
        int from = random.nextInt(bytes.length);
        int to = from + random.nextInt(Math.min(bytes.length - from, 1 << random.nextInt(12)) + 1);
        switch (random.nextInt(14)) {
            case 0 -> {
                return Arrays.copyOf(bytes, from);
            }
            case 1 -> {
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(40));
                random.ints(5)
                        .forEach(n -> longer[bytes.length + (n & 0xFF) % (longer.length - bytes.length)] = (byte) n);
                return longer;
            }
            case 2 -> {
                return join(bytes, from, new byte[0], to);
            }
            case 3 -> {
                return join(bytes, to, Arrays.copyOfRange(bytes, from, to), to);
            }
            case 4 -> {
                byte[] other = pick(seeds, random);
                int start = random.nextInt(other.length + 1);
                return join(bytes, from, Arrays.copyOfRange(other, start, other.length), bytes.length);
            }
            default -> overwriteSome(bytes, random);
        }
        return bytes;
    }

    private static byte[] join(byte[] bytes, int headEnd, byte[] middle, int tailStart) {
        return ByteBuffer.allocate(headEnd + middle.length + bytes.length - tailStart)
                .put(bytes, 0, headEnd)
                .put(middle)
                .put(bytes, tailStart, bytes.length - tailStart)
                .array();
    }

    /** Changes a bit, a byte, a number or a run of bytes. Half of the changes are in the first 48 bytes. */
    private static void overwriteSome(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return;
        }
        int at = random.nextInt(random.nextBoolean() ? Math.min(48, bytes.length) : bytes.length);
        int width = 1 << random.nextInt(4);
        switch (random.nextInt(6)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = (byte) random.nextInt();
            case 3 ->
                Arrays.fill(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(16)), (byte) -random.nextInt(2));
            case 4 -> add(bytes, at, width, random);
            default -> put(bytes, at, width, NUMBERS[random.nextInt(NUMBERS.length)], random);
        }
    }

    private static void put(byte[] bytes, int at, int width, long number, Random random) {
        byte[] word = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
        boolean little = random.nextInt(3) > 0;
        for (int i = 0; i < width && at + i < bytes.length; i++) {
            bytes[at + i] = word[little ? i : width - 1 - i];
        }
    }

    /** Adds -4 to 4 to a number. */
    private static void add(byte[] bytes, int at, int width, Random random) {
        long number = 0;
        for (int i = Math.min(width, bytes.length - at) - 1; i >= 0; i--) {
            number = number << 8 | (bytes[at + i] & 0xFF);
        }
        put(bytes, at, width, number + random.nextInt(9) - 4, random);
    }
}
