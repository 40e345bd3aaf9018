/** The measuring, tried on arrays so small that nothing is measured. */
@NullMarked
package dev.rechunker.bench;

import org.jspecify.annotations.NullMarked;
