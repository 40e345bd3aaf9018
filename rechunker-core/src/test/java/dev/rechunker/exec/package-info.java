/** Tests of the execution of plans. */
@NullMarked
package dev.rechunker.exec;

import org.jspecify.annotations.NullMarked;
