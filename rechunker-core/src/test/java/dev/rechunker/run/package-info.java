/** Tests of executors and progress. */
@NullMarked
package dev.rechunker.run;

import org.jspecify.annotations.NullMarked;
