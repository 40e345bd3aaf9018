package dev.rechunker.io.gcs;

import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A value that is sent in parts, each a hidden value next to it. The server composes at most 32 of them at a time, so
 * parts beyond that are composed in several rounds.
 */
final class GcsUpload extends Upload<String> {
    private static final int MOST_SOURCES = 32;

    private final GcsBucket bucket;
    private final String key;
    /** All hidden values, to be deleted in the end. */
    private final ConcurrentLinkedQueue<String> hidden = new ConcurrentLinkedQueue<>();

    GcsUpload(GcsBucket bucket, String key) {
        super(bucket.name(key));
        this.bucket = bucket;
        this.key = key;
    }

    @Override
    protected String send(int number, List<ByteBuffer> part, @Nullable String earlier) throws IOException {
        String name = earlier == null ? hiddenKey() : earlier;
        bucket.put(name, part);
        return name;
    }

    private String hiddenKey() {
        String name = Keys.part(key);
        hidden.add(name);
        return name;
    }

    @Override
    protected void join(List<String> parts) throws IOException {
        List<String> sources = parts;
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
    }

    /** Deletes what is hidden. If that fails, it stays hidden, until rules of the bucket or the next run remove it. */
    @Override
    protected void discard(List<String> parts) {
        try {
            if (!hidden.isEmpty()) {
                bucket.delete(List.copyOf(hidden));
            }
        } catch (IOException e) {
            return; // the value itself is complete, or an earlier failure is being reported
        }
    }
}
