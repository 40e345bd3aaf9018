package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Checks of text in UTF-8. */
public final class Utf8 {
    private Utf8() {}

    /** {@return whether the remaining bytes are valid UTF-8} */
    public static boolean isValid(ByteBuffer bytes) {
        int at = bytes.position();
        while (at < bytes.limit() && bytes.get(at) >= 0) {
            at++;
        }
        return at == bytes.limit() || isValidFrom(bytes.duplicate().position(at));
    }

    private static boolean isValidFrom(ByteBuffer bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // reports what is malformed
        CharBuffer chars = CharBuffer.allocate(Math.min(1024, bytes.remaining() + 2));
        CoderResult result;
        do {
            chars.clear();
            result = decoder.decode(bytes, chars, true);
        } while (result.isOverflow());
        return result.isUnderflow();
    }
}
