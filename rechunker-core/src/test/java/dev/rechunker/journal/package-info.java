/** Tests of journals and of the directories that hold them. */
@NullMarked
package dev.rechunker.journal;

import org.jspecify.annotations.NullMarked;
