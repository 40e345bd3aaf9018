/** Tests of journals and their directories. */
@NullMarked
package dev.rechunker.journal;

import org.jspecify.annotations.NullMarked;
