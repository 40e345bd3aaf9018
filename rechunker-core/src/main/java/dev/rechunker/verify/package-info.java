/**
 * Compares arrays inside a bound: open {@link dev.rechunker.verify.ArrayComparison}.
 *
 * <p>Windows are chosen so that the chunks of both arrays are read as few times as possible ({@code ComparisonPlan});
 * in each, one array is assembled in memory, and what is read of the other is compared with it ({@code WindowReads}
 * reads both). Nothing is written.
 */
@NullMarked
package dev.rechunker.verify;

import org.jspecify.annotations.NullMarked;
