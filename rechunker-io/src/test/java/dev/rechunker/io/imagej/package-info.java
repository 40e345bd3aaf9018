/** Tests of images of ImageJ as sources and of stored arrays as images of ImageJ. */
@NullMarked
package dev.rechunker.io.imagej;

import org.jspecify.annotations.NullMarked;
