/**
 * Runs plans on a cluster of Spark: {@link dev.rechunker.io.spark.SparkExecutor}.
 *
 * <p>Uses Spark's Java API only, so that what is compiled for one version runs on others, and sends nothing but plain
 * values. What runs on executors meets the Guava that Spark brings, which may be as old as 16.
 */
@NullMarked
package dev.rechunker.io.spark;

import org.jspecify.annotations.NullMarked;
