@NullMarked
package dev.rechunker.threads;

import org.jspecify.annotations.NullMarked;
