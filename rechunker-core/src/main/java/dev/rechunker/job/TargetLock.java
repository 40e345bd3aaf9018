package dev.rechunker.job;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** How existing arrays that a run writes into are held against other runs; new arrays have a journal instead. */
interface TargetLock {
    /** Of a target without existing arrays: holds nothing. */
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

    /** {@return the directory that a run locks, if the store has one} */
    Optional<Path> directory() throws IOException;

    /** {@return what holds the arrays themselves until it is closed} */
    Closeable hold() throws IOException;
}
