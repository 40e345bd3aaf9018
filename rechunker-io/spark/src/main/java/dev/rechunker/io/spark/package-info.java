/**
 * Runs plans on a Spark cluster. Open {@link dev.rechunker.io.spark.SparkExecutor} first.
 *
 * <p>Only Spark's Java API is used, and only plain values are sent, so code that is compiled for one version of Spark
 * runs on others. Code on executors runs with the version of Guava that Spark provides, which may be as old as 16.
 */
@NullMarked
package dev.rechunker.io.spark;

import org.jspecify.annotations.NullMarked;
