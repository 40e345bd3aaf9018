package org.janelia.saalfeldlab.n5;

import com.google.gson.GsonBuilder;

/** Writes N5 in a directory. */
public class N5FSWriter extends N5KeyValueReader implements GsonN5Writer {
    public N5FSWriter(String place) {
        super(place, new GsonBuilder());
    }
}
