package dev.rechunker.exec;

import com.google.common.base.Throwables;
import dev.rechunker.store.StoreException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tries what may pass again, a bounded number of times: after a pause of 0.1 s, then twice as long each time, at most 2
 * s. For any number of threads at once.
 *
 * <p>Tried again is an {@link IOException} that neither is nor is caused by one of those that will not pass: a
 * {@link StoreException} (corrupt, not understood, in the way), an interrupt, and what a file system says of a file:
 * missing, no permission, no space left.
 */
public final class Attempts {
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2000;

    private final int retries;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final LongAdder retried = new LongAdder();

    /**
     * Allows so many further attempts after the first one.
     *
     * @throws IllegalArgumentException if they are negative
     */
    public Attempts(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException(retries + " retries make no sense; 0 is none");
        }
        this.retries = retries;
    }

    /** Something that may be tried again. */
    @FunctionalInterface
    public interface Operation<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /** Something without a result that may be tried again. */
    @FunctionalInterface
    public interface Effect {
        /** Does it. */
        void run() throws IOException;
    }

    /**
     * {@return the result of an operation, which is tried again where that may help; if it fails at last, nothing is
     * tried again from then on}
     */
    public <T> T get(Operation<T> operation) throws IOException {
        try {
            return ask(operation);
        } catch (IOException e) {
            stop();
            throw e;
        }
    }

    /** {@return the result of an operation, as {@link #get} does, whose failure is an answer: the run goes on} */
    public <T> T ask(Operation<T> operation) throws IOException {
        for (int failed = 0; ; failed++) {
            try {
                return operation.run();
            } catch (IOException e) {
                if (failed >= retries || !mayPass(e) || !pause(failed)) {
                    throw e;
                }
                retried.increment();
            }
        }
    }

    /** Does something, and tries it again where that may help. */
    public void run(Effect effect) throws IOException {
        this.<Boolean>get(() -> {
            effect.run();
            return true;
        });
    }

    /** Ends all pauses; nothing is tried again from now on. */
    public void stop() {
        stopped.countDown();
    }

    /** {@return how often something was tried again} */
    public long retried() {
        return retried.sum();
    }

    /** {@return whether the run goes on after a pause} */
    private boolean pause(int failed) {
        long millis = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failed, 10));
        try {
            return !stopped.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean mayPass(Throwable failure) {
        return Throwables.getCausalChain(failure).stream().noneMatch(Attempts::isPermanent);
    }

    private static boolean isPermanent(Throwable e) {
        boolean interrupted = e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
        boolean ofFile = e instanceof FileSystemException && !e.getClass().equals(FileSystemException.class);
        return e instanceof StoreException
                || interrupted
                || ofFile
                || e instanceof FileNotFoundException
                || e instanceof ClosedChannelException
                || isFull(e);
    }

    /** {@return whether an exception, or what caused it, says that a device is full} */
    public static boolean isOutOfSpace(Throwable failure) {
        return Throwables.getCausalChain(failure).stream().anyMatch(Attempts::isFull);
    }

    /** The JDK hands on what the operating system says; there is no type for it. */
    private static boolean isFull(Throwable e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return e instanceof IOException
                && (message.contains("no space left on device")
                        || message.contains("not enough space on the disk")
                        || message.contains("disk quota exceeded"));
    }
}
