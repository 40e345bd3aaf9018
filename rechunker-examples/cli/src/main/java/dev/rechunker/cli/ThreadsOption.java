package dev.rechunker.cli;

/** How many threads work. */
final class ThreadsOption {
    private final Arg<Integer> threads;

    ThreadsOption(Command command) {
        threads = command.value(int.class, "--threads", "N", "Threads; one per processor unless told otherwise.");
    }

    /** {@return what was told, else one for each processor} */
    int number() {
        return threads.or(Runtime.getRuntime().availableProcessors());
    }
}
