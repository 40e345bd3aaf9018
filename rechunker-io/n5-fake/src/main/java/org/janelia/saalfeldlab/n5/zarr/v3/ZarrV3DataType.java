package org.janelia.saalfeldlab.n5.zarr.v3;

import org.janelia.saalfeldlab.n5.DataType;

/** A type as Zarr 3 has it. */
@SuppressWarnings("MemberName") // the names are n5-zarr's
public enum ZarrV3DataType {
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float32,
    float64;

    public static ZarrV3DataType fromDataType(DataType type) {
        return valueOf(type.toString());
    }

    DataType getDataType() {
        return DataType.fromString(name());
    }
}
