package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.memory.Scratch;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.List;

/** Stub. */
public final class CodecChain implements Closeable {
    private final List<CodecSpec> specs;
    private final long size;

    CodecChain(List<CodecSpec> specs, long size) {
        this.specs = specs;
        this.size = size;
    }

    /** Stub. */
    public boolean isRaw() {
        return specs.isEmpty();
    }

    /** Stub. */
    public String identity() {
        return specs.toString();
    }

    /** Stub. */
    public long maxEncodedSize() {
        return size + 100;
    }

    /** Stub. */
    public Codec.Needs decodeNeeds() {
        return Codec.Needs.NONE;
    }

    /** Stub. */
    public Codec.Needs encodeNeeds() {
        return Codec.Needs.NONE;
    }

    /** Stub. */
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        decoded.put(encoded);
    }

    /** Stub. */
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        encoded.put(decoded);
    }

    @Override
    public void close() {}
}
