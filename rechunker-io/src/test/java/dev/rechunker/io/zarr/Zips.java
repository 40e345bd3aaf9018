package dev.rechunker.io.zarr;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Makes zip files. */
final class Zips {
    private Zips() {}

    /** {@return a zip file of the files in a directory, whose entries are stored or deflated} */
    static byte[] of(Path directory, boolean stored) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(directory).sorted()) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] content = Files.readAllBytes(file);
                ZipEntry entry =
                        new ZipEntry(directory.relativize(file).toString().replace('\\', '/'));
                entry.setTime(0);
                if (stored) {
                    CRC32 sum = new CRC32();
                    sum.update(content);
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(content.length);
                    entry.setCrc(sum.getValue());
                }
                zip.putNextEntry(entry);
                zip.write(content);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
