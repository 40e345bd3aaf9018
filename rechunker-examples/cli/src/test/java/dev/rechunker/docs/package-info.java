/** What README and {@code docs} say, tried: links, samples of code, command lines, messages, names of tests. */
@NullMarked
package dev.rechunker.docs;

import org.jspecify.annotations.NullMarked;
