/** Tests of the README and {@code docs}: links, samples of code, command lines, messages, names of tests. */
@NullMarked
package dev.rechunker.docs;

import org.jspecify.annotations.NullMarked;
