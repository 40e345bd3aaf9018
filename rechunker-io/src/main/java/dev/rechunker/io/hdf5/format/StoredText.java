package dev.rechunker.io.hdf5.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Names and values of text as files hold them. */
public final class StoredText {
    private StoredText() {}

    /**
     * {@return a text from its bytes: UTF-8, of which ASCII is a part; or Latin-1 where they are not that}
     *
     * <p>HDF5 knows no other sets of characters, but programs store the bytes that they have, and call them ASCII. So
     * no two names become one, and a degree sign stays one.
     */
    public static String of(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** {@return whether a text can be stored as UTF-8 that ends with a zero} */
    public static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
