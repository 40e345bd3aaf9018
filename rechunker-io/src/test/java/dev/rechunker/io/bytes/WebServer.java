package dev.rechunker.io.bytes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A web server on this machine with values in memory, and support for ranges. For faults, put a {@link FaultyProxy} in
 * front of it.
 */
public final class WebServer implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

    private final Map<String, byte[]> values = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile boolean fromTheStart;
    private volatile boolean forbidsDirectories;

    /** Starts the server. */
    public WebServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** {@return the address of the server, without a trailing slash} */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Stores a value under a path. */
    public void put(String path, byte[] value) {
        values.put(path, value);
    }

    /** Responds from now on with the first bytes of a value, as many as were requested. */
    void answerFromTheStart() {
        fromTheStart = true;
    }

    /** Responds from now on that directories must not be read, as many servers do. */
    public void forbidDirectories() {
        forbidsDirectories = true;
    }

    /** {@return the number of requests so far} */
    public int requests() {
        return requests.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try (exchange) {
            byte[] value = values.get(exchange.getRequestURI().getPath());
            if (value == null) {
                String below = exchange.getRequestURI().getPath() + "/";
                boolean forbidden =
                        forbidsDirectories && values.keySet().stream().anyMatch(path -> path.startsWith(below));
                exchange.sendResponseHeaders(forbidden ? 403 : 404, -1);
                return;
            }
            String asked = exchange.getRequestHeaders().getFirst("Range");
            Matcher range = RANGE.matcher(asked == null ? "" : asked);
            if (!range.matches()) {
                send(exchange, 200, value, 0, value.length);
                return;
            }
            boolean suffix = range.group(1).isEmpty();
            long from = suffix
                    ? Math.max(0, value.length - Long.parseLong(range.group(2)))
                    : Long.parseLong(range.group(1));
            long to = suffix || range.group(2).isEmpty()
                    ? value.length
                    : Math.min(value.length, Long.parseLong(range.group(2)) + 1);
            if (fromTheStart) {
                to -= from;
                from = 0;
            }
            if (from >= value.length) {
                exchange.sendResponseHeaders(416, -1);
                return;
            }
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + value.length);
            send(exchange, 206, value, (int) from, (int) to);
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] value, int from, int to) throws IOException {
        exchange.sendResponseHeaders(status, to == from ? -1 : to - from);
        exchange.getResponseBody().write(value, from, to - from);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
