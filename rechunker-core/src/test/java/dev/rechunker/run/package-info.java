/** Tests of what runs plans. */
@NullMarked
package dev.rechunker.run;

import org.jspecify.annotations.NullMarked;
