package dev.rechunker.io.tiff;

import dev.rechunker.io.xml.OmeXml;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Finds the images of a file by what the file says of itself. */
final class TiffImages {
    private TiffImages() {}

    /** {@return the groups and arrays of a file} */
    static Contents of(TiffFile file) throws IOException {
        List<Page> pages = file.pages();
        String description = pages.get(0).directory().text(Tags.DESCRIPTION).orElse("");
        Optional<Contents> known = OmeXml.is(description)
                ? OmeImages.of(file, pages, description)
                : ImageJStack.is(description) ? ImageJStack.of(file, pages, description) : Optional.empty();
        return known.isPresent() ? known.get() : PlainImages.of(file, pages);
    }
}
