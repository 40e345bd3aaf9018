package dev.rechunker.io.hdf5.read;

import java.util.List;

/**
 * An object and the groups on the path to it.
 *
 * @param header the header of the object
 * @param groups the addresses of the groups on the path, the root group first, without the object itself
 */
record Located(ObjectHeader header, List<Long> groups) {
    /** {@return the address of the group of the object; its own address if it is the root} */
    long group() {
        return groups.isEmpty() ? header.address() : groups.get(groups.size() - 1);
    }
}
