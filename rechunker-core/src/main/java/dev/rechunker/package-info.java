/** Changes the chunks of arrays inside a memory bound. Open {@link dev.rechunker.Rechunker}. */
@NullMarked
package dev.rechunker;

import org.jspecify.annotations.NullMarked;
