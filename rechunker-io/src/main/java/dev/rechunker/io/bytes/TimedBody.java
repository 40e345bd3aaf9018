package dev.rechunker.io.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of an HTTP response as a stream with a timeout, which the JDK's own does not have. It requests one batch of
 * buffers at a time, after the previous one was read.
 */
final class TimedBody extends InputStream implements BodySubscriber<InputStream> {
    /** An event: buffers, the end of the body, or a failure. */
    private record Arrival(
            List<ByteBuffer> buffers, boolean end, @Nullable Throwable failure) {}

    private final Duration timeout;
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
    private final Deque<ByteBuffer> buffers = new ArrayDeque<>();
    private boolean ended;

    /** Creates a body; {@code timeout} is the longest time to wait for the next bytes. */
    TimedBody(Duration timeout) {
        this.timeout = timeout;
    }

    @Override
    public CompletionStage<InputStream> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscribed) {
        subscription.complete(subscribed);
    }

    @Override
    public void onNext(List<ByteBuffer> arrived) {
        arrivals.add(new Arrival(arrived, false, null));
    }

    @Override
    public void onError(Throwable failure) {
        arrivals.add(new Arrival(List.of(), true, failure));
    }

    @Override
    public void onComplete() {
        arrivals.add(new Arrival(List.of(), true, null));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        try {
            while (buffers.isEmpty() && !ended) {
                take();
            }
        } catch (InterruptedException e) {
            throw Retries.interrupted(e);
        }
        ByteBuffer buffer = buffers.peek();
        if (buffer == null) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, count);
        if (!buffer.hasRemaining()) {
            buffers.remove();
        }
        return count;
    }

    private void take() throws IOException, InterruptedException {
        subscription.join().request(1);
        Arrival arrival = arrivals.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        if (arrival == null) {
            close();
            throw new HttpTimeoutException("no bytes arrived for " + timeout.toSeconds() + " s");
        }
        ended = arrival.end();
        if (arrival.failure() != null) {
            throw new IOException(arrival.failure().getMessage(), arrival.failure());
        }
        arrival.buffers().stream().filter(ByteBuffer::hasRemaining).forEach(buffers::add);
    }

    /** Cancels the rest of the body. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            subscription.join().cancel();
        }
        buffers.clear();
    }
}
