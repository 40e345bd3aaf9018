package dev.rechunker.io.bytes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A proxy for a server on this machine. It adds latency to every request and faults to chosen requests, limits the
 * number of bytes per second, and counts concurrent requests.
 */
public final class FaultyProxy implements AutoCloseable {
    private static final Set<String> OWN =
            Set.of("host", "content-length", "connection", "expect", "transfer-encoding");

    static {
        // Without this, small responses are delayed by another 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final String upstream;
    private final long latencyMillis;
    private final Function<Integer, Fault> faults;
    private final Line up;
    private final Line down;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private final Map<Fault, AtomicInteger> done = new ConcurrentHashMap<>();
    private final HttpServer server;

    /** The faults of a request. */
    public enum Fault {
        /** No fault. */
        NONE,
        /** The server responds that it is too busy. */
        BUSY,
        /** The connection is closed without a response. */
        RESET,
        /** The body ends in the middle. */
        TRUNCATED,
        /** The body stops in the middle, and the connection stays open. */
        STALLED,
        /** The body is sent in small pieces, with pauses. */
        SLOW
    }

    /**
     * Starts the proxy.
     *
     * @param faults the fault of each request, by its number from 0
     */
    public FaultyProxy(String upstream, long latencyMillis, Function<Integer, Fault> faults) throws IOException {
        this(upstream, latencyMillis, Double.POSITIVE_INFINITY, faults);
    }

    /**
     * Starts the proxy.
     *
     * @param bytesPerSecond the maximum number of bytes per second in each direction
     * @param faults the fault of each request, by its number from 0
     */
    public FaultyProxy(String upstream, long latencyMillis, double bytesPerSecond, Function<Integer, Fault> faults)
            throws IOException {
        this.up = new Line(bytesPerSecond);
        this.down = new Line(bytesPerSecond);
        this.upstream = upstream;
        this.latencyMillis = latencyMillis;
        this.faults = faults;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** {@return the address of the proxy, without a trailing slash} */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** {@return the number of requests so far} */
    public int requests() {
        return requests.get();
    }

    /** {@return the maximum number of concurrent requests} */
    public int mostUnderWay() {
        return mostUnderWay.get();
    }

    /** {@return how often a fault has occurred} */
    public int count(Fault fault) {
        AtomicInteger count = done.get(fault);
        return count == null ? 0 : count.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Fault fault = faults.apply(requests.getAndIncrement());
        done.computeIfAbsent(fault, f -> new AtomicInteger()).incrementAndGet();
        try (exchange) {
            HttpResponse<byte[]> answer = answer(exchange, fault);
            if (answer != null) {
                relay(exchange, answer, fault);
            } else if (fault == Fault.BUSY) {
                exchange.sendResponseHeaders(503, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Counts a request until its response is known, not until it is sent: then the client may already send the next
     * one.
     */
    private @Nullable HttpResponse<byte[]> answer(HttpExchange exchange, Fault fault)
            throws IOException, InterruptedException {
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Thread.sleep(latencyMillis);
            up.pass(body.length);
            if (fault == Fault.RESET || fault == Fault.BUSY) {
                return null;
            }
            HttpResponse<byte[]> answer = ask(exchange, body);
            down.pass(answer.body().length);
            return answer;
        } finally {
            underWay.decrementAndGet();
        }
    }

    private HttpResponse<byte[]> ask(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(upstream + exchange.getRequestURI().toASCIIString()))
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private void relay(HttpExchange exchange, HttpResponse<byte[]> response, Fault fault)
            throws IOException, InterruptedException {
        byte[] body = response.body();
        for (Map.Entry<String, List<String>> header : response.headers().map().entrySet()) {
            if (!OWN.contains(header.getKey().toLowerCase(java.util.Locale.ROOT))) {
                exchange.getResponseHeaders().put(header.getKey(), header.getValue());
            }
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            response.headers()
                    .firstValue("Content-Length")
                    .ifPresent(length -> exchange.getResponseHeaders().set("Content-Length", length));
        }
        exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
        OutputStream out = exchange.getResponseBody();
        switch (fault) {
            case TRUNCATED -> out.write(body, 0, body.length / 2);
            case STALLED -> {
                out.write(body, 0, body.length / 2);
                out.flush();
                Thread.sleep(60_000);
            }
            case SLOW -> {
                int piece = Math.max(1, body.length / 8);
                for (int at = 0; at < body.length; at += piece) {
                    out.write(body, at, Math.min(piece, body.length - at));
                    out.flush();
                    Thread.sleep(20);
                }
            }
            default -> out.write(body);
        }
    }

    /** One direction of the connection to the server, in which bodies are transferred one after the other. */
    private static final class Line {
        private final double bytesPerSecond;
        private long freeAt = System.nanoTime();

        Line(double bytesPerSecond) {
            this.bytesPerSecond = bytesPerSecond;
        }

        void pass(long bytes) throws InterruptedException {
            if (bytes == 0) {
                return;
            }
            long wait;
            synchronized (this) {
                long now = System.nanoTime();
                freeAt = Math.max(freeAt, now) + (long) (bytes * 1e9 / bytesPerSecond);
                wait = freeAt - now;
            }
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
