/**
 * Buckets of S3 and of what speaks its protocol (MinIO, Ceph, R2 ...), as a store of keys: open
 * {@link dev.rechunker.io.s3.S3} first. The only room that knows the AWS SDK, which is an optional dependency.
 *
 * <p>A value is published by one request. Reading is one request per chunk; writing is one, or for values of more than
 * 16 MiB one per 8 MiB. What a request holds is declared to the plan, like every other buffer. Credentials come from
 * the SDK's chain and are never part of a URI, a name or a message.
 */
@NullMarked
package dev.rechunker.io.s3;

import org.jspecify.annotations.NullMarked;
