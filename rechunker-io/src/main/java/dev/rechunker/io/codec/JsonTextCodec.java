package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The codec {@code json2} of numcodecs, which can be read: a list of the elements, nested by axes, then of a type and a
 * shape. Only texts are supported.
 */
final class JsonTextCodec implements DecodableLengths, DecodeOnlyCodec {
    static final String NAME = "json2";

    /** The most bytes of a character in JSON: an escape in hexadecimal. */
    private static final int ESCAPED = 6;
    /** The most bytes of an element in addition to its text, and of type and shape. */
    private static final int AROUND = 64;

    private final DataType type;
    private final long mostBytes;

    /**
     * Creates a codec.
     *
     * @param mostBytes the most bytes of texts, as in {@link ElementContext}
     */
    JsonTextCodec(DataType type, long mostBytes) {
        this.type = type;
        this.mostBytes = mostBytes;
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        long elements = decodedSize / type.itemSize();
        long texts = type.isMeasured() ? Math.min(elements * type.longest(), mostBytes) : mostBytes;
        return ESCAPED * Math.min(texts, Long.MAX_VALUE / AROUND) + AROUND * (elements + 1);
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        long text = type.isMeasured() ? type.longest() : mostBytes;
        return new Needs(text + Integer.BYTES, 0);
    }

    @Override
    public <E extends IOException> void decodeEach(ByteBuffer encoded, long count, ElementSink<E> sink, Scratch scratch)
            throws CodecException, E {
        int mark = scratch.mark();
        ByteBuffer text = scratch.take(decodeNeeds(count * type.itemSize()).scratchBytes());
        for (long i = 0; i < count; i++) {
            byte next = skipLists(encoded, i);
            if (next != '"') {
                throw new CodecException(
                        NAME + ": element " + i + " is " + word(encoded, next) + "; only texts are supported");
            }
            text.clear();
            readText(encoded, text, i);
            text.flip();
            sink.accept(i, text);
        }
        scratch.release(mark);
        encoded.position(encoded.limit()); // type and shape
    }

    /** {@return the byte after brackets, commas and blanks} */
    private static byte skipLists(ByteBuffer encoded, long element) throws CodecException {
        while (true) {
            byte next = next(encoded, element);
            if ("[],\t\r\n ".indexOf(next) < 0) {
                return next;
            }
        }
    }

    private static byte next(ByteBuffer encoded, long element) throws CodecException {
        if (!encoded.hasRemaining()) {
            throw new CodecException(NAME + ": the chunk ends before element " + element);
        }
        return encoded.get();
    }

    private static String word(ByteBuffer encoded, byte first) {
        StringBuilder word = new StringBuilder().append((char) (first & 0x7F));
        for (ByteBuffer rest = encoded.duplicate(); rest.hasRemaining() && word.length() < 20; ) {
            char next = (char) (rest.get() & 0x7F);
            if (",] \n".indexOf(next) >= 0) {
                break;
            }
            word.append(next);
        }
        return word.toString();
    }

    private void readText(ByteBuffer encoded, ByteBuffer text, long element) throws CodecException {
        while (true) {
            byte next = next(encoded, element);
            if (next == '"') {
                return;
            }
            if (next != '\\') {
                append(text, element, next);
                continue;
            }
            int code = escaped(encoded, element);
            if (Character.isHighSurrogate((char) code)) {
                if (next(encoded, element) != '\\' || next(encoded, element) != 'u') {
                    throw wrongEscape(element);
                }
                int low = unicode(encoded, element);
                if (!Character.isLowSurrogate((char) low)) {
                    throw wrongEscape(element);
                }
                code = Character.toCodePoint((char) code, (char) low);
            } else if (Character.isLowSurrogate((char) code)) {
                throw wrongEscape(element);
            }
            append(text, element, Character.toString(code).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static int escaped(ByteBuffer encoded, long element) throws CodecException {
        byte escape = next(encoded, element);
        return switch (escape) {
            case '"', '\\', '/' -> escape;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode(encoded, element);
            default -> throw wrongEscape(element);
        };
    }

    private static int unicode(ByteBuffer encoded, long element) throws CodecException {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(encoded, element), 16);
            if (digit < 0) {
                throw wrongEscape(element);
            }
            code = code << 4 | digit;
        }
        return code;
    }

    private static CodecException wrongEscape(long element) {
        return new CodecException(NAME + ": element " + element + " has an invalid escape");
    }

    private void append(ByteBuffer text, long element, byte... bytes) throws CodecException {
        if (text.remaining() < bytes.length) {
            throw new CodecException(NAME + ": element " + element + " is longer than " + text.capacity() + " bytes");
        }
        text.put(bytes);
    }
}
