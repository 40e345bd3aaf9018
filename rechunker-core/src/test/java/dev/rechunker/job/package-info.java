/** Tests of planning and running jobs. */
@NullMarked
package dev.rechunker.job;

import org.jspecify.annotations.NullMarked;
