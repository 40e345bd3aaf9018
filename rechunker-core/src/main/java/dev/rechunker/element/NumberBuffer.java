package dev.rechunker.element;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Loads and stores many numbers of a type at a time. Buffers have the byte order of the numbers. */
public final class NumberBuffer {
    private NumberBuffer() {}

    /** Loads integers, as {@link RealType#get} does, to a place in an array. */
    public static void load(RealType type, ByteBuffer from, int at, int count, long[] numbers, int first) {
        ByteBuffer part = part(type, from, at, count);
        boolean signed = type.signed();
        switch (type.bits()) {
            case Byte.SIZE -> {
                for (int i = 0; i < count; i++) {
                    byte value = part.get(i);
                    numbers[first + i] = signed ? value : value & 0xFF;
                }
            }
            case Short.SIZE -> {
                ShortBuffer words = part.asShortBuffer();
                for (int i = 0; i < count; i++) {
                    short value = words.get(i);
                    numbers[first + i] = signed ? value : value & 0xFFFF;
                }
            }
            case Integer.SIZE -> {
                IntBuffer words = part.asIntBuffer();
                for (int i = 0; i < count; i++) {
                    int value = words.get(i);
                    numbers[first + i] = signed ? value : value & 0xFFFF_FFFFL;
                }
            }
            case Long.SIZE -> part.asLongBuffer().get(numbers, first, count);
            default -> {
                boolean isBoolean = type.bits() == 1;
                for (int i = 0; i < count; i++) {
                    long value = part.get(i);
                    numbers[first + i] = isBoolean ? (value == 0 ? 0 : 1) : type.extended(value);
                }
            }
        }
    }

    /** Loads numbers, as {@link RealType#real} has them. */
    public static void load(RealType type, ByteBuffer from, int at, int count, double[] numbers) {
        ByteBuffer part = part(type, from, at, count);
        if (FloatFormat.BINARY64.equals(type.floats())) {
            part.asDoubleBuffer().get(numbers, 0, count);
        } else if (FloatFormat.BINARY32.equals(type.floats())) {
            FloatBuffer words = part.asFloatBuffer();
            for (int i = 0; i < count; i++) {
                numbers[i] = words.get(i);
            }
        } else if (FloatFormat.BINARY16.equals(type.floats())) {
            ShortBuffer words = part.asShortBuffer();
            for (int i = 0; i < count; i++) {
                numbers[i] = Half.toDouble(words.get(i));
            }
        } else {
            for (int i = 0; i < count; i++) {
                numbers[i] = type.real(type.get(part, i * type.size()));
            }
        }
    }

    /** Stores integers of the type. */
    static void store(RealType type, long[] numbers, ByteBuffer to, int at, int count) {
        ByteBuffer part = part(type, to, at, count);
        switch (type.size()) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    part.put(i, (byte) numbers[i]);
                }
            }
            case 2 -> {
                ShortBuffer words = part.asShortBuffer();
                for (int i = 0; i < count; i++) {
                    words.put(i, (short) numbers[i]);
                }
            }
            case 4 -> {
                IntBuffer words = part.asIntBuffer();
                for (int i = 0; i < count; i++) {
                    words.put(i, (int) numbers[i]);
                }
            }
            default -> {
                LongBuffer words = part.asLongBuffer();
                words.put(numbers, 0, count);
            }
        }
    }

    /** Stores floats that the type has. */
    static void store(RealType type, double[] numbers, ByteBuffer to, int at, int count) {
        ByteBuffer part = part(type, to, at, count);
        if (FloatFormat.BINARY64.equals(type.floats())) {
            part.asDoubleBuffer().put(numbers, 0, count);
        } else if (FloatFormat.BINARY32.equals(type.floats())) {
            FloatBuffer words = part.asFloatBuffer();
            for (int i = 0; i < count; i++) {
                words.put(i, (float) numbers[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                type.put(part, i * type.size(), type.ofValue(numbers[i]));
            }
        }
    }

    private static ByteBuffer part(RealType type, ByteBuffer buffer, int at, int count) {
        return buffer.slice(at, count * type.size()).order(buffer.order());
    }
}
