package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;

/** A version of the Zarr format. */
public enum ZarrFormat {
    /** Version 2: {@code .zarray}, {@code .zgroup}, {@code .zattrs}. */
    V2("2", "."),
    /** Version 3: {@code zarr.json}. */
    V3("3", "/");

    private final String number;
    private final String separator;

    ZarrFormat(String number, String separator) {
        this.number = number;
        this.separator = separator;
    }

    /** {@return whether arrays of this version can have elements of a type} */
    public boolean has(DataType type) throws StoreException {
        try {
            if (this == V2) {
                V2Types.toJson(type, ByteOrder.LITTLE_ENDIAN);
            } else {
                V3Types.toJson(type, false);
            }
            return true;
        } catch (UnsupportedArrayException e) {
            return false;
        }
    }

    /** {@return the number in the metadata, {@code "2"} or {@code "3"}} */
    String number() {
        return number;
    }

    /** {@return the default separator of indices in a chunk key} */
    String defaultSeparator() {
        return separator;
    }
}
