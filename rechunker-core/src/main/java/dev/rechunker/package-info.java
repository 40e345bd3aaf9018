/** Changes the chunks of arrays within a memory limit. Open {@link dev.rechunker.Rechunker}. */
@NullMarked
package dev.rechunker;

import org.jspecify.annotations.NullMarked;
