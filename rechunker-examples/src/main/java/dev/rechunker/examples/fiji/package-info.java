/**
 * Rechunker inside of Fiji: {@link dev.rechunker.examples.fiji.RechunkCommand} is an entry of its menu,
 * {@link dev.rechunker.examples.fiji.ImagePlusToOmeZarr} saves the image that is open. What they need of SciJava,
 * ImageJ and ImgLib2, Fiji has.
 */
@NullMarked
package dev.rechunker.examples.fiji;

import org.jspecify.annotations.NullMarked;
