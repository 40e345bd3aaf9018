/** To come. */
@NullMarked
package dev.rechunker.exec;

import org.jspecify.annotations.NullMarked;
