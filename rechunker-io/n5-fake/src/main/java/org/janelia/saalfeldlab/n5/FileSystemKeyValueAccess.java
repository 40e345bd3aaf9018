package org.janelia.saalfeldlab.n5;

import java.nio.file.Files;
import java.nio.file.Path;

/** The file system of this machine. */
public class FileSystemKeyValueAccess implements KeyValueAccess {
    @Override
    public boolean isDirectory(String path) {
        return Files.isDirectory(Path.of(path));
    }
}
