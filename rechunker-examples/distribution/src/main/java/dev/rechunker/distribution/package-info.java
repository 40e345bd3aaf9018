/** Makes what is in the archive of the command line in addition to jars and scripts. */
@NullMarked
package dev.rechunker.distribution;

import org.jspecify.annotations.NullMarked;
