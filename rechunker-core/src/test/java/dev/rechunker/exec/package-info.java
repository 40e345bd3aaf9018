/** Tests of the engine. */
@NullMarked
package dev.rechunker.exec;

import org.jspecify.annotations.NullMarked;
