package dev.rechunker.docs;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeyStore;
import java.nio.file.Path;

/** Directories such as {@code local:///tmp/x.zarr}, which stand for the addresses in the documentation. */
public final class LocalScheme implements KeyScheme {
    private static final String START = "local://";

    /** {@return the path in a directory that stands for the name of a file or an address} */
    static String in(Path directory, String place) {
        return place.contains("://")
                ? START + directory.resolve(place.replaceAll(".*/", ""))
                : directory.resolve(place).toString();
    }

    @Override
    public String scheme() {
        return "local";
    }

    @Override
    public KeyStore open(String uri) {
        return new DirectoryKeys(Path.of(uri.substring(START.length())));
    }
}
