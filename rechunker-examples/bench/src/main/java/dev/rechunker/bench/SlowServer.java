package dev.rechunker.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A web server for the files of a directory, which delays every response and limits the bytes per second. It stands in
 * for a slow disk or a network.
 */
final class SlowServer implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

    static {
        // Without this, small responses are delayed by another 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final Path directory;
    private final SlowStorage storage;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final HttpServer server;
    private long freeAt = System.nanoTime();

    SlowServer(Path directory, SlowStorage storage) throws IOException {
        this.directory = directory;
        this.storage = storage;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** {@return the address of a file or directory in the directory} */
    String address(Path path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + directory.relativize(path);
    }

    /** {@return the bytes and requests that were served so far} */
    Reads soFar() {
        return new Reads(bytes.get(), requests.get(), 0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.incrementAndGet();
            Thread.sleep(storage.latencyMillis());
            Path file = directory.resolve(exchange.getRequestURI().getPath().substring(1));
            if (!file.normalize().startsWith(directory) || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            send(exchange, file);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(HttpExchange exchange, Path file) throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            String asked = exchange.getRequestHeaders().getFirst("Range");
            Matcher range = RANGE.matcher(asked == null ? "" : asked);
            boolean isPart = range.matches();
            boolean isEnd = isPart && range.group(1).isEmpty();
            long from = !isPart
                    ? 0
                    : isEnd ? Math.max(0, size - Long.parseLong(range.group(2))) : Long.parseLong(range.group(1));
            long to = !isPart || isEnd || range.group(2).isEmpty()
                    ? size
                    : Math.min(size, Long.parseLong(range.group(2)) + 1);
            exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
            if (isPart && from >= size) {
                exchange.sendResponseHeaders(416, -1);
                return;
            }
            if (isPart) {
                exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + size);
            }
            int status = isPart ? 206 : 200;
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", Long.toString(size));
                exchange.sendResponseHeaders(status, -1);
                return;
            }
            ByteBuffer value = ByteBuffer.allocate((int) (to - from));
            while (value.hasRemaining() && channel.read(value, from + value.position()) >= 0) {}
            bytes.addAndGet(value.capacity());
            waitFor(value.capacity());
            exchange.sendResponseHeaders(status, value.capacity() == 0 ? -1 : value.capacity());
            exchange.getResponseBody().write(value.array());
        }
    }

    /** Waits until these bytes have passed, one body after the other. */
    private void waitFor(long count) throws InterruptedException {
        long wait;
        synchronized (this) {
            long now = System.nanoTime();
            freeAt = Math.max(freeAt, now) + (long) (count * 1e9 / storage.bytesPerSecond());
            wait = freeAt - now;
        }
        TimeUnit.NANOSECONDS.sleep(wait);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
