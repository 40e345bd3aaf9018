package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndingTest {
    @ParameterizedTest
    @CsvSource({
        "a.zarr, ZARR",
        "a.ome.zarr, OME_ZARR",
        "a.b/c.n5/, N5",
        "A.ZARR, ZARR",
        "a.h5, HDF5",
        "a.Hdf5, HDF5",
        "s3://bucket/a.OME.zarr//?region=x.n5, OME_ZARR",
        "what?.n5, N5"
    })
    void namesTheFormat(String place, Ending ending) {
        assertEquals(Optional.of(ending), Ending.of(place));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr", "a.zarr.old", "a.zarr/b", "an5", "a?b.n5c", "s3://bucket/a?as=b.zarr"})
    void orNone(String place) {
        assertEquals(Optional.empty(), Ending.of(place));
    }
}
