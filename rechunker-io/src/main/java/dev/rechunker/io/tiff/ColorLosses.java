package dev.rechunker.io.tiff;

import java.io.IOException;
import java.util.Optional;

/** Sentences about what tags say that arrays cannot express. */
final class ColorLosses {
    private static final int WHITE_IS_ZERO = 0;
    private static final int CMYK = 5;
    private static final int LAB = 8;

    private ColorLosses() {}

    /** {@return a sentence about the colors that numbers stand for; empty if they are grey or RGB} */
    static Optional<String> ofColors(Directory page) throws IOException {
        long photometric = page.integer(Tags.PHOTOMETRIC, 1);
        if (page.has(Tags.COLOR_MAP)) {
            return Optional.of("the colors of the palette are left out; the elements are the numbers of the colors");
        }
        if (photometric == WHITE_IS_ZERO) {
            return Optional.of("that zero is white is not kept; the elements are as stored");
        }
        return photometric == CMYK || photometric == LAB
                ? Optional.of("that the samples are " + (photometric == CMYK ? "CMYK" : "CIE L*a*b*")
                        + " is not kept; the elements are as stored")
                : Optional.empty();
    }
}
