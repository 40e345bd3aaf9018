/** The rules of the house of formats. */
@NullMarked
package dev.rechunker.io;

import org.jspecify.annotations.NullMarked;
