package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variables of several files, joined with their coordinates. */
class VariablesTest {
    private static final int FILES = 3;
    private static final Map<String, Data> WHOLE = Map.of(
            "ssh", Data.of(spec(Map.of("grid_mapping", "crs"), "time", "lat")),
            "time", Data.of(spec(Map.of("bounds", "time_bnds"), "time")),
            "time_bnds", Data.of(spec(Map.of(), "time", "nv")),
            "lat", Data.of(spec(Map.of(), "lat")),
            "crs", Data.of(spec(Map.of())),
            "unused", Data.of(spec(Map.of(), "time")));

    @TempDir
    Path directory;

    private static ArraySpec spec(Map<String, String> attributes, String... axes) {
        Shape shape = Shape.of(List.of(axes).stream()
                .mapToLong(axis -> axis.equals("time") ? 4 * FILES : axis.equals("lat") ? 5 : 2)
                .toArray());
        return ArraySpec.builder(ChunkGrid.regular(shape, shape), DataType.INT32)
                .dimensionNames(List.of(axes))
                .attributes(attributes)
                .build();
    }

    @BeforeEach
    void write() throws IOException {
        for (int i = 0; i < FILES; i++) {
            try (ChunkStore store = Zarr.create(directory.resolve(i + ".zarr"))) {
                for (Map.Entry<String, Data> array : WHOLE.entrySet()) {
                    part(array.getValue(), i).write(store, array.getKey());
                }
            }
        }
    }

    /** {@return the part of an array that is in a file} */
    private static Data part(Data whole, int file) {
        ArraySpec spec = whole.spec();
        Region region = Region.whole(spec.shape());
        if (spec.dimensionNames().contains("time")) {
            long[] extents = spec.shape().toArray();
            extents[0] = 4;
            long[] origin = new long[extents.length];
            origin[0] = 4L * file;
            region = Region.of(origin, Shape.of(extents));
        }
        return whole.part(
                region,
                spec.toBuilder()
                        .chunks(ChunkGrid.regular(region.shape(), region.shape()))
                        .build());
    }

    private List<Source> sources() throws IOException {
        return Concat.files(directory, "?.zarr", Zarr::open, "ssh");
    }

    private static void check(ChunkStore store) throws IOException {
        assertEquals(List.of("time", "lat", "crs", "time_bnds", "ssh"), store.children("")); // the variable last
        for (String name : store.children("")) {
            whole(name).check(store, name);
        }
    }

    private static Data whole(String name) {
        return Objects.requireNonNull(WHOLE.get(name));
    }

    @Test
    void coordinatesAreJoinedWithTheVariable() throws IOException {
        check(Concat.options().withCoordinates().along("time", sources()));
        check(Concat.options().withCoordinates().along(0, sources()));
        assertEquals(List.of(), Concat.along("time", sources()).children(""));
    }

    /** Only the variable gets the new axis; the coordinates must be the same in all files. */
    @Test
    void coordinatesOfAStackedVariableAreThoseOfAllFiles() throws Exception {
        StoreException refused = assertThrows(
                StoreException.class, () -> Concat.options().withCoordinates().stack("run", sources()));
        assertTrue(String.valueOf(refused.getMessage()).contains("1.zarr#time"), refused::toString);
        List<Source> same = List.of(sources().get(0), sources().get(0));
        ChunkStore stacked = Concat.options().withCoordinates().stack("run", 1, same);
        assertEquals(List.of("time", "lat", "crs", "time_bnds", "ssh"), stacked.children(""));
        for (String name : stacked.children("")) {
            ArraySpec spec = ((ChunkStore.ArrayNode) stacked.node(name).orElseThrow()).spec();
            List<String> axes = name.equals("ssh")
                    ? List.of("time", "run", "lat")
                    : part(whole(name), 0).spec().dimensionNames();
            assertEquals(axes, spec.dimensionNames(), name);
        }
        part(whole("time_bnds"), 0).check(stacked, "time_bnds");
        ChunkStore again = Concat.open(
                stacked.descriptor().orElseThrow(), store -> Zarr.open(Path.of(URI.create(store.text("place")))));
        assertEquals(stacked.identity(), again.identity());
        assertEquals(stacked.node("crs"), again.node("crs"));
    }

    @Test
    void anotherProcessJoinsTheSame() throws IOException {
        ChunkStore joined = Concat.options().withCoordinates().along("time", sources());
        ChunkStore again = Concat.open(
                joined.descriptor().orElseThrow(), store -> Zarr.open(Path.of(URI.create(store.text("place")))));
        assertEquals(joined.identity(), again.identity());
        check(again);
    }

    @Test
    void aFileWithoutTheCoordinatesIsRefused() throws IOException {
        try (ChunkStore store = Zarr.create(directory.resolve("9.zarr"))) {
            part(whole("ssh"), 0).write(store, "ssh");
        }
        StoreException refused = assertThrows(
                StoreException.class, () -> Concat.options().withCoordinates().along("time", sources()));
        assertTrue(String.valueOf(refused.getMessage()).contains("9.zarr"), refused::toString);
    }

    @Test
    void aJoinedVariableIsCopiedWithItsCoordinates() throws Exception {
        ChunkStore joined = Concat.options().withCoordinates().along("time", sources());
        try (ChunkStore target = Zarr.create(directory.resolve("all.zarr"))) {
            Rechunker.from(joined.at("ssh"))
                    .to(target)
                    .chunks("6, 5")
                    .maxMem("10MB")
                    .execute();
            check(target);
        }
    }

    /** HDF5 stores a dimension without an array as a dataset, which is no array of the file. */
    @Test
    void dimensionsOfHdf5FilesDoNotBecomeArrays() throws Exception {
        for (int i = 0; i < FILES; i++) {
            try (ChunkStore store = Hdf5.create(directory.resolve(i + ".nc"))) {
                Dimension time = new Dimension("time", 4, false);
                store.writeGroup("", GroupSpec.EMPTY.withDimensions(List.of(time)), false);
                part(whole("time_bnds"), i).write(store, "time_bnds");
                store.finish(false);
            }
        }
        ChunkStore joined = Concat.options()
                .withCoordinates()
                .along("time", Concat.files(directory, "?.nc", Hdf5::open, "time_bnds"));
        assertEquals(List.of("time_bnds"), joined.children(""));
        MemoryStore target = new MemoryStore();
        Rechunker.from(joined.at("time_bnds"))
                .to(target)
                .chunks("keep")
                .maxMem("10MB")
                .execute();
        assertEquals(List.of("time_bnds"), target.children(""));
        whole("time_bnds").check(target, "time_bnds");
        GroupNode group = (GroupNode) target.node("").orElseThrow();
        assertEquals(
                List.of("time", "nv"),
                group.spec().dimensions().stream().map(Dimension::name).toList());
    }

    @Test
    void anArrayKeepsItsNameInAnHdf5File() throws Exception {
        MemoryStore source = new MemoryStore();
        whole("lat").write(source, "g/other");
        whole("lat").write(source, "g/lat");
        MemoryStore root = new MemoryStore();
        whole("lat").write(root, "");
        for (String name : List.of("other", "lat")) {
            Path file = directory.resolve(name + ".h5");
            try (ChunkStore target = Hdf5.create(file)) {
                Rechunker.from(source.at("g/" + name))
                        .to(target)
                        .chunks("keep")
                        .maxMem("10MB")
                        .only()
                        .execute();
            }
            try (ChunkStore made = Hdf5.open(file)) {
                whole("lat").check(made, name);
            }
        }
        Path file = directory.resolve("unnamed.h5");
        try (ChunkStore target = Hdf5.create(file)) {
            Rechunker.from(root).to(target).chunks("keep").maxMem("10MB").execute();
        }
        try (ChunkStore made = Stores.open(file.toString())) {
            whole("lat").check(made, "data");
        }
    }
}
