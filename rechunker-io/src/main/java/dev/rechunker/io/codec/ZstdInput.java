package dev.rechunker.io.codec;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Opens streams of Zstandard frames. It is loaded only after the library was found. */
final class ZstdInput {
    private ZstdInput() {}

    static InputStream open(InputStream frames) throws IOException {
        return new ZstdInputStream(frames);
    }
}
