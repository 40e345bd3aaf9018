package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * Compresses and decompresses BloscLZ blocks of version 1: runs of literals, and back references, similar to FastLZ.
 *
 * <p>A stream is a sequence of operations. Each starts with a control byte. If it is {@code n < 32}, {@code n + 1}
 * literals follow. Otherwise the operation is a match: the upper three bits are its length less 2, and the lower five
 * bits are the upper bits of its distance less 1. If the three bits are all set, the next bytes are added to the
 * length, up to and including the first that is not 255. Then the low byte of the distance follows. If all 13 bits of
 * the distance are set, two more bytes follow, the high byte first, which are added to 8191. The first operation is
 * always a run of literals, whose control byte has bit 5 set. The last operation is never a match.
 */
final class BloscLzBlocks implements BlockCompressor {
    private static final int MAX_LITERALS = 32;
    private static final int FAR = 8191;
    private static final int MAX_DISTANCE = FAR + 65535;
    private static final int HASH_BITS = 13;
    private static final int MIN_MATCH = 4;
    private static final int TAIL = 12;

    @Override
    public int maxCompressedSize(int size) {
        return Math.addExact(size, size / MAX_LITERALS + 16);
    }

    @Override
    public int compress(ByteBuffer source, int from, int size, ByteBuffer target, int to) {
        if (size < TAIL + MIN_MATCH) {
            return 0;
        }
        int[] last = new int[1 << HASH_BITS];
        int end = from + size - TAIL;
        int literals = from;
        int out = to;
        int in = from + 1;
        int misses = 0;
        while (in < end) {
            int word = source.getInt(in);
            int slot = (word * 0x9E3779B1) >>> (32 - HASH_BITS);
            int match = last[slot] - 1;
            last[slot] = in + 1;
            int distance = in - match - 1;
            if (match < from || distance >= MAX_DISTANCE || source.getInt(match) != word) {
                in += 1 + (misses++ >> 6);
                continue;
            }
            int length = MIN_MATCH;
            while (in + length < end && source.get(in + length) == source.get(match + length)) {
                length++;
            }
            if (distance >= FAR && length < MIN_MATCH + 4) {
                in++;
                continue;
            }
            misses = 0;
            out = putLiterals(source, literals, in - literals, target, out);
            out = putMatch(length - 2, distance, target, out);
            in += length;
            literals = in;
        }
        out = putLiterals(source, literals, from + size - literals, target, out);
        target.put(to, (byte) (target.get(to) | 32));
        return out - to;
    }

    private static int putLiterals(ByteBuffer source, int from, int count, ByteBuffer target, int to) {
        while (count > 0) {
            int run = Math.min(count, MAX_LITERALS);
            target.put(to, (byte) (run - 1));
            target.put(to + 1, source, from, run);
            to += 1 + run;
            from += run;
            count -= run;
        }
        return to;
    }

    private static int putMatch(int length, int distance, ByteBuffer target, int to) {
        boolean far = distance >= FAR;
        int high = far ? 31 : distance >> 8;
        target.put(to++, (byte) ((Math.min(length, 7) << 5) | high));
        if (length >= 7) {
            int rest = length - 7;
            for (; rest >= 255; rest -= 255) {
                target.put(to++, (byte) 255);
            }
            target.put(to++, (byte) rest);
        }
        if (far) {
            target.put(to++, (byte) 255);
            target.put(to++, (byte) ((distance - FAR) >> 8));
            target.put(to++, (byte) (distance - FAR));
        } else {
            target.put(to++, (byte) distance);
        }
        return to;
    }

    @Override
    public void decompress(ByteBuffer source, int from, int compressed, ByteBuffer target, int to, int size)
            throws CodecException {
        int in = from;
        int inEnd = from + compressed;
        int out = to;
        int outEnd = to + size;
        if (compressed == 0) {
            throw corrupt(compressed);
        }
        int control = source.get(in++) & 31;
        while (true) {
            if (control < 32) {
                int run = control + 1;
                if (run > inEnd - in || run > outEnd - out) {
                    throw corrupt(compressed);
                }
                target.put(out, source, in, run);
                in += run;
                out += run;
            } else {
                int length = control >> 5;
                if (length == 7) {
                    int more;
                    do {
                        if (in >= inEnd || length > size) {
                            throw corrupt(compressed);
                        }
                        more = source.get(in++) & 255;
                        length += more;
                    } while (more == 255);
                }
                length += 2;
                if (in >= inEnd) {
                    throw corrupt(compressed);
                }
                int distance = ((control & 31) << 8) | (source.get(in++) & 255);
                if (distance == FAR) {
                    if (inEnd - in < 2) {
                        throw corrupt(compressed);
                    }
                    distance += ((source.get(in) & 255) << 8) | (source.get(in + 1) & 255);
                    in += 2;
                }
                distance++;
                if (distance > out - to || length > outEnd - out) {
                    throw corrupt(compressed);
                }
                repeat(target, out, distance, length);
                out += length;
            }
            if (in >= inEnd) {
                break;
            }
            control = source.get(in++) & 255;
        }
        if (out != outEnd) {
            throw new CodecException("blosclz: a block decompresses to " + (out - to) + " bytes instead of " + size);
        }
    }

    /** Copies {@code length} bytes from {@code distance} before {@code at}; source and target can overlap. */
    private static void repeat(ByteBuffer target, int at, int distance, int length) {
        int done = 0;
        // The copied bytes repeat with the period of the distance, so each round can copy twice as many.
        for (int known = distance; done < length; known += known) {
            int run = Math.min(known, length - done);
            target.put(at + done, target, at + done - known, run);
            done += run;
        }
    }

    private static CodecException corrupt(int compressed) {
        return new CodecException("blosclz: a block of " + compressed + " bytes is corrupt");
    }

    @Override
    public long compressionMemory(int size) {
        return 4L << HASH_BITS;
    }

    @Override
    public long decompressionMemory() {
        return 0;
    }
}
