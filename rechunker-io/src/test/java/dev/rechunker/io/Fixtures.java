package dev.rechunker.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Access to files and stores that reference implementations wrote. */
public final class Fixtures {
    private Fixtures() {}

    /**
     * {@return a copy of a fixture in a directory, as a zip file or unpacked}
     *
     * @param name the package and the name of the store, such as {@code "zarr/zarr2-dot.zarr"}
     */
    public static Path copy(String name, Path directory, boolean unpack) throws IOException {
        Path zip = resource(name + ".zip", directory);
        if (!unpack) {
            return zip;
        }
        Path target = directory.resolve(name.substring(name.indexOf('/') + 1));
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException(entry.getName());
                }
                if (!entry.isDirectory()) {
                    Files.createDirectories(Objects.requireNonNull(file.getParent()));
                    Files.copy(in, file);
                }
            }
        }
        return target;
    }

    /** {@return a copy of a resource in a directory} */
    public static Path resource(String name, Path directory) throws IOException {
        Path copy = directory.resolve(name.substring(name.indexOf('/') + 1));
        try (InputStream in = Objects.requireNonNull(Fixtures.class.getResourceAsStream("/" + name), name)) {
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }
}
