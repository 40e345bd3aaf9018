/** Makes the bundle that is uploaded to Maven Central: {@link dev.rechunker.release.Bundle}. */
@NullMarked
package dev.rechunker.release;

import org.jspecify.annotations.NullMarked;
