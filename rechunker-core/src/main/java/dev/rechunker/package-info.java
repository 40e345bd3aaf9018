/** The front door: open {@code Rechunker}. */
@NullMarked
package dev.rechunker;

import org.jspecify.annotations.NullMarked;
