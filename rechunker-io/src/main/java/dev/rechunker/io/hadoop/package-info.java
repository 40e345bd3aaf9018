/**
 * Directories of Hadoop's file systems, such as HDFS, as key stores. Open {@link dev.rechunker.io.hadoop.Hadoop} first.
 * Only this package uses Hadoop's client, which is an optional dependency.
 *
 * <p>A value is a file. It is written under a hidden name, and renamed when it is complete, so that readers never see a
 * part of it. A value that is written in parts is made of one hidden file for each, which HDFS joins without a copy.
 */
@NullMarked
package dev.rechunker.io.hadoop;

import org.jspecify.annotations.NullMarked;
