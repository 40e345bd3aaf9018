/** Tests of the bundle. */
@NullMarked
package dev.rechunker.release;

import org.jspecify.annotations.NullMarked;
