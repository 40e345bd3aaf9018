package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.file.SharedFile;
import java.io.IOException;
import java.nio.file.Path;

/** The messages in the header of an object, for tests of writing. */
public final class HeaderMessages {
    private final ObjectHeader header;

    private HeaderMessages(ObjectHeader header) {
        this.header = header;
    }

    /** {@return the messages of the object at a path} */
    public static HeaderMessages of(Path file, String path) throws IOException {
        try (FileMetadata written = FileMetadata.open(SharedFile.open(file))) {
            return new HeaderMessages(
                    new ObjectFinder(written).find(path).orElseThrow().header());
        }
    }

    /** {@return whether there is an attribute message} */
    public boolean hasAttribute() {
        return header.has(ObjectHeader.ATTRIBUTE);
    }

    /** {@return whether there is an attribute info message} */
    public boolean hasAttributeInfo() {
        return header.has(ObjectHeader.ATTRIBUTE_INFO);
    }
}
