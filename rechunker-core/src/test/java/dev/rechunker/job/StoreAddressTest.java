package dev.rechunker.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreAddressTest {
    @TempDir
    Path directory;

    @Test
    void textsNamePathsAndNodes() throws IOException {
        String path = directory.resolve("a b.h5").toString();
        URI uri = directory.resolve("a b.h5").toUri();
        assertEquals(new StoreAddress(uri, ""), StoreAddress.of(path));
        assertEquals(new StoreAddress(uri, "data"), StoreAddress.of(path + "#data"));
        assertEquals(new StoreAddress(uri, "entry/data"), StoreAddress.of(path + "#/entry/data"));
        assertEquals(new StoreAddress(uri, "entry/data"), StoreAddress.of(uri + "#/entry/data"));
        assertEquals(new StoreAddress(uri, "a b"), StoreAddress.of(URI.create(uri + "#a%20b")));
        assertEquals(new StoreAddress(uri, ""), StoreAddress.of(directory.resolve("a b.h5")));
        assertEquals(new StoreAddress(URI.create("s3://bucket/key"), "raw"), StoreAddress.of("s3://bucket/key#raw"));
        Files.createFile(directory.resolve("with#sign"));
        assertEquals(
                new StoreAddress(directory.resolve("with#sign").toUri(), ""),
                StoreAddress.of(directory.resolve("with#sign").toString()));
    }

    @Test
    void invalidLocationsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> StoreAddress.of(""));
        assertThrows(IllegalArgumentException.class, () -> StoreAddress.of("s3://a b"));
        assertThrows(IllegalArgumentException.class, () -> StoreAddress.of(URI.create("data/x.zarr")));
        assertThrows(IllegalArgumentException.class, () -> StoreAddress.of("x\0y"));
    }

    /** This module has no formats, so nothing can be opened by address. */
    @Test
    void missingProviderIsReportedWithTheArtifactToAdd() {
        StoreException refusal = assertThrows(StoreException.class, () -> Rechunker.from(directory.resolve("x.zarr")));
        assertTrue(refusal.toString().contains("add dev.rechunker:rechunker-io"), refusal.toString());
        assertThrows(StoreException.class, () -> Rechunker.copy("a.zarr", "b.zarr"));
    }
}
