package dev.rechunker.io.hdf5.read;

import java.util.List;

/**
 * An object, and the way to it.
 *
 * @param header the object
 * @param groups the addresses of the groups on the way, the root first; not of the object itself
 */
record Located(ObjectHeader header, List<Long> groups) {}
