package org.janelia.saalfeldlab.n5.zarr.v3;

import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;
import org.janelia.scicomp.n5.zstandard.ZstandardCompression;

/** A compressor of Zarr 3. */
public interface ZarrV3Compressor extends DataCodecInfo {
    /** {@return the compressor of that name, or null if Zarr 3 has none} */
    static ZarrV3Compressor fromCompression(DataCodecInfo compression) {
        return compression instanceof ZstandardCompression ? compression::getType : null;
    }

    /** The compressor {@code gzip}. */
    class Gzip implements ZarrV3Compressor {
        public Gzip(int level) {}

        @Override
        public String getType() {
            return "gzip";
        }
    }
}
