/** The rules of the house. */
@NullMarked
package dev.rechunker;

import org.jspecify.annotations.NullMarked;
