/** Tests of comparing arrays. */
@NullMarked
package dev.rechunker.verify;

import org.jspecify.annotations.NullMarked;
