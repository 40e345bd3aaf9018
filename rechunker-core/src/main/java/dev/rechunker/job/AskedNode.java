package dev.rechunker.job;

import com.google.common.base.Throwables;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node of a source, and what a visit asks the source about it. Questions that were not asked in advance are asked
 * when the visit takes their answers. If one that was asked in advance failed, the visit gets its exception then.
 */
final class AskedNode implements AutoCloseable {
    /** The most chunks of an array whose reader is opened in advance: its index of chunks takes little memory. */
    private static final long MOST_CHUNKS = 1 << 10;

    private final String path;
    private final Answer<Optional<ChunkStore.Node>> node;
    private final Answer<List<String>> omissions;
    private final Answer<List<String>> layoutOmissions;
    private final Answer<List<String>> children;
    private final Answer<ArrayReader> reader;
    private boolean closed;

    /** Asks nothing. */
    AskedNode(StoreLocation source, String path) {
        this.path = path;
        ChunkStore store = source.store();
        String stored = source.resolve(path).path();
        this.node = new Answer<>(() -> store.node(stored));
        this.omissions = new Answer<>(() -> store.omissions(stored));
        this.layoutOmissions = new Answer<>(() -> store.layoutOmissions(stored));
        this.children = new Answer<>(() -> store.children(stored));
        this.reader = new Answer<>(() -> store.openReader(stored));
    }

    /** {@return the path below the source} */
    String path() {
        return path;
    }

    /** Asks in advance what the visit will ask, up to the first failure. Does nothing after {@link #close()}. */
    synchronized void askAhead() {
        if (closed) {
            return;
        }
        node.ask();
        ChunkStore.Node found = node.ifKnown().flatMap(known -> known).orElse(null);
        if (found == null || !omissions.ask() || !layoutOmissions.ask()) {
            return;
        }
        if (found instanceof ChunkStore.GroupNode) {
            children.ask();
        } else if (found instanceof ChunkStore.ArrayNode array && hasFewChunks(array.spec())) {
            reader.ask();
        }
    }

    /** {@return what {@link ChunkStore#node} says} */
    synchronized Optional<ChunkStore.Node> node() throws IOException {
        return node.take();
    }

    /** {@return what {@link ChunkStore#omissions} says} */
    synchronized List<String> omissions() throws IOException {
        return omissions.take();
    }

    /** {@return what {@link ChunkStore#layoutOmissions} says} */
    synchronized List<String> layoutOmissions() throws IOException {
        return layoutOmissions.take();
    }

    /** {@return what {@link ChunkStore#children} says} */
    synchronized List<String> children() throws IOException {
        return children.take();
    }

    /** {@return a reader of the array, which the caller closes} */
    synchronized ArrayReader openReader() throws IOException {
        return reader.take();
    }

    /** Closes a reader that was opened in advance and not taken; waits for a thread that is asking. */
    @Override
    public synchronized void close() {
        closed = true;
        Optional<ArrayReader> unused = reader.ifKnown();
        if (unused.isPresent()) {
            try {
                unused.get().close();
            } catch (IOException e) {
                // Nothing was read.
            }
        }
    }

    private static boolean hasFewChunks(ArraySpec array) {
        try {
            return array.chunks().count() <= MOST_CHUNKS;
        } catch (ArithmeticException e) { // the number exceeds a long
            return false;
        }
    }

    /** Asks the source. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws IOException;
    }

    /** The answer to a question, if it is known already. */
    private static final class Answer<T> {
        private final Question<T> question;
        private @Nullable T known;
        private @Nullable Throwable failure;

        Answer(Question<T> question) {
            this.question = question;
        }

        /** Asks the question in advance; {@return whether that succeeded} */
        boolean ask() {
            try {
                known = question.ask();
                return true;
            } catch (IOException | RuntimeException | Error e) {
                failure = e;
                return false;
            }
        }

        Optional<T> ifKnown() {
            return Optional.ofNullable(known);
        }

        /** {@return the answer, which is asked for if it is not known, and not kept} */
        T take() throws IOException {
            if (failure != null) {
                Throwables.throwIfInstanceOf(failure, IOException.class);
                Throwables.throwIfUnchecked(failure);
            }
            T taken = known;
            known = null;
            return taken != null ? taken : question.ask();
        }
    }
}
