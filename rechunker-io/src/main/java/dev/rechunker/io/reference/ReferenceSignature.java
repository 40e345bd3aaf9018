package dev.rechunker.io.reference;

import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.json.JsonStream;
import dev.rechunker.store.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/** Recognises documents of references by their first bytes. They may be compressed with zstd. */
final class ReferenceSignature {
    /** The bytes that are looked at. */
    static final int START = 1 << 16;

    /** The bytes by which most other files are told apart. */
    static final int FIRST = 64;

    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

    /** The names of documents of Zarr, of which every store has at least one. */
    private static final Set<String> DOCUMENTS = Set.of(".zgroup", ".zarray", ".zattrs", ".zmetadata", "zarr.json");

    private ReferenceSignature() {}

    /** {@return whether it is worth to look at more bytes of a file with these first ones} */
    static boolean mayBe(byte[] first) {
        if (isZstd(first)) {
            return true;
        }
        String text = new String(first, StandardCharsets.ISO_8859_1)
                .replaceFirst("^\u00ef\u00bb\u00bf", "")
                .stripLeading();
        return text.isEmpty() ? first.length > 0 : text.startsWith("{");
    }

    private static boolean isZstd(byte[] start) {
        return start.length >= ZSTD.length && Arrays.equals(start, 0, ZSTD.length, ZSTD, 0, ZSTD.length);
    }

    /** {@return whether a file that starts with these bytes has references} */
    static boolean isIn(byte[] start) {
        try (InputStream in = decompressed(new ByteArrayInputStream(start));
                JsonStream document = new JsonStream("", new ByteArrayInputStream(start(in)))) {
            document.beginObject();
            for (String name = document.nextMember(); name != null; name = document.nextMember()) {
                char value = document.peek();
                boolean isMember = ReferenceDocument.MEMBERS.contains(name);
                if (isMember && !name.equals("version")) {
                    return value == '{' || (value == '[' && name.equals("gen"));
                }
                if (DOCUMENTS.contains(name.substring(name.lastIndexOf('/') + 1))) {
                    return value == '"' || value == '{' || value == '[';
                }
                document.json();
            }
            return false;
        } catch (IOException e) {
            return false; // it is not JSON, or what is looked at does not tell
        }
    }

    /** {@return the first bytes of a stream, even if it ends with a failure} */
    private static byte[] start(InputStream in) {
        byte[] start = new byte[START];
        int count = 0;
        try {
            int more = in.read(start);
            while (more > 0) {
                count += more;
                more = in.read(start, count, start.length - count);
            }
        } catch (IOException e) {
            return Arrays.copyOf(start, count); // only a part of the file was given
        }
        return Arrays.copyOf(start, count);
    }

    /** {@return the document in a file, which is decompressed if need be} */
    static InputStream decompressed(InputStream file) throws IOException {
        PushbackInputStream in = new PushbackInputStream(file, ZSTD.length);
        byte[] first = in.readNBytes(ZSTD.length);
        in.unread(first);
        try {
            return isZstd(first) ? Codecs.decompressZstd(in) : in;
        } catch (StoreException e) {
            in.close();
            throw e;
        }
    }
}
