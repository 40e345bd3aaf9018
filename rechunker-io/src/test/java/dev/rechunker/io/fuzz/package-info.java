/**
 * Input that lies: {@link dev.rechunker.io.fuzz.Fuzz} tries what {@link dev.rechunker.io.fuzz.ByteMutator} and
 * {@link dev.rechunker.io.fuzz.JsonMutator} make of honest input, and holds the readers to what they promise.
 */
@NullMarked
package dev.rechunker.io.fuzz;

import org.jspecify.annotations.NullMarked;
