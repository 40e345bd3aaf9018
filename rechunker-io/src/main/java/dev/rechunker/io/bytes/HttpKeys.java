package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of a web server below an address, read-only. They cannot be listed, so nodes are found by name or in
 * consolidated metadata.
 *
 * <p>A value takes one request, for a range if not all of it is needed. Requests with a temporary failure (too many
 * requests, an unavailable server, a lost or stalled connection) are repeated, with growing pauses. Only status 404 and
 * 410 mean that there is no value.
 */
public final class HttpKeys extends ReadOnlyKeys {
    /** The client's buffers for one response, in bytes, those of TLS included. */
    private static final long CLIENT = 160 << 10;

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Set<Integer> MISSING = Set.of(404, 410);
    private static final Set<Integer> TEMPORARY = Set.of(408, 425, 429, 500, 502, 503, 504);
    private static final Set<Integer> FORBIDDEN = Set.of(401, 403);

    /** The characters of an address that mean themselves everywhere (RFC 3986). */
    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private final URI root;
    private final Duration timeout;
    private final Redirects redirects;

    HttpKeys(URI root, Duration timeout, Redirects redirects) {
        super("on a web server");
        this.root = root;
        this.timeout = timeout;
        this.redirects = redirects;
    }

    /** The one client for all servers: it has threads and files of its own, and cannot be closed on JDK 17. */
    private static final class Client {
        // HTTP/1.1, with a connection for each concurrent request: streams of HTTP/2 buffer far more than is read.
        static final HttpClient SHARED = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .build();

        private Client() {}
    }

    /**
     * {@return the files below an address of {@code http} or {@code https}}
     *
     * @param address may end with {@code ?redirects=any}: redirects to other servers are then followed, unless they
     *     lead from {@code https} to {@code http}, or from a public address to a private one
     * @throws StoreException if the address is malformed, or contains a user, another query or a fragment
     */
    public static HttpKeys at(String address) throws StoreException {
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw new StoreException("an address that starts with http is malformed at character " + e.getIndex());
        }
        if (uri.getRawUserInfo() != null) {
            throw new StoreException("an address must not contain credentials; remove the part before the @");
        }
        String query = uri.getRawQuery();
        boolean hasOtherQuery = query != null && !query.equals(Redirects.SETTING);
        if (uri.getHost() == null || hasOtherQuery || uri.getRawFragment() != null) {
            throw new StoreException(
                    "an address must have the form scheme://host/path, without a query, which might be secret, other than ?"
                            + Redirects.SETTING + ", and without a fragment");
        }
        String path = uri.getRawPath().replaceAll("/+\\z", "");
        return new HttpKeys(
                URI.create(uri.getScheme() + "://" + uri.getRawAuthority() + path),
                TIMEOUT,
                new Redirects(query != null));
    }

    /** {@return whether what is at one address may refer to another: not from a public address to a private one} */
    public static boolean mayLead(String from, String to) {
        return Redirects.mayLead(URI.create(from), URI.create(to));
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
        return Optional.of(root + (redirects.toAnyHost() ? "?" + Redirects.SETTING : ""));
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
                name() + " is on a web server, whose files cannot be listed; give the path of each array");
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

    /** {@return the address of a key, of whose UTF-8 bytes all that may mean something else are escaped} */
    private URI address(String key) throws StoreException {
        ByteBuffer bytes;
        try {
            bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key));
        } catch (CharacterCodingException e) {
            throw new StoreException(name() + ": \"" + key + "\" cannot be part of an address", e);
        }
        StringBuilder address = new StringBuilder(root.toString()).append('/');
        while (bytes.hasRemaining()) {
            int b = bytes.get() & 0xff;
            if (b == '/' || UNRESERVED.indexOf(b) >= 0) {
                address.append((char) b);
            } else {
                address.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) b));
            }
        }
        return URI.create(address.toString());
    }

    /** Closes an unread body; if it is short, reads it first, so that the connection can be used again. */
    private static void drain(InputStream body) {
        try (body) {
            body.skip(RangeSource.PIECE);
            body.read();
        } catch (IOException e) {
            return; // the rest is not needed
        }
    }

    private Optional<RangeSource.Answer> get(URI address, Span span, Retries retries) throws IOException {
        Span asked = span;
        while (true) {
            long least = 0;
            IOException failure;
            try {
                HttpResponse<InputStream> response = send(address, asked);
                int status = response.statusCode();
                if (status == 200 || status == 206) {
                    return Optional.of(answer(address, response));
                }
                drain(response.body());
                if (MISSING.contains(status)) {
                    return Optional.empty();
                }
                if (status == 416 && !asked.equals(Span.ALL)) {
                    asked = Span.ALL; // the value is shorter than the requested range, or empty
                    continue;
                }
                if (!TEMPORARY.contains(status)) {
                    throw refused(address, status);
                }
                least = retryAfterMillis(response.headers());
                failure = new IOException(address + " responds with status " + status);
            } catch (StoreException e) {
                throw e;
            } catch (InterruptedException e) {
                throw Retries.interrupted(e);
            } catch (ConnectException e) {
                failure = noConnection(address, e);
            } catch (IOException e) {
                failure = new IOException(address + ": " + (e.getMessage() == null ? e : e.getMessage()), e);
            }
            retries.pause(least, failure);
        }
    }

    /** {@return the failure of a connection, of which the client of the JDK does not say why} */
    private static IOException noConnection(URI address, ConnectException e) {
        boolean isUnknown = false;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            isUnknown |= cause instanceof UnresolvedAddressException;
        }
        ConnectException failure = new ConnectException(address + ": "
                + (isUnknown ? "the host is not known" : "the host accepts no connection")
                + "; check the address, and whether the server can be reached from here");
        failure.initCause(e);
        return failure;
    }

    /** {@return the response to a request, after all redirects that are followed} */
    private HttpResponse<InputStream> send(URI address, Span span) throws IOException, InterruptedException {
        URI at = address;
        for (int redirect = 0; redirect <= Redirects.MOST; redirect++) {
            HttpRequest.Builder request = HttpRequest.newBuilder(at).timeout(timeout);
            if (!span.equals(Span.ALL)) {
                request.header("Range", span.header());
            }
            HttpResponse<InputStream> response = Client.SHARED.send(request.build(), head -> new TimedBody(timeout));
            if (!Redirects.isRedirect(response.statusCode())) {
                return response;
            }
            drain(response.body());
            URI to = location(address, at, response.headers());
            Optional<String> refusal = redirects.refusal(at, to);
            if (refusal.isPresent()) {
                throw new StoreException(address + " redirects " + refusal.get());
            }
            at = to;
        }
        throw new StoreException(address + " redirects more than " + Redirects.MOST + " times");
    }

    /** {@return the address to which a response redirects; messages do not repeat it, as it may contain a signature} */
    private static URI location(URI address, URI at, HttpHeaders headers) throws StoreException {
        try {
            return at.resolve(new URI(headers.firstValue("Location").orElse("")));
        } catch (URISyntaxException e) {
            throw new StoreException(address + " redirects without a valid address");
        }
    }

    private static StoreException refused(URI address, int status) {
        return new StoreException(address + " responds with status " + status
                + (FORBIDDEN.contains(status)
                        ? ": credentials are required, or the file does not exist and the server does not say so"
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
            Optional<ContentRange> known = ContentRange.parse(value);
            if (known.isEmpty()) {
                response.body().close();
                throw new StoreException(address
                        + " responds with a range that it does not describe; its Content-Range is \"" + value + "\"");
            }
            ContentRange range = known.get();
            InputStream body = WebPage.refuse(address, headers, range.start(), response.body());
            return new Part(range.start(), range.end(), range.size(), tag, body);
        }
        long size = headers.firstValueAsLong("Content-Length").orElse(-1);
        if (size < 0) {
            response.body().close();
            throw new StoreException(address + " responds without a Content-Length, so its size is unknown");
        }
        return new Part(0, size, size, tag, WebPage.refuse(address, headers, 0, response.body()));
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
