package dev.rechunker.io.tiff;

import java.io.IOException;
import java.util.List;

/** Finds the images of a file by what the file says of itself. */
final class TiffImages {
    private TiffImages() {}

    /** {@return the groups and arrays of a file} */
    static Contents of(TiffFile file) throws IOException {
        List<Page> pages = file.pages();
        return PlainImages.of(file, pages);
    }
}
