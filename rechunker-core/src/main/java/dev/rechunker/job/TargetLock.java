package dev.rechunker.job;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The lock that keeps other runs out of existing arrays. New arrays have a journal instead. */
interface TargetLock {
    /** The lock of a target without existing arrays, which does nothing. */
    TargetLock NONE = new TargetLock() {
        @Override
        public Optional<Path> directory() {
            return Optional.empty();
        }

        @Override
        public Closeable hold() {
            return () -> {};
        }
    };

    /** {@return the directory that is locked, if the store has one} */
    Optional<Path> directory() throws IOException;

    /** Locks the arrays themselves until the returned resource is closed. */
    Closeable hold() throws IOException;
}
