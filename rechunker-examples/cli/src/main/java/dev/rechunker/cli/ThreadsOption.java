package dev.rechunker.cli;

/** The option {@code --threads}. */
final class ThreadsOption {
    private final Arg<Integer> threads;

    ThreadsOption(Command command) {
        threads = command.value(int.class, "--threads", "N", "The number of threads. Default: one per processor.");
    }

    /** {@return the value of the option, or the number of processors} */
    int number() {
        return threads.or(Runtime.getRuntime().availableProcessors());
    }

    /** {@return whether the option was given} */
    boolean isGiven() {
        return threads.value() != null;
    }
}
