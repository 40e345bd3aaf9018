package dev.rechunker.io.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Rechunker;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attributes have the order in which they were created, where a file has it, as files of netCDF do. */
class AttributeOrderTest {
    @TempDir
    Path directory;

    private static List<String> attributes(ChunkStore store, String path) throws IOException {
        try (store) {
            ChunkStore.Node node = store.node(path).orElseThrow();
            return new ArrayList<>(
                    node instanceof ChunkStore.ArrayNode array
                            ? array.spec().attributes().keySet()
                            : ((ChunkStore.GroupNode) node).attributes().keySet());
        }
    }

    private static void copy(ChunkStore from, ChunkStore to) throws Exception {
        try (from;
                to) {
            Rechunker.from(from).to(to).chunks("keep").maxMem("32MB").execute();
        }
    }

    @Test
    void orderIsKept() throws Exception {
        Path file = Fixtures.resource("hdf5/ordered.nc", directory);
        Path zarr = directory.resolve("x.zarr");
        Path back = directory.resolve("back.nc");
        copy(Hdf5.open(file), Zarr.create(zarr));
        copy(Zarr.open(zarr), Hdf5.createNetcdf4(back));
        for (Path found : List.of(file, back)) {
            assertEquals(List.of("z", "a", "m"), attributes(Hdf5.open(found), ""));
            assertEquals(List.of("units", "long_name", "axis"), attributes(Hdf5.open(found), "v"));
            List<String> many = attributes(Hdf5.open(found), "many");
            assertEquals(List.of("k0", "k7", "k14", "k1"), many.subList(0, 4), "in a heap");
        }
    }
}
