/** Costs of reading, compared with counting. */
@NullMarked
package dev.rechunker.suggest;

import org.jspecify.annotations.NullMarked;
