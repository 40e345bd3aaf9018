/** Tests of what plans and runs jobs. */
@NullMarked
package dev.rechunker.job;

import org.jspecify.annotations.NullMarked;
