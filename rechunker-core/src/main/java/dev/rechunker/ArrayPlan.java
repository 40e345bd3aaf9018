package dev.rechunker;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.plan.CopyPlan;

/**
 * The part of a {@link Plan} that copies one array.
 *
 * @param path where the array is, below source and target
 * @param source what it is
 * @param target what it becomes
 * @param copy how it is copied
 */
public record ArrayPlan(String path, ArraySpec source, ArraySpec target, CopyPlan copy) {}
