/**
 * Buckets of Amazon S3 and of servers with the same protocol (MinIO, Ceph, R2) as key stores. Open
 * {@link dev.rechunker.io.s3.S3} first. Only this package uses the AWS SDK, which is an optional dependency.
 *
 * <p>One request reads a chunk. One request writes a value of at most 16 MiB; a larger value takes one request per 8
 * MiB, and one that makes it visible. The memory of a request is declared to the plan like every other buffer.
 * Credentials come from the SDK and are never part of a URI, a name or a message.
 */
@NullMarked
package dev.rechunker.io.s3;

import org.jspecify.annotations.NullMarked;
