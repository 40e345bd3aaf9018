/** Tests of the documentation site. */
@NullMarked
package dev.rechunker.site;

import org.jspecify.annotations.NullMarked;
