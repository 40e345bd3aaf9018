package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The codec {@code bytes} of Zarr v3, when it changes the byte order: it reverses the bytes of words. */
final class SwapFilter extends NumberFilter {
    /** @param wordSize the size of words: 2, 4 or 8 bytes */
    SwapFilter(int wordSize, ByteOrder from, ByteOrder to) {
        super("bytes", new NumberType(NumberType.Kind.UINT, wordSize, from), word(wordSize, to));
    }

    private static NumberType word(int size, ByteOrder order) {
        return new NumberType(NumberType.Kind.UINT, size, order);
    }

    @Override
    String settings() {
        return "";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        swap(encoded, decoded, count);
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        swap(decoded, encoded, count);
    }

    private void swap(ByteBuffer from, ByteBuffer to, int count) {
        int end = count * decodedType.size();
        switch (decodedType.size()) {
            case 2 -> {
                for (int at = 0; at < end; at += 2) {
                    to.putShort(at, from.getShort(at));
                }
            }
            case 4 -> {
                for (int at = 0; at < end; at += 4) {
                    to.putInt(at, from.getInt(at));
                }
            }
            default -> {
                for (int at = 0; at < end; at += 8) {
                    to.putLong(at, from.getLong(at));
                }
            }
        }
    }
}
