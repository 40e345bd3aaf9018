package org.janelia.saalfeldlab.n5;

import com.google.gson.GsonBuilder;

/** Reads N5 in a directory. */
public class N5FSReader extends N5KeyValueReader {
    public N5FSReader(String place) {
        super(place, new GsonBuilder());
    }
}
