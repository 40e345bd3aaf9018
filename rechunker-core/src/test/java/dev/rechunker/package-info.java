/** Tests of the architecture, the language, and whole copies. */
@NullMarked
package dev.rechunker;

import org.jspecify.annotations.NullMarked;
