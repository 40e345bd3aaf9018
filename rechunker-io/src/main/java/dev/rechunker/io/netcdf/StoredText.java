package dev.rechunker.io.netcdf;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Conversions of text from and to the bytes in a file. */
public final class StoredText {
    private StoredText() {}

    /**
     * {@return the text of bytes: decoded as UTF-8, or as Latin-1 if they are not valid UTF-8}
     *
     * <p>HDF5 has the character sets ASCII and UTF-8 only, but some programs store text in Latin-1 and declare it as
     * ASCII. With this rule, different bytes are different texts.
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

    /** {@return whether a text can be stored as UTF-8 terminated by a zero} */
    public static boolean isStorable(String text) {
        return text.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
