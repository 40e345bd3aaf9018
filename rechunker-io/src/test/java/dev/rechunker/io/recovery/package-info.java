/** Tests of runs that are killed or fail, that have too little space, or that write to the same target. */
@NullMarked
package dev.rechunker.io.recovery;

import org.jspecify.annotations.NullMarked;
