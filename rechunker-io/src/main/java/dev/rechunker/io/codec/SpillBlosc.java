package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.Scratch;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The codec of temporary files: Blosc with shuffled bytes and fast LZ4. */
public final class SpillBlosc implements SpillCodec {
    /** The codecs by size of elements. All runs share them, because the memory of their compressors is never freed. */
    private static final Map<Integer, Codec> CODECS = new ConcurrentHashMap<>();

    /** Creates the codec, for {@link java.util.ServiceLoader}. */
    public SpillBlosc() {}

    private static Codec codec(int itemSize) {
        return CODECS.computeIfAbsent(itemSize, size -> {
            try {
                return BloscCodec.create(new CodecOptions(new CodecSpec("blosc", Map.of("clevel", 1))), size);
            } catch (CodecException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public String name() {
        return "blosc (lz4)";
    }

    @Override
    public long encodeBuffer(long bytes, int itemSize) {
        return codec(itemSize).maxEncodedSize(bytes);
    }

    @Override
    public long encodeScratch(long bytes, int itemSize) {
        return codec(itemSize).encodeNeeds(bytes).scratchBytes();
    }

    @Override
    public long decodeScratch(long bytes, int itemSize) {
        return codec(itemSize).encodeNeeds(bytes).scratchBytes(); // a block, because this codec has encoded the piece
    }

    @Override
    public long nativeBytes(int itemSize) {
        return codec(itemSize).encodeNeeds(0).nativeBytes();
    }

    @Override
    public void encode(ByteBuffer piece, int itemSize, ByteBuffer encoded, Scratch scratch) throws CodecException {
        codec(itemSize).encode(piece, encoded, scratch);
    }

    @Override
    public void decode(ByteBuffer encoded, int itemSize, ByteBuffer piece, Scratch scratch) throws CodecException {
        codec(itemSize).decode(encoded, piece, scratch);
        if (piece.hasRemaining()) {
            throw new CodecException(
                    "a piece of a temporary file decodes to " + piece.remaining() + " bytes fewer than expected");
        }
    }
}
