/**
 * Tests readers with damaged input. {@link dev.rechunker.io.fuzz.ByteMutator} and
 * {@link dev.rechunker.io.fuzz.JsonMutator} damage valid input; {@link dev.rechunker.io.fuzz.Fuzz} checks that readers
 * refuse or read the result, with bounded time and memory.
 */
@NullMarked
package dev.rechunker.io.fuzz;

import org.jspecify.annotations.NullMarked;
