package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a web server has below an address, to be read only. It cannot be listed, so nodes are found by name or in
 * consolidated metadata.
 *
 * <p>A value is asked for with one request, by ranges where not all of it is needed. Requests that fail in passing (too
 * many of them, a server that is not available, a connection that breaks off or stalls) are made again, with growing
 * pauses. Only 404 and 410 mean that there is no value.
 */
public final class HttpKeys extends ReadOnlyKeys {
    /** The client's buffers for one answer, those of TLS included. */
    private static final long CLIENT = 160 << 10;

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<Integer> MISSING = Set.of(404, 410);
    private static final Set<Integer> PASSING = Set.of(408, 425, 429, 500, 502, 503, 504);
    private static final Set<Integer> REFUSING = Set.of(401, 403);
    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    private final URI root;
    private final Duration patience;

    HttpKeys(URI root, Duration patience) {
        super("on a web server");
        this.root = root;
        this.patience = patience;
    }

    /** One client for all servers: it has threads and files of its own, and cannot be closed. */
    private static final class Client {
        // One connection per request under way: the streams of HTTP/2 would buffer far more than they are asked for.
        static final HttpClient SHARED = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(CONNECT)
                .build();

        private Client() {}
    }

    /**
     * {@return what is below an address of {@code http} or {@code https}}
     *
     * @throws StoreException if the address is not understood, or has a password, a query or a fragment in it
     */
    public static HttpKeys at(String address) throws StoreException {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw new StoreException("an address that starts with http is malformed at character " + e.getIndex());
        }
        if (uri.getRawUserInfo() != null) {
            throw new StoreException("credentials do not go into an address; remove what is before the @");
        }
        if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new StoreException("an address is scheme://host/path; nothing can be read below one with a query,"
                    + " which might be a secret, or without a host");
        }
        String path = uri.getRawPath().replaceAll("/+\\z", "");
        return new HttpKeys(URI.create(uri.getScheme() + "://" + uri.getRawAuthority() + path), PATIENCE);
    }

    @Override
    public String name() {
        return root.toString();
    }

    @Override
    public String identity() {
        return WebPlace.of(root, "");
    }

    @Override
    public Optional<String> address() {
        return Optional.of(root.toString());
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public boolean isListable() {
        return false;
    }

    @Override
    public long sourceBytes() {
        return CLIENT + RangeSource.PIECE;
    }

    @Override
    public Listing list(String prefix) {
        throw new UnsupportedOperationException(
                name() + " is on a web server, which does not say what it has; name what is to be read");
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        return open(key, Span.ALL);
    }

    @Override
    public Optional<ByteSource> open(String key, Span first) throws IOException {
        Keys.check(name(), key);
        URI address = address(key);
        return RangeSource.open(address.toString(), (span, retries) -> get(address, span, retries), first);
    }

    private URI address(String key) throws StoreException {
        try {
            return URI.create(root + new URI(null, null, "/" + key, null).toASCIIString());
        } catch (URISyntaxException e) {
            throw new StoreException(name() + ": \"" + key + "\" cannot be part of an address", e);
        }
    }

    /** Closes an answer that nobody reads, after its end if that is near: the connection can be used again then. */
    private static void drain(InputStream body) {
        try (body) {
            body.skip(RangeSource.PIECE);
            body.read();
        } catch (IOException e) {
            return; // nobody needs what is left
        }
    }

    private Optional<RangeSource.Answer> get(URI address, Span span, Retries retries) throws IOException {
        while (true) {
            long least = 0;
            IOException failure;
            try {
                HttpResponse<InputStream> response = send(address, span);
                int status = response.statusCode();
                if (status == 200 || status == 206) {
                    return Optional.of(answer(address, response));
                }
                drain(response.body());
                if (MISSING.contains(status)) {
                    return Optional.empty();
                }
                if (status == 416 && !span.equals(Span.ALL)) {
                    return get(address, Span.ALL, retries); // a value that is shorter than what was asked for, or empty
                }
                if (!PASSING.contains(status)) {
                    throw refused(address, status);
                }
                least = retryAfterMillis(response.headers());
                failure = new IOException(address + " answers " + status);
            } catch (StoreException e) {
                throw e;
            } catch (InterruptedException e) {
                throw Retries.interrupted(e);
            } catch (IOException e) {
                failure = new IOException(address + ": " + (e.getMessage() == null ? e : e.getMessage()), e);
            }
            retries.pause(least, failure);
        }
    }

    private HttpResponse<InputStream> send(URI address, Span span) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(patience);
        if (!span.equals(Span.ALL)) {
            request.header("Range", span.header());
        }
        return Client.SHARED.send(request.build(), head -> new TimedBody(patience));
    }

    private static StoreException refused(URI address, int status) {
        return new StoreException(address + " answers " + status
                + (REFUSING.contains(status)
                        ? ": it may not be read without credentials, or is not there, where a server does not tell"
                        : ""));
    }

    private static long retryAfterMillis(HttpHeaders headers) {
        String value = headers.firstValue("Retry-After").orElse("");
        return value.matches("\\d{1,6}") ? 1000 * Long.parseLong(value) : 0;
    }

    private static RangeSource.Answer answer(URI address, HttpResponse<InputStream> response) throws IOException {
        HttpHeaders headers = response.headers();
        @Nullable String tag = headers.firstValue("ETag").orElse(null);
        if (response.statusCode() == 206) {
            String value = headers.firstValue("Content-Range").orElse("");
            Matcher range = CONTENT_RANGE.matcher(value);
            if (!range.matches()) {
                response.body().close();
                throw new StoreException(address + " answers with a part that it does not name: \"" + value + "\"");
            }
            return new Part(
                    Long.parseLong(range.group(1)),
                    Long.parseLong(range.group(2)) + 1,
                    Long.parseLong(range.group(3)),
                    tag,
                    response.body());
        }
        long size = headers.firstValueAsLong("Content-Length").orElse(-1);
        if (size < 0) {
            response.body().close();
            throw new StoreException(address + " does not say how long it is (no Content-Length)");
        }
        return new Part(0, size, size, tag, response.body());
    }

    private record Part(
            long start, long end, long size, @Nullable String tag, InputStream body) implements RangeSource.Answer {
        @Override
        public void abandon() {
            try {
                body.close();
            } catch (IOException e) {
                return; // there is nothing left to close
            }
        }
    }
}
