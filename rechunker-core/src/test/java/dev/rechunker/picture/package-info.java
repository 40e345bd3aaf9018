/** Tests of pictures. */
@NullMarked
package dev.rechunker.picture;

import org.jspecify.annotations.NullMarked;
