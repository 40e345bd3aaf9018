/** Tests of views. */
@NullMarked
package dev.rechunker.view;

import org.jspecify.annotations.NullMarked;
