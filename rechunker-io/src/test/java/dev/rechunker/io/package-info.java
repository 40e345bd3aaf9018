/** Tests of all formats together, and of the architecture of this module. */
@NullMarked
package dev.rechunker.io;

import org.jspecify.annotations.NullMarked;
