package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value by requests for ranges of it.
 *
 * <p>As long as what is read runs forward inside the range under way, it comes from one answer; a jump makes a new
 * request for what is asked for and no more. If an answer breaks off, the rest of its range is requested, some times
 * and with growing pauses; what was not answered is for {@link Requests} to ask for again. A value that was replaced in
 * between is noticed by its tag and size.
 */
public final class RangeSource implements ByteSource {
    /** What one source holds: a piece of the answer. */
    public static final int PIECE = 1 << 15;

    /** Reading so many bytes for nothing is faster than another request. */
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
    /** Where the next byte of the answer belongs. */
    private long at;
    /** Where an answer broke off, and where it would have ended; -1 if none did. */
    private long brokenAt = -1;

    private long brokenEnd;

    /** How a store is asked for a range of one value. */
    @FunctionalInterface
    public interface Requests {
        /**
         * {@return the answer to a request, which was made as often as may help, or empty if there is no such value}
         *
         * @param retries counts failures, among them answers that broke off; not for those who count by themselves
         * @throws StoreException if asking again will not help
         * @throws IOException if it may, later
         */
        Optional<Answer> get(Span span, Retries retries) throws IOException;
    }

    /** A range of a value on its way. */
    public interface Answer {
        /** {@return where the body starts in the value} */
        long start();

        /** {@return where the body ends in the value} */
        long end();

        /** {@return the size of the value} */
        long size();

        /** {@return what changes when the value is replaced; null if the store does not tell} */
        @Nullable
        String tag();

        /** {@return the bytes} */
        InputStream body();

        /** Gives up what was not read. */
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
     * @param name names the value in messages
     * @param first what will be read first
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
            throw new EOFException(
                    name + " ends at byte " + size + ", but " + target.remaining() + " are needed from byte " + offset);
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

    /** {@return an answer that comes to a place soon: the one under way, or a new one} */
    private Answer answerFrom(long from, int needed) throws IOException {
        Answer current = answer;
        if (current == null || from < at || from - at > GAP || from >= current.end()) {
            close();
            current = request(from, from == brokenAt ? brokenEnd - from : needed);
        }
        brokenAt = -1;
        return current;
    }

    /** Makes the piece start at a place, so that at least one byte from there is in it. */
    private void fill(Answer current, long from) throws IOException {
        try {
            current.body().skipNBytes(from - at);
            at = from;
            int count = current.body().read(piece, 0, (int) Math.min(piece.length, current.end() - from));
            if (count <= 0 || (from + count == current.end() && current.body().read() >= 0)) {
                throw new EOFException("the answer has not the length that it announced");
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
                .orElseThrow(() -> new StoreException(name + " was deleted while it was read"));
        answer = next;
        at = next.start();
        if (next.size() != size || (tag != null && !tag.equals(next.tag()))) {
            close();
            throw new StoreException(name + " was replaced while it was read");
        }
        if (from < next.start() || from >= next.end()) {
            close();
            throw new StoreException(name + " was asked for bytes from " + from + ", and answers with those from "
                    + next.start() + " to " + next.end());
        }
        return next;
    }

    /** Lets the connection be used again if little is left to read. */
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
            open.abandon(); // nobody needs what is left
        }
    }
}
