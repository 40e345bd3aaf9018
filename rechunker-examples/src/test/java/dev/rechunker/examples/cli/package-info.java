/** The commands, run in this JVM. */
@NullMarked
package dev.rechunker.examples.cli;

import org.jspecify.annotations.NullMarked;
