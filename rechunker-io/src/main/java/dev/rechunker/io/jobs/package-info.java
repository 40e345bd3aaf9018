/**
 * Plans whose tasks are run by independent processes, which share only a file or a value of an object store. For
 * schedulers of any kind. Open {@link dev.rechunker.io.jobs.JobFile} first.
 *
 * <p>Among the packages of this module, only this one runs plans.
 */
@NullMarked
package dev.rechunker.io.jobs;

import org.jspecify.annotations.NullMarked;
