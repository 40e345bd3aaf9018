package org.janelia.saalfeldlab.n5.zarr;

/** Reads Zarr 2 in a directory. */
public class N5ZarrReader extends ZarrKeyValueReader {
    public N5ZarrReader(String place) {
        super(place);
    }
}
