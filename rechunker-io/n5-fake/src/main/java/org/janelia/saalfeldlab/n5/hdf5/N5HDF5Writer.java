package org.janelia.saalfeldlab.n5.hdf5;

import org.janelia.saalfeldlab.n5.GsonN5Writer;

/** Writes HDF5. */
public class N5HDF5Writer extends N5HDF5Reader implements GsonN5Writer {
    public N5HDF5Writer(String file, int... defaultBlockSize) {
        super(file, defaultBlockSize);
    }
}
