package dev.rechunker.io.gcs;

import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponse;
import dev.rechunker.io.bytes.ContentRange;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The response to a request for an object, or for a range of one. */
record GcsAnswer(long start, long end, long size, @Nullable String tag, InputStream body, HttpResponse response)
        implements RangeSource.Answer {
    static GcsAnswer of(String name, HttpResponse response) throws IOException {
        HttpHeaders headers = response.getHeaders();
        String encoding = headers.getFirstHeaderStringValue("x-goog-stored-content-encoding");
        Optional<ContentRange> range = ContentRange.of(headers.getContentRange(), headers.getContentLength());
        String problem = null;
        if ("gzip".equals(encoding)) {
            problem = "is stored with Content-Encoding gzip, so that parts of it cannot be read; upload it without";
        } else if (range.isEmpty()) {
            problem = "has an unknown size: the server responds without a Content-Length";
        }
        if (problem != null) {
            response.disconnect();
            throw new StoreException(name + " " + problem);
        }
        InputStream body = response.getContent();
        String tag = headers.getFirstHeaderStringValue("x-goog-generation");
        InputStream bytes = body == null ? InputStream.nullInputStream() : body;
        ContentRange known = range.orElseThrow();
        return new GcsAnswer(known.start(), known.end(), known.size(), tag, bytes, response);
    }

    @Override
    public void abandon() {
        try {
            response.disconnect();
        } catch (IOException e) {
            return; // the rest is not needed
        }
    }
}
