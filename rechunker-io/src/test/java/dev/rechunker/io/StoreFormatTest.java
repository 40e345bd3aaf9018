package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats are found by the endings of names, and by the names of versions. */
class StoreFormatTest {
    @ParameterizedTest
    @CsvSource({
        "a.zarr, zarr",
        "a.ome.zarr, ome-zarr",
        "a.b/c.n5/, n5",
        "A.ZARR, zarr",
        "a.h5, hdf5",
        "a.Hdf5, hdf5",
        "a.nc, netcdf4",
        "a.NC4, netcdf4",
        "s3://bucket/a.OME.zarr//?region=x.n5, ome-zarr",
        "a.tif, tiff",
        "a.tdb, tiledb",
        "a.zarr.zip, zarr",
        "a.ozx, ome-zarr",
        "what?.n5, n5"
    })
    void theFormatIsFoundByTheEnding(String place, String kind) {
        assertEquals(Optional.of(kind), Stores.formatOf(place).map(StoreFormat::kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr", "a.zarr.old", "a.zarr/b", "an5", "a?b.n5c", "s3://bucket/a?as=b.zarr"})
    void otherEndingsHaveNoFormat(String place) {
        assertEquals(Optional.empty(), Stores.formatOf(place));
    }

    @Test
    void namesOfVersionsAreUnique() {
        List<String> names = Stores.formats().stream()
                .flatMap(format -> format.versions().stream())
                .toList();
        assertEquals(
                List.of(
                        "zarr2",
                        "zarr3",
                        "ome-zarr",
                        "ome-zarr-0.4",
                        "n5",
                        "hdf5",
                        "hdf5-contiguous",
                        "netcdf4",
                        "netcdf3",
                        "nc3",
                        "nc6",
                        "cdf5",
                        "cog",
                        "tiledb"),
                names);
        for (String name : names) {
            assertTrue(Stores.format(name).orElseThrow().versions().contains(name), name);
        }
        assertEquals(Optional.empty(), Stores.format("zarr"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "ome-zarr-0.4", "n5", "hdf5-contiguous", "netcdf4", "cog", "tiledb"})
    void aStoreOfAVersionIsCreatedInADirectory(String version, @TempDir Path directory) throws IOException {
        StoreFormat format = Stores.format(version).orElseThrow();
        String place = directory.resolve("made").toString();
        try (ChunkStore store = format.create(place, version)) {
            assertTrue(store.capabilities().writable(), version);
        }
        assertThrows(IllegalArgumentException.class, () -> format.create(place, "zarr3.1"));
    }

    @Test
    void filesAreWrittenOnThisMachineOnly() {
        StoreFormat hdf5 = Stores.format("hdf5").orElseThrow();
        assertTrue(hdf5.isLocal());
        StoreException e = assertThrows(StoreException.class, () -> hdf5.create("s3://bucket/a.h5"));
        assertEquals("HDF5 is written to files on this machine only; write to a path", e.getMessage());
    }
}
