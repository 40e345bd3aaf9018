/**
 * Buckets of Google Cloud Storage as key stores. Open {@link dev.rechunker.io.gcs.Gcs} first. Only this package uses
 * Google's libraries, which are optional dependencies: the client of the JSON interface, by which one request reads or
 * writes a value, and the library that finds credentials.
 *
 * <p>One request writes a value of at most 16 MiB. A larger value is sent in parts of 8 MiB, which are hidden values
 * next to it until the server composes them. Credentials are never part of a URI, a name or a message.
 */
@NullMarked
package dev.rechunker.io.gcs;

import org.jspecify.annotations.NullMarked;
