package dev.rechunker.io.ome;

import dev.rechunker.io.zarr.ZarrFormat;

/** A version of OME-Zarr. */
public enum OmeVersion {
    /** Version 0.4, in Zarr 2: metadata are attributes of a group, and chunk keys have the separator {@code /}. */
    V0_4("0.4", ZarrFormat.V2),
    /**
     * Version 0.5, in Zarr 3: metadata are in the attribute {@code ome}, names of axes are also in the arrays, and
     * arrays may have shards.
     */
    V0_5("0.5", ZarrFormat.V3);

    private final String number;
    private final ZarrFormat zarr;

    OmeVersion(String number, ZarrFormat zarr) {
        this.number = number;
        this.zarr = zarr;
    }

    /** {@return the version in the metadata: {@code "0.4"} or {@code "0.5"}} */
    String number() {
        return number;
    }

    /** {@return the version of Zarr in which it is written} */
    ZarrFormat zarr() {
        return zarr;
    }
}
