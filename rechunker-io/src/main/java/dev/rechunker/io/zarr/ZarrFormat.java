package dev.rechunker.io.zarr;

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

    /** {@return the number in the metadata, {@code "2"} or {@code "3"}} */
    String number() {
        return number;
    }

    /** {@return what separates the indices in a chunk key unless something else is asked for} */
    String defaultSeparator() {
        return separator;
    }
}
