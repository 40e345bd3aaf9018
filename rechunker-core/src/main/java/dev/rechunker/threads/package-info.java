/**
 * Threads that work together, and waits that do not keep a thread pool from its work. Open
 * {@link dev.rechunker.threads.Team} first.
 *
 * <p>Threads come from a {@link java.util.concurrent.ForkJoinPool} that is created for the work and ends with it; the
 * common pool is never used. Imports no other package of this project.
 */
@NullMarked
package dev.rechunker.threads;

import org.jspecify.annotations.NullMarked;
