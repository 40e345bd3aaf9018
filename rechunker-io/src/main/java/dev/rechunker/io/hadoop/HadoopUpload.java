package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value that is written in parts, each a hidden file next to it. */
final class HadoopUpload extends Upload<String> {
    private final HadoopBucket bucket;
    private final String key;

    HadoopUpload(HadoopBucket bucket, String key) {
        super(bucket.name(key));
        this.bucket = bucket;
        this.key = key;
    }

    @Override
    protected String send(int number, List<ByteBuffer> part, @Nullable String earlier) throws IOException {
        if (earlier != null) {
            bucket.discard(List.of(earlier));
        }
        return bucket.write(key, part);
    }

    @Override
    protected void join(List<String> files) throws IOException {
        bucket.join(key, files);
    }

    @Override
    protected void discard(List<String> files) {
        bucket.discard(files);
    }
}
