package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A copy has the arrays of a group in the order of its source, as far as formats keep an order. */
class OrderTest {
    private static final List<String> NAMES = List.of("z", "b", "inner", "a", "time");
    private static final List<String> INNER = List.of("y", "x", "c");

    @TempDir
    Path directory;

    private static Data data() {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(2)), DataType.UINT8)
                .dimensionNames(List.of("time"))
                .build();
        return Data.of(spec, (position, element) -> element[0] = (byte) position);
    }

    /** Writes arrays and groups that are not sorted, and attributes that are not, and finishes the store. */
    private static void write(ChunkStore store) throws IOException {
        try (store) {
            for (String name : NAMES) {
                for (String path : name.equals("inner")
                        ? INNER.stream().map(n -> "inner/" + n).toList()
                        : List.of(name)) {
                    data().write(store, path);
                }
            }
            store.writeGroup("", Map.of());
            store.finish(true);
        }
    }

    private static void check(ChunkStore store) throws IOException {
        try (store) {
            assertEquals(NAMES, store.children(""));
            assertEquals(INNER, store.children("inner"));
        }
    }

    private static void copy(ChunkStore from, ChunkStore to) throws Exception {
        try (from;
                to) {
            Rechunker.from(from).to(to).chunks("3").maxMem("10MB").execute();
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void copiesHaveTheOrderOfTheirSource(ZarrFormat format) throws Exception {
        Path zarr = directory.resolve("a.zarr");
        write(Hdf5.create(directory.resolve("a.h5")));
        check(Hdf5.open(directory.resolve("a.h5")));
        copy(Hdf5.open(directory.resolve("a.h5")), Zarr.create(zarr, format));
        check(Zarr.open(zarr));
        copy(Zarr.open(zarr), Hdf5.createNetcdf4(directory.resolve("b.nc")));
        check(Hdf5.open(directory.resolve("b.nc")));
    }

    /** What is added comes last, also if the metadata are removed meanwhile. */
    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void addedArraysComeLast(ZarrFormat format) throws Exception {
        Path zarr = directory.resolve("a.zarr");
        write(Zarr.create(zarr, format));
        check(Zarr.open(zarr));
        try (ChunkStore store = Zarr.open(zarr)) {
            data().write(store, "aa");
            store.finish(false);
        }
        try (ChunkStore store = Zarr.open(zarr)) {
            assertEquals(List.of("z", "b", "inner", "a", "time", "aa"), store.children(""));
        }
    }

    @Test
    void joinedArraysHaveTheOrderOfTheFirstSource() throws Exception {
        for (String name : List.of("1.nc", "2.nc")) {
            write(Hdf5.createNetcdf4(directory.resolve(name)));
        }
        ChunkStore joined = Concat.along("time", Concat.files(directory, "*.nc", Hdf5::open));
        assertEquals(List.of("z", "b", "a", "time", "inner"), joined.children(""));
        assertEquals(INNER, joined.children("inner"));
    }
}
