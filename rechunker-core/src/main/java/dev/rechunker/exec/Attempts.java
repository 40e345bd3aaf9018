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
 * Retries of operations that failed for reasons that may be temporary. The first pause is 0.1 s, and each following one
 * is twice as long, up to 2 s. Thread-safe.
 *
 * <p>An operation is retried after an {@link IOException}, unless it is one of these or was caused by one: a
 * {@link StoreException} (the data are corrupt or not supported, or something exists already), an interrupt, or an
 * exception of the file system about a file (it is missing, permission is denied, no space is left).
 */
public final class Attempts {
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 2000;

    private final int retries;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final LongAdder retried = new LongAdder();

    /**
     * Creates it with a number of further attempts after the first one.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public Attempts(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException(retries + " retries are not possible; write 0 for none");
        }
        this.retries = retries;
    }

    /** An operation with a result. */
    @FunctionalInterface
    public interface Operation<T> {
        /** Runs the operation. */
        T run() throws IOException;
    }

    /** An operation without a result. */
    @FunctionalInterface
    public interface Effect {
        /** Runs the operation. */
        void run() throws IOException;
    }

    /**
     * {@return the result of an operation, which is retried} After its last failure no operation is retried any more.
     */
    public <T> T get(Operation<T> operation) throws IOException {
        try {
            return ask(operation);
        } catch (IOException e) {
            stop();
            throw e;
        }
    }

    /** {@return the result of an operation, which is retried} Other operations are still retried if it fails. */
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

    /** Runs an operation, and retries it. After its last failure no operation is retried any more. */
    public void run(Effect effect) throws IOException {
        this.<Boolean>get(() -> {
            effect.run();
            return true;
        });
    }

    /** Ends all pauses. No operation is retried any more. */
    public void stop() {
        stopped.countDown();
    }

    /** {@return the number of retries so far} */
    public long retried() {
        return retried.sum();
    }

    /** Waits. {@return whether to retry after the pause} */
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

    /** {@return whether an exception, or one of its causes, says that a device is full} */
    public static boolean isOutOfSpace(Throwable failure) {
        return Throwables.getCausalChain(failure).stream().anyMatch(Attempts::isFull);
    }

    /**
     * {@return whether an exception says so} The JDK has no type for this, only the message of the operating system.
     */
    private static boolean isFull(Throwable e) {
        if (!(e instanceof IOException)) {
            return false;
        }
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left on device")
                || message.contains("not enough space on the disk")
                || message.contains("disk quota exceeded");
    }
}
