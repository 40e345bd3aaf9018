/** Tests of the archives of the command line. */
@NullMarked
package dev.rechunker.distribution;

import org.jspecify.annotations.NullMarked;
