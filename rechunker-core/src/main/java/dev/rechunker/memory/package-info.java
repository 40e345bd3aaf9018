/**
 * The memory limit: the budget that all memory for data is reserved from, and the buffers themselves. Open
 * {@link dev.rechunker.memory.MemoryBudget} first.
 *
 * <p>Memory is reserved before it is allocated. Buffers are direct, so that native codecs do not block the garbage
 * collector, and the JDK reads and writes without a copy of its own. Part of the engine.
 */
@NullMarked
package dev.rechunker.memory;

import org.jspecify.annotations.NullMarked;
