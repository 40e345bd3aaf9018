package dev.rechunker.io.gcs;

import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponse;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The response to a request for an object, or for a range of one. */
record GcsAnswer(long start, long end, long size, @Nullable String tag, InputStream body, HttpResponse response)
        implements RangeSource.Answer {
    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    static GcsAnswer of(String name, HttpResponse response) throws IOException {
        HttpHeaders headers = response.getHeaders();
        String encoding = headers.getFirstHeaderStringValue("x-goog-stored-content-encoding");
        Matcher range = CONTENT_RANGE.matcher(String.valueOf(headers.getContentRange()));
        Long length = headers.getContentLength();
        String problem = null;
        if ("gzip".equals(encoding)) {
            problem = "is stored with Content-Encoding gzip, so that parts of it cannot be read; upload it without";
        } else if (!range.matches() && length == null) {
            problem = "has an unknown size: the server responds without a Content-Length";
        }
        if (problem != null) {
            response.disconnect();
            throw new StoreException(name + " " + problem);
        }
        InputStream body = response.getContent();
        String tag = headers.getFirstHeaderStringValue("x-goog-generation");
        InputStream bytes = body == null ? InputStream.nullInputStream() : body;
        return range.matches()
                ? new GcsAnswer(
                        Long.parseLong(range.group(1)),
                        Long.parseLong(range.group(2)) + 1,
                        Long.parseLong(range.group(3)),
                        tag,
                        bytes,
                        response)
                : new GcsAnswer(0, length, length, tag, bytes, response);
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
