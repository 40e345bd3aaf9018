package dev.rechunker.cli;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.rechunker.Run;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page of a run to browsers on this machine. It listens on the loopback address only, answers nothing but
 * GET, and only to who knows its address: the path has a secret, so that other users of the machine do not see it, and
 * the header {@code Host} must name the loopback address, so that no web site can pretend to be it. It sets no header
 * that lets other sites read the page.
 */
final class WatchServer implements AutoCloseable {
    /** How long the end of a run waits for open browsers to show it. */
    private static final long LAST_LOOK_MILLIS = 2_500;

    private final Run.Page page;
    private final HttpServer server;
    private final ExecutorService threads;
    private final String path;
    private final CountDownLatch endWasSeen = new CountDownLatch(1);
    private volatile long lastLook;

    /**
     * Starts the server.
     *
     * @param port the port; 0 for a free one
     * @throws IOException if the port is in use
     */
    WatchServer(Run.Page page, int port) throws IOException {
        this.page = page;
        byte[] secret = new byte[12];
        new SecureRandom().nextBytes(secret);
        path = "/" + HexFormat.of().formatHex(secret) + "/";
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        threads = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task, "rechunk watch");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** {@return the address of the page} */
    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            headers.set("Cache-Control", "no-store");
            headers.set("Content-Type", "text/html; charset=utf-8");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("X-Frame-Options", "DENY");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cross-Origin-Resource-Policy", "same-origin");
            String asked = exchange.getRequestURI().getPath();
            if (!isLoopback(exchange.getRequestHeaders().get("Host"))) {
                send(exchange, 403, "");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                headers.set("Allow", "GET");
                send(exchange, 405, "");
            } else if (path.equals(asked)) {
                lastLook = System.nanoTime();
                send(exchange, 200, page.html());
            } else if ((path + "state").equals(asked)) {
                sendState(exchange);
            } else {
                send(exchange, 404, "");
            }
        }
    }

    private void sendState(HttpExchange exchange) throws IOException {
        lastLook = System.nanoTime();
        boolean ended = page.hasEnded();
        if (ended) {
            exchange.getResponseHeaders().set("Run-Ended", "true");
        }
        send(exchange, 200, page.state());
        if (ended) {
            endWasSeen.countDown();
        }
    }

    private boolean isLoopback(@Nullable List<String> hosts) {
        if (hosts == null || hosts.size() != 1) {
            return false;
        }
        String host = hosts.get(0).toLowerCase(Locale.ROOT);
        int port = server.getAddress().getPort();
        return List.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port)
                .contains(host);
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(bytes);
            }
        }
    }

    /** Shows what came of the run to browsers that are open, for which it waits a moment, and stops. */
    void end(String result) {
        page.end(result);
        boolean isOpen =
                lastLook != 0 && System.nanoTime() - lastLook < TimeUnit.MILLISECONDS.toNanos(LAST_LOOK_MILLIS);
        if (isOpen) {
            try {
                if (endWasSeen.await(LAST_LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    Thread.sleep(50); // the answer is on its way
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
