package dev.rechunker.io.hdf5.read;

import java.util.List;

/**
 * An object and the groups on the path to it.
 *
 * @param header the header of the object
 * @param groups the addresses of the groups on the path, the root group first, without the object itself
 */
record Located(ObjectHeader header, List<Long> groups) {}
