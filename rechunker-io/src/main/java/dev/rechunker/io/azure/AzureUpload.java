package dev.rechunker.io.azure;

import com.azure.storage.blob.options.BlockBlobStageBlockOptions;
import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/** A value that is sent in blocks. Those that are not made into a value are removed by the server after a week. */
final class AzureUpload implements Upload {
    private final AzureBucket bucket;
    private final String key;
    private final String id = UUID.randomUUID().toString();
    private final NavigableMap<Integer, String> sent = new ConcurrentSkipListMap<>();
    private volatile boolean completed;
    private volatile boolean abandoned;

    AzureUpload(AzureBucket bucket, String key) {
        this.bucket = bucket;
        this.key = key;
    }

    @Override
    public String name() {
        return bucket.name(key);
    }

    @Override
    public void send(int number, List<ByteBuffer> part) throws IOException {
        requireOpen();
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
        sent.put(number, encoded);
    }

    private void requireOpen() {
        if (completed || abandoned) {
            throw new IllegalStateException(name() + (completed ? " is complete" : " was closed"));
        }
    }

    @Override
    public synchronized void complete(int parts) throws IOException {
        if (completed) {
            return;
        }
        requireOpen();
        List<String> blocks = new ArrayList<>(sent.headMap(parts, true).values());
        if (blocks.size() < parts) {
            throw new IllegalStateException(
                    (parts - blocks.size()) + " of the " + parts + " parts of " + name() + " were not put");
        }
        bucket.request(name(), () -> {
            bucket.blob(key)
                    .getBlockBlobAsyncClient()
                    .commitBlockList(blocks, true)
                    .block();
            return true;
        });
        completed = true;
    }

    @Override
    public synchronized void abandon() {
        abandoned = true;
    }
}
