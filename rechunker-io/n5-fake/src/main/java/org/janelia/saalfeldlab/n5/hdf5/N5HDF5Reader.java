package org.janelia.saalfeldlab.n5.hdf5;

import com.google.gson.Gson;
import dev.rechunker.n5fake.FakeContainer;
import java.nio.charset.StandardCharsets;

/** Reads HDF5, whose attributes are ASCII. */
public class N5HDF5Reader extends FakeContainer {
    public N5HDF5Reader(String file, int... defaultBlockSize) {
        super(file, new Gson());
    }

    @Override
    protected boolean pads() {
        return false;
    }

    @Override
    protected String stored(String text) {
        return new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII);
    }
}
