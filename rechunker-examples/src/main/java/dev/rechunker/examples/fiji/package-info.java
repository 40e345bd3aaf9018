/**
 * Rechunker in Fiji: {@link dev.rechunker.examples.fiji.RechunkCommand},
 * {@link dev.rechunker.examples.fiji.SaveAsOmeZarrCommand} and {@link dev.rechunker.examples.fiji.OpenChunkedCommand}
 * are commands in its menu, and {@link dev.rechunker.examples.fiji.ImagePlusToOmeZarr} is a program that saves an
 * image. Fiji provides SciJava, ImageJ and ImgLib2.
 */
@NullMarked
package dev.rechunker.examples.fiji;

import org.jspecify.annotations.NullMarked;
