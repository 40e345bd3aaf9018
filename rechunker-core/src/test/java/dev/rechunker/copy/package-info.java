/** The hot loops against loops over elements. */
@NullMarked
package dev.rechunker.copy;

import org.jspecify.annotations.NullMarked;
