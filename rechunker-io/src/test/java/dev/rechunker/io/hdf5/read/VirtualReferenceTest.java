package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests that virtual datasets and external storage are read as two versions of the HDF5 library read them. */
@ReferenceTest
class VirtualReferenceTest {
    @TempDir
    static Path directory;

    private static final List<ChunkStore> STORES = new ArrayList<>();

    @BeforeAll
    static void writeFiles() throws IOException, InterruptedException {
        Path older = Files.createDirectory(directory.resolve("older"));
        ReferencePrograms.python(older, "hdf5/make_virtual.py", older.toString(), "large");
        Path newer = Files.createDirectory(directory.resolve("newer"));
        ReferencePrograms.xarray(newer, "hdf5/make_virtual.py", newer.toString(), "large");
        for (Path each : List.of(older, newer)) {
            STORES.add(Hdf5.open(each.resolve("virtual.h5")));
        }
    }

    @AfterAll
    static void close() throws IOException {
        for (ChunkStore store : STORES) {
            store.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> everyDataset() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (ChunkStore store : STORES) {
            for (String name : store.children("expected")) {
                tests.add(DynamicTest.dynamicTest(store.name() + " " + name, () -> VirtualFiles.check(store, name)));
            }
        }
        return tests.stream();
    }
}
