/**
 * Files that are read by range: on this machine, or values of a key store such as objects in a bucket. Open
 * {@link dev.rechunker.io.file.FileBytes} first.
 *
 * <p>This is what formats share whose stores are single files. A file can name other files beside it; names that lead
 * out of its directory are refused unless links are followed. {@code PartFile} is a file that is written, and exists
 * when it is complete. This package imports {@code geometry}, {@code store}, {@code copy}, {@code order} and
 * {@code journal} of the core, and {@code bytes}.
 */
@NullMarked
package dev.rechunker.io.file;

import org.jspecify.annotations.NullMarked;
