/**
 * Orders of the indices of a region: {@link dev.rechunker.order.Odometer} visits them with any axis as the slowest, and
 * {@link dev.rechunker.order.NestedLayout} computes where chunks are that are stored in such an order.
 *
 * <p>Imports {@code geometry} only. Part of the engine.
 */
@NullMarked
package dev.rechunker.order;

import org.jspecify.annotations.NullMarked;
