package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.exec.SpillCodec;
import dev.rechunker.resource.Scratch;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Blosc with shuffled bytes and the fast LZ4, for temporary files. */
public final class SpillBlosc implements SpillCodec {
    /** Compressors hold memory that nothing gives back, so there is one codec for all runs. */
    private static final Map<Integer, Codec> CODECS = new ConcurrentHashMap<>();

    /** For {@link java.util.ServiceLoader}. */
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
        return codec(itemSize).encodeNeeds(bytes).scratchBytes(); // a block: it was this codec that has encoded
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
            throw new CodecException("a piece of a temporary copy lacks " + piece.remaining() + " bytes");
        }
    }
}
