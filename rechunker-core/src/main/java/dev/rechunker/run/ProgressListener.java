package dev.rechunker.run;

/** Receives the progress of a run. */
@FunctionalInterface
public interface ProgressListener {
    /** A listener that does nothing. */
    ProgressListener NONE = progress -> {};

    /**
     * Called by one thread at a time, about ten times a second and once at the end. It should return quickly.
     *
     * <p>A runtime exception fails the run. At the end, when everything is published, it is only logged.
     */
    void onProgress(Progress progress);
}
