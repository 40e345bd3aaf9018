/**
 * Plans in files, or in values of an object store, and their tasks run by processes that know nothing of each other but
 * such a place: {@link dev.rechunker.io.jobs.JobFile}. For schedulers of any kind.
 *
 * <p>The only room of the formats' house, but for {@code spark}, that knows the front door.
 */
@NullMarked
package dev.rechunker.io.jobs;

import org.jspecify.annotations.NullMarked;
