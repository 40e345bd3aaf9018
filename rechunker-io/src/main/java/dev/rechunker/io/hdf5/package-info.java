/**
 * HDF5 files. The only class of this package, {@link dev.rechunker.io.hdf5.Hdf5}, opens and creates them.
 *
 * <p>Package {@code read} reads, package {@code write} writes, and package {@code format} has what both use.
 * {@code read} and {@code write} do not import each other. Classes in the three packages are public only for this
 * package; they are not an API.
 */
@NullMarked
package dev.rechunker.io.hdf5;

import org.jspecify.annotations.NullMarked;
