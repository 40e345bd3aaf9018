/** To come. */
@NullMarked
package dev.rechunker.plan;

import org.jspecify.annotations.NullMarked;
