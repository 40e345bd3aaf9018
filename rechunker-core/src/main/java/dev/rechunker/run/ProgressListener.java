package dev.rechunker.run;

/** Hears how far a run has come. */
@FunctionalInterface
public interface ProgressListener {
    /** Nobody. */
    ProgressListener NONE = progress -> {};

    /**
     * Called by one thread at a time, about ten times a second and once at the end. Should return soon.
     *
     * <p>A runtime exception fails the run; at the end, when everything is published, it is only logged.
     */
    void onProgress(Progress progress);
}
