package org.janelia.saalfeldlab.n5.zarr;

import org.janelia.saalfeldlab.n5.GsonN5Writer;

/** Writes Zarr 2 in a directory. */
public class N5ZarrWriter extends ZarrKeyValueReader implements GsonN5Writer {
    public N5ZarrWriter(String place) {
        super(place);
    }
}
