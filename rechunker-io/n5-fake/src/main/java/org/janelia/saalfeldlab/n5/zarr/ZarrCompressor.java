package org.janelia.saalfeldlab.n5.zarr;

import org.janelia.saalfeldlab.n5.Bzip2Compression;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.RawCompression;
import org.janelia.scicomp.n5.zstandard.ZstandardCompression;

/** A compressor of Zarr 2. */
public interface ZarrCompressor {
    Compression getCompression();

    /** {@return the compressor of that name; as n5-zarr does, none for a compression that Zarr 2 does not have} */
    static ZarrCompressor fromCompression(Compression compression) {
        boolean isKnown = compression instanceof GzipCompression
                || compression instanceof Bzip2Compression
                || compression instanceof ZstandardCompression;
        return isKnown ? () -> compression : new Raw();
    }

    /** No compressor. */
    class Raw implements ZarrCompressor {
        @Override
        public Compression getCompression() {
            return new RawCompression();
        }
    }
}
