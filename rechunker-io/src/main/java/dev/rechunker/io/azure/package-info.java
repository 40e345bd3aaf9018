/**
 * Containers of Azure Blob Storage as key stores. Open {@link dev.rechunker.io.azure.Azure} first. Only this package
 * uses the Azure SDK, which is an optional dependency.
 *
 * <p>One request writes a value of at most 16 MiB. A larger value is sent in blocks of 8 MiB, and one more request
 * makes it visible. Credentials come from the environment or the SDK, and are never part of a URI, a name or a message.
 */
@NullMarked
package dev.rechunker.io.azure;

import org.jspecify.annotations.NullMarked;
