package dev.rechunker.io.tiff;

import dev.rechunker.io.ReferencePrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Reads files of all variants that tifffile and GDAL write. */
@Tag("reference")
class TiffReferenceTest {
    @TempDir
    static Path temporary;

    @TestFactory
    Stream<DynamicTest> elementsAreThoseThatWereWritten() throws Exception {
        ReferencePrograms.xarray(temporary, "tiff/make_tiff.py", "variants");
        ReferencePrograms.xarray(temporary, "tiff/make_images.py", "images");
        List<Variants.Variant> all = new ArrayList<>(Variants.in(temporary.resolve("variants")));
        all.addAll(Variants.in(temporary.resolve("images")));
        return all.stream().map(variant -> DynamicTest.dynamicTest(variant.toString(), variant::check));
    }
}
