package dev.rechunker.io.gcs;

import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A value that is sent in parts, each a hidden value next to it. The server composes at most 32 of them at a time, so
 * parts beyond that are composed in several rounds.
 */
final class GcsUpload implements Upload {
    private static final int MOST_SOURCES = 32;

    private final GcsBucket bucket;
    private final String key;
    private final NavigableMap<Integer, String> sent = new ConcurrentSkipListMap<>();
    /** All hidden values, to be deleted in the end. */
    private final ConcurrentLinkedQueue<String> hidden = new ConcurrentLinkedQueue<>();

    private volatile boolean completed;
    private volatile boolean abandoned;

    GcsUpload(GcsBucket bucket, String key) {
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
        String name = sent.computeIfAbsent(number, n -> hiddenKey());
        try {
            bucket.put(name, part);
        } catch (IOException e) {
            sent.remove(number);
            throw e;
        }
    }

    private String hiddenKey() {
        String name = Keys.part(key);
        hidden.add(name);
        return name;
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
        List<String> sources = new ArrayList<>(sent.headMap(parts, true).values());
        if (sources.size() < parts) {
            throw new IllegalStateException(
                    (parts - sources.size()) + " of the " + parts + " parts of " + name() + " were not put");
        }
        while (sources.size() > MOST_SOURCES) {
            List<String> fewer = new ArrayList<>();
            for (int from = 0; from < sources.size(); from += MOST_SOURCES) {
                String joined = hiddenKey();
                bucket.compose(joined, sources.subList(from, Math.min(sources.size(), from + MOST_SOURCES)));
                fewer.add(joined);
            }
            sources = fewer;
        }
        bucket.compose(key, sources);
        completed = true;
        deleteHidden();
    }

    @Override
    public synchronized void abandon() {
        boolean left = !completed && !abandoned;
        abandoned = true;
        if (left) {
            deleteHidden();
        }
    }

    /** Deletes what is hidden. If that fails, it stays hidden, until rules of the bucket or the next run remove it. */
    private void deleteHidden() {
        try {
            if (!hidden.isEmpty()) {
                bucket.delete(List.copyOf(hidden));
            }
        } catch (IOException e) {
            return; // the value itself is complete, or an earlier failure is being reported
        }
    }
}
