package dev.rechunker.io.azure;

import com.azure.storage.blob.options.BlockBlobStageBlockOptions;
import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A value that is sent in blocks. Those that are not made into a value are removed by the server after a week. */
final class AzureUpload extends Upload<String> {
    private final AzureBucket bucket;
    private final String key;
    private final String id = UUID.randomUUID().toString();

    AzureUpload(AzureBucket bucket, String key) {
        super(bucket.name(key));
        this.bucket = bucket;
        this.key = key;
    }

    @Override
    protected String send(int number, List<ByteBuffer> part, @Nullable String earlier) throws IOException {
        String block = String.format(Locale.ROOT, "%s-%06d", id, number); // all have the same length
        String encoded = Base64.getEncoder().encodeToString(block.getBytes(StandardCharsets.US_ASCII));
        bucket.request(name(), () -> {
            BlockBlobStageBlockOptions stage = new BlockBlobStageBlockOptions(encoded, AzureBucket.data(part))
                    .setContentMd5(AzureBucket.digest(part));
            bucket.blob(key)
                    .getBlockBlobAsyncClient()
                    .stageBlockWithResponse(stage)
                    .block();
            return true;
        });
        return encoded;
    }

    @Override
    protected void join(List<String> blocks) throws IOException {
        bucket.request(name(), () -> {
            bucket.blob(key)
                    .getBlockBlobAsyncClient()
                    .commitBlockList(blocks, true)
                    .block();
            return true;
        });
    }

    @Override
    protected void discard(List<String> blocks) {}
}
