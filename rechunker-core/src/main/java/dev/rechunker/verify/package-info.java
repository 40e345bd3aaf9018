/**
 * Comparison of arrays, and checksums of stored bytes, in bounded memory.
 *
 * <p>Read {@link dev.rechunker.verify.ArrayComparison} first. It compares two arrays window by window: one array is
 * assembled in memory, and the chunks of the other are compared with it. {@code ComparisonPlan} chooses windows so that
 * the chunks of both arrays are read as few times as possible; {@code WindowReads} reads them. Nothing is written.
 */
@NullMarked
package dev.rechunker.verify;

import org.jspecify.annotations.NullMarked;
