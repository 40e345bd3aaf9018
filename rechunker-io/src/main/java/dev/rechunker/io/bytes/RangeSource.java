package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value by range requests.
 *
 * <p>Reads that move forward inside a requested range are served by one response; any other read makes a new request
 * for just its own bytes. If a response is incomplete, the rest of its range is requested again, a limited number of
 * times and with growing pauses. Requests without a response are repeated by {@link Requests}. A value that was
 * replaced between two requests is recognised by its tag and size.
 */
public final class RangeSource implements ByteSource {
    /** The memory of one source, in bytes: a piece of the response. */
    public static final int PIECE = 1 << 15;

    /** Skipping up to this many bytes is faster than another request. */
    private static final long GAP = 1 << 19;

    private final String name;
    private final Requests requests;
    private final Retries retries;
    private final long size;
    private final @Nullable String tag;
    private final byte[] piece;
    private long pieceStart;
    private int pieceLength;
    private @Nullable Answer answer;
    /** The position in the value of the next byte of the response. */
    private long at;
    /** The position at which a response broke off; -1 if none did. */
    private long brokenAt = -1;

    /** The position at which that response should have ended. */
    private long brokenEnd;

    /** Requests ranges of one value from a store. */
    @FunctionalInterface
    public interface Requests {
        /**
         * {@return the response to a request, which is repeated as long as that may help; empty if there is no such
         * value}
         *
         * @param retries counts failures, incomplete responses included; ignored by stores that count by themselves
         * @throws StoreException if the request failed for good
         * @throws IOException if the request may succeed later
         */
        Optional<Answer> get(Span span, Retries retries) throws IOException;
    }

    /** A response: a range of a value. */
    public interface Answer {
        /** {@return the position in the value of the first byte of the body} */
        long start();

        /** {@return the position in the value after the last byte of the body} */
        long end();

        /** {@return the size of the value} */
        long size();

        /** {@return a text that changes when the value is replaced; null if the store has none} */
        @Nullable
        String tag();

        /** {@return the bytes} */
        InputStream body();

        /** Closes the response without reading the rest. */
        void abandon();
    }

    private RangeSource(String name, Requests requests, Retries retries, Answer answer) {
        this.name = name;
        this.requests = requests;
        this.retries = retries;
        this.answer = answer;
        this.at = answer.start();
        this.size = answer.size();
        this.tag = answer.tag();
        this.piece = new byte[(int) Math.min(PIECE, size)];
    }

    /**
     * {@return a value, or empty if there is none}
     *
     * @param name the name of the value in messages
     * @param first the range that will be read first
     */
    public static Optional<ByteSource> open(String name, Requests requests, Span first) throws IOException {
        Retries retries = new Retries();
        return requests.get(first, retries).map(answer -> new RangeSource(name, requests, retries, answer));
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public Optional<String> tag() {
        return Optional.ofNullable(tag);
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (target.remaining() > size - offset) {
            throw new EOFException(name + " ends at byte " + size + ", but " + target.remaining()
                    + " bytes are needed from byte " + offset);
        }
        long next = offset;
        while (target.hasRemaining()) {
            if (next >= pieceStart && next < pieceStart + pieceLength) {
                int from = (int) (next - pieceStart);
                int count = Math.min(target.remaining(), pieceLength - from);
                target.put(piece, from, count);
                next += count;
                continue;
            }
            Answer current = answerFrom(next, target.remaining());
            try {
                fill(current, next);
                retries.reset();
            } catch (StoreException e) {
                throw e;
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                retries.pause(0, new IOException(name + " broke off at byte " + next + ": " + e.getMessage(), e));
            }
        }
    }

    /** {@return a response that contains a position soon: the current one, or a new one} */
    private Answer answerFrom(long from, int needed) throws IOException {
        Answer current = answer;
        if (current == null || from < at || from - at > GAP || from >= current.end()) {
            close();
            current = request(from, from == brokenAt ? brokenEnd - from : needed);
        }
        brokenAt = -1;
        return current;
    }

    /** Fills the piece with at least one byte, starting at a position. */
    private void fill(Answer current, long from) throws IOException {
        try {
            current.body().skipNBytes(from - at);
            at = from;
            int count = current.body().read(piece, 0, (int) Math.min(piece.length, current.end() - from));
            if (count <= 0 || (from + count == current.end() && current.body().read() >= 0)) {
                throw new EOFException("the response does not have the length that it announced");
            }
            pieceStart = from;
            pieceLength = count;
            at = from + count;
        } catch (IOException e) {
            brokenAt = from;
            brokenEnd = current.end();
            answer = null;
            current.abandon();
            throw e;
        }
    }

    private Answer request(long from, long length) throws IOException {
        Answer next = requests.get(new Span(from, length), retries)
                .orElseThrow(() -> new StoreException(name + " was deleted while it was being read"));
        answer = next;
        at = next.start();
        if (next.size() != size || (tag != null && !tag.equals(next.tag()))) {
            close();
            throw new StoreException(name + " was replaced while it was being read");
        }
        if (from < next.start() || from >= next.end()) {
            close();
            throw new StoreException(name + ": bytes from " + from + " were requested, but the response has bytes "
                    + next.start() + " to " + next.end());
        }
        return next;
    }

    /** Reads a short rest of the response, so that the connection can be used again. */
    @Override
    public void close() throws IOException {
        Answer open = answer;
        answer = null;
        if (open == null) {
            return;
        }
        if (open.end() - at > PIECE) {
            open.abandon();
            return;
        }
        try (InputStream body = open.body()) {
            body.skipNBytes(open.end() - at);
            body.read();
        } catch (IOException e) {
            open.abandon(); // the rest is not needed
        }
    }
}
