package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.List;

/** Stub. */
public final class Codecs {
    private Codecs() {}

    /** Stub. */
    public static CodecChain chain(List<CodecSpec> specs, ElementContext context) throws CodecException {
        long size = context.chunkShape().elements() * context.dataType().itemSize();
        return new CodecChain(specs, size);
    }
}
