package dev.rechunker.io.zarr;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Containers that the reference implementations wrote. */
final class Fixtures {
    private Fixtures() {}

    /** {@return a copy of a fixture below a directory, as the zip file it is or unpacked} */
    static Path copy(String name, Path directory, boolean unpack) throws IOException {
        Path zip = directory.resolve(name + ".zip");
        try (InputStream in =
                Objects.requireNonNull(Fixtures.class.getResourceAsStream("/zarr/" + name + ".zip"), name)) {
            Files.copy(in, zip);
        }
        if (!unpack) {
            return zip;
        }
        Path target = directory.resolve(name);
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
}
