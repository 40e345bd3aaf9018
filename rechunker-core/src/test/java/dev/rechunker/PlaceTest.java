package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceTest {
    @TempDir
    Path directory;

    @Test
    void textsNamePathsAndNodes() throws IOException {
        String path = directory.resolve("a b.h5").toString();
        URI uri = directory.resolve("a b.h5").toUri();
        assertEquals(new Place(uri, ""), Place.of(path));
        assertEquals(new Place(uri, "data"), Place.of(path + "#data"));
        assertEquals(new Place(uri, "entry/data"), Place.of(path + "#/entry/data"));
        assertEquals(new Place(uri, "entry/data"), Place.of(uri + "#/entry/data"));
        assertEquals(new Place(uri, "a b"), Place.of(URI.create(uri + "#a%20b")));
        assertEquals(new Place(uri, ""), Place.of(directory.resolve("a b.h5")));
        assertEquals(new Place(URI.create("s3://bucket/key"), "raw"), Place.of("s3://bucket/key#raw"));
        Files.createFile(directory.resolve("with#sign"));
        assertEquals(
                new Place(directory.resolve("with#sign").toUri(), ""),
                Place.of(directory.resolve("with#sign").toString()));
    }

    @Test
    void invalidLocationsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Place.of(""));
        assertThrows(IllegalArgumentException.class, () -> Place.of("s3://a b"));
        assertThrows(IllegalArgumentException.class, () -> Place.of(URI.create("data/x.zarr")));
        assertThrows(IllegalArgumentException.class, () -> Place.of("x\0y"));
    }

    /** This module knows no format, so there is nobody to open anything. */
    @Test
    void missingProviderIsReportedWithTheArtifactToAdd() {
        StoreException refusal = assertThrows(StoreException.class, () -> Rechunker.from(directory.resolve("x.zarr")));
        assertTrue(refusal.toString().contains("add dev.rechunker:rechunker-io"), refusal.toString());
        assertThrows(StoreException.class, () -> Rechunker.copy("a.zarr", "b.zarr"));
    }
}
