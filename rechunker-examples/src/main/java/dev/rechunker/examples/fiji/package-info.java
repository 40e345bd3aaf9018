/**
 * Rechunker in Fiji: {@link dev.rechunker.examples.fiji.RechunkCommand} is a command in its menu, and
 * {@link dev.rechunker.examples.fiji.ImagePlusToOmeZarr} saves an open image. Fiji provides SciJava, ImageJ and
 * ImgLib2.
 */
@NullMarked
package dev.rechunker.examples.fiji;

import org.jspecify.annotations.NullMarked;
