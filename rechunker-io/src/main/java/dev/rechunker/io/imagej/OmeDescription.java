package dev.rechunker.io.imagej;

import dev.rechunker.io.xml.OmeXml;
import dev.rechunker.io.xml.OmeXml.Pixels;
import dev.rechunker.store.StoreException;
import ij.ImagePlus;
import ij.io.FileInfo;
import java.util.Optional;

/**
 * What the OME-XML in the description of an image file says, which OME-TIFF has and Bio-Formats leaves there.
 *
 * @param isPresent whether there is any
 * @param pixels the image of the same size; the first one if there are several
 */
record OmeDescription(boolean isPresent, Optional<Pixels> pixels) {
    private static final OmeDescription NONE = new OmeDescription(false, Optional.empty());

    /**
     * The distance of two elements.
     *
     * @param unit its unit; empty if it has none
     */
    record Distance(double value, String unit) {
        static final Distance NONE = new Distance(1, "");

        boolean isPositive() {
            return value > 0 && !Double.isInfinite(value);
        }
    }

    /** {@return that of an image of ImageJ} */
    static OmeDescription of(ImagePlus image) {
        FileInfo file = image.getOriginalFileInfo();
        String text = file == null || file.description == null ? "" : file.description;
        int start = text.indexOf('<');
        if (start < 0 || !OmeXml.is(text)) {
            return NONE;
        }
        try {
            OmeXml xml = OmeXml.of("the description of " + image.getTitle(), text.substring(start));
            return new OmeDescription(
                    true,
                    xml.images().stream()
                            .filter(pixels -> pixels.sizeX() == image.getWidth() && pixels.sizeY() == image.getHeight())
                            .findFirst());
        } catch (StoreException e) {
            return NONE; // a description that only looks like it
        }
    }

    Distance distance(String axis) {
        return pixels.filter(image -> image.distance(axis) > 0)
                .map(image -> new Distance(image.distance(axis), image.unit(axis)))
                .orElse(Distance.NONE);
    }

    /** {@return the name of a channel; empty if it has none} */
    String channel(int index) {
        return pixels.filter(image -> index < image.channels().size())
                .map(image -> image.channels().get(index).name())
                .orElse("");
    }
}
