package dev.rechunker.io.tiff;

import dev.rechunker.io.Fixtures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Reads files that tifffile and GDAL have written; see make_tiff.py and make_images.py. */
class TiffVariantsTest {
    @TempDir
    static Path temporary;

    @TestFactory
    Stream<DynamicTest> elementsAreThoseThatWereWritten() throws IOException {
        List<Variants.Variant> all = new ArrayList<>(Variants.in(Fixtures.copy("tiff/variants", temporary, true)));
        all.addAll(Variants.in(Fixtures.copy("tiff/images", temporary, true)));
        return all.stream().map(variant -> DynamicTest.dynamicTest(variant.toString(), variant::check));
    }
}
