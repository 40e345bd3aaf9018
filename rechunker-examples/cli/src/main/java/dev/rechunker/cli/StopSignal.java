package dev.rechunker.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a command in order if Ctrl-C, SIGTERM or SIGHUP stops the process: the thread of the command is interrupted, and
 * has some seconds to end what it does and to say what is done. The exit status is that of the JVM, 128 and the number
 * of the signal.
 */
final class StopSignal {
    /** Schedulers kill a process at least 10 seconds after they have told it to stop. */
    private static final long MOST_SECONDS = 8;

    private final Thread command;
    private final Runnable late;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;

    /**
     * Creates it.
     *
     * @param command the thread that runs the command
     * @param late is called if the command does not end in time
     */
    private StopSignal(Thread command, Runnable late) {
        this.command = command;
        this.late = late;
    }

    /** {@return the handling of signals for a command that the current thread runs, in force from now on} */
    static StopSignal ofThisThread(Runnable late) {
        StopSignal signal = new StopSignal(Thread.currentThread(), late);
        Runtime.getRuntime().addShutdownHook(new Thread(signal::stop, "rechunk stop"));
        return signal;
    }

    private void stop() {
        if (ended.getCount() == 0) {
            return;
        }
        stopped = true;
        command.interrupt();
        try {
            if (!ended.await(MOST_SECONDS, TimeUnit.SECONDS)) {
                late.run();
            }
        } catch (InterruptedException e) {
            late.run();
        }
    }

    /** {@return whether a signal has told the process to stop} */
    boolean isStopped() {
        return stopped;
    }

    /** Notes that the command has ended, so that the process can end. */
    void end() {
        ended.countDown();
    }
}
