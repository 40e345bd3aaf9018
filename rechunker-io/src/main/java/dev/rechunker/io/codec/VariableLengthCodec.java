package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The codecs {@code vlen-utf8}, {@code vlen-bytes} and {@code vlen-array} of numcodecs, which Zarr 3 has, too: the
 * number of elements, then for each its length in bytes and its bytes. All numbers are little-endian and have 4 bytes.
 *
 * <p>Decoded elements have the size of a {@linkplain DataType#isMeasured() measured} type; or only their lengths are
 * decoded. The encoded elements of a chunk have at most the size of the decoded ones, and a size that may be given.
 */
final class VariableLengthCodec implements DecodableLengths {
    private final DataType type;
    private final long mostBytes;

    /**
     * Creates a codec.
     *
     * @param mostBytes the most bytes of encoded elements, as in {@link ElementContext}
     */
    VariableLengthCodec(DataType type, long mostBytes) {
        this.type = type;
        this.mostBytes = mostBytes;
    }

    /** {@return the name of the codec of a type} */
    static String name(DataType type) {
        return switch (type.kind()) {
            case TEXT -> "vlen-utf8";
            case BINARY -> "vlen-bytes";
            case SEQUENCE -> "vlen-array";
            default -> throw new IllegalArgumentException(type + " has no variable length");
        };
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public String name() {
        return name(type);
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        long elements = type.isMeasured() ? Math.min(decodedSize, mostBytes) : mostBytes;
        return Integer.BYTES + Math.min(elements, Long.MAX_VALUE - Integer.BYTES);
    }

    @Override
    public Needs encodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public <E extends IOException> void decodeEach(ByteBuffer encoded, long count, ElementSink<E> sink, Scratch scratch)
            throws CodecException, E {
        ByteBuffer from = encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (from.remaining() < Integer.BYTES) {
            throw new CodecException(name() + ": " + from.remaining() + " bytes are too few for a chunk");
        }
        long stored = Integer.toUnsignedLong(from.getInt());
        if (stored != count) {
            throw new CodecException(name() + ": the chunk has " + stored + " elements instead of " + count);
        }
        int end = from.limit();
        for (long i = 0; i < count; i++) {
            int length = from.remaining() < Integer.BYTES ? -1 : from.getInt();
            if (length < 0 || length > from.remaining()) {
                throw new CodecException(
                        name() + ": element " + i + " ends after the chunk; it was cut off or is damaged");
            }
            int next = from.position() + length;
            sink.accept(i, from.limit(next));
            from.limit(end).position(next);
        }
        encoded.position(from.position());
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        ByteBuffer from = decoded.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer to = encoded.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int size = type.itemSize();
        int start = from.position();
        int count = from.remaining() / size;
        to.putInt(count);
        for (int i = 0; i < count; i++) {
            int at = start + i * size;
            int length = from.getInt(at);
            if (length < 0 || length > type.longest()) {
                throw new CodecException(
                        name() + ": element " + i + " has the length " + length + ", not 0 to " + type.longest());
            }
            ByteBuffer contents = from.slice(at + DataType.LENGTH_SIZE, length);
            if (type.kind() == DataType.Kind.TEXT && !Utf8.isValid(contents)) {
                throw new CodecException(name() + ": element " + i + " is not valid UTF-8");
            }
            to.putInt(length).put(contents);
        }
        decoded.position(decoded.limit());
        encoded.position(to.position());
    }
}
