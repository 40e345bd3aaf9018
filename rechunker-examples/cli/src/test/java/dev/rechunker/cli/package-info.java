/** Tests of the commands, which run in this JVM. */
@NullMarked
package dev.rechunker.cli;

import org.jspecify.annotations.NullMarked;
