package dev.rechunker.io.hadoop;

import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A value that is written in parts, each a hidden file next to it. */
final class HadoopUpload implements Upload {
    private final HadoopBucket bucket;
    private final String key;
    private final NavigableMap<Integer, String> sent = new ConcurrentSkipListMap<>();
    private volatile boolean completed;
    private volatile boolean abandoned;

    HadoopUpload(HadoopBucket bucket, String key) {
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
        String earlier = sent.put(number, bucket.write(key, part));
        if (earlier != null) {
            bucket.discard(List.of(earlier));
        }
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
        List<String> files = new ArrayList<>(sent.headMap(parts, true).values());
        if (files.size() < parts) {
            throw new IllegalStateException(
                    (parts - files.size()) + " of the " + parts + " parts of " + name() + " were not put");
        }
        bucket.join(key, files);
        completed = true;
        bucket.discard(new ArrayList<>(sent.tailMap(parts, false).values()));
    }

    @Override
    public synchronized void abandon() {
        boolean left = !completed && !abandoned;
        abandoned = true;
        if (left) {
            bucket.discard(new ArrayList<>(sent.values()));
        }
    }
}
