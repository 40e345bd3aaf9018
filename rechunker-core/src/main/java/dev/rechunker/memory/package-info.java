/**
 * The hard bound: every byte that the library holds for data comes from here, or is told here before it exists.
 *
 * <p>Open {@link dev.rechunker.memory.MemoryBudget} first. Buffers are direct, so that native codecs never stop the
 * garbage collector and reads and writes need no copy of the JDK's own; they are reserved before they exist. Imports
 * nothing of this project.
 */
@NullMarked
package dev.rechunker.memory;

import org.jspecify.annotations.NullMarked;
