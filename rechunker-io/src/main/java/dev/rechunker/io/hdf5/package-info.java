/**
 * HDF5 files. {@link dev.rechunker.io.hdf5.Hdf5} opens and creates them, and is the only class here.
 *
 * <p>What reading and writing share is in {@code format}, reading in {@code read}, writing in {@code write}; those two
 * do not know each other. The three are not an API: they are public for this package only.
 */
@NullMarked
package dev.rechunker.io.hdf5;

import org.jspecify.annotations.NullMarked;
