package dev.rechunker.io.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that resumes one that has finished its file checks the file, and has nothing to do. */
class FinishedFileTest {
    @TempDir
    Path directory;

    private static Report copy(ChunkStore from, ChunkStore to, String chunks, boolean resume) throws Exception {
        try (from;
                to) {
            Rechunker.Job job = Rechunker.from(from).to(to).chunks(chunks).maxMem("32MB");
            return (resume ? job.resume() : job).execute();
        }
    }

    private ChunkStore target(String source, Path file) {
        return source.endsWith(".nc") ? Hdf5.createNetcdf4(file) : Hdf5.create(file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"types.h5", "details.h5", "shapes.h5", "attributes.h5", "dimensions.nc", "missing.nc", "short.nc"
            })
    void nothingIsLeftToDo(String source) throws Exception {
        Path from = Fixtures.resource("hdf5/" + source, directory);
        Path file = directory.resolve("copy-" + source);
        copy(Hdf5.open(from), target(source, file), "keep", false);
        byte[] written = Files.readAllBytes(file);
        Report again = copy(Hdf5.open(from), target(source, file), "keep", true);
        assertEquals(0, again.bytesWritten());
        assertEquals(ByteBuffer.wrap(written), ByteBuffer.wrap(Files.readAllBytes(file)));
    }

    @Test
    void anotherCopyIsRefused() throws Exception {
        Path file = directory.resolve("x.h5");
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(6), Shape.of(2)), DataType.INT16)
                .build();
        try (ChunkStore store = Hdf5.create(directory.resolve("source.h5"))) {
            Data.of(spec).write(store, "x");
            store.finish(false);
        }
        copy(source(), Hdf5.create(file), "keep", false);
        RefusedException e = assertThrows(RefusedException.class, () -> copy(source(), Hdf5.create(file), "3", true));
        assertTrue(String.valueOf(e.getMessage()).contains("is not the result of this copy"), e::getMessage);
    }

    /** {@return a store with texts, bytes and numbers of different lengths} */
    private static MemoryStore variable(DataType type, int longest) {
        MemoryStore store = new MemoryStore();
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(50), Shape.of(20)), type.upTo(longest))
                .build();
        ByteBuffer elements =
                ByteBuffer.allocate(50 * spec.dataType().itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 50; i++) {
            byte[] contents = "x".repeat(4 * (i % (longest / 4 + 1))).getBytes(StandardCharsets.US_ASCII);
            elements.position(i * spec.dataType().itemSize())
                    .putInt(contents.length)
                    .put(contents);
        }
        store.put("x", spec, elements.array());
        return store;
    }

    @ParameterizedTest
    @ValueSource(strings = {"variable.h5", "variable.nc"})
    void nothingIsLeftToDoForElementsOfVariableLength(String name) throws Exception {
        for (DataType type : List.of(DataType.text(), DataType.sequence(DataType.INT32))) {
            Path file = directory.resolve(type.kind() + name);
            copy(variable(type, 40), target(name, file), "10", false);
            byte[] written = Files.readAllBytes(file);
            Report again = copy(variable(type, 40), target(name, file), "10", true);
            assertEquals(0, again.bytesWritten(), type.name());
            assertEquals(ByteBuffer.wrap(written), ByteBuffer.wrap(Files.readAllBytes(file)));
            for (int longest : new int[] {36, 44}) {
                assertThrows(
                        RefusedException.class, () -> copy(variable(type, longest), target(name, file), "10", true));
            }
            assertEquals(ByteBuffer.wrap(written), ByteBuffer.wrap(Files.readAllBytes(file)));
        }
    }

    /**
     * The longest element of a file is shorter than that of its source if another part of the source has a longer one.
     */
    @Test
    void nothingIsLeftToDoIfTheLongestElementIsNotInTheFile() throws Exception {
        Path file = directory.resolve("shorter.h5");
        for (boolean resume : new boolean[] {false, true}) {
            try (ChunkStore target = Hdf5.create(file)) {
                Rechunker.Job job = Rechunker.from(variable(DataType.text(), 40).at("x"))
                        .to(target)
                        .chunks("2")
                        .maxMem("32MB")
                        .region("0:5");
                Report report = (resume ? job.resume() : job).execute();
                assertEquals(resume, report.bytesWritten() == 0);
            }
        }
    }

    private ChunkStore source() throws IOException {
        return Hdf5.open(directory.resolve("source.h5"));
    }
}
