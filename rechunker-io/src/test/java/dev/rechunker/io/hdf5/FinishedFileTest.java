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
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private ChunkStore source() throws IOException {
        return Hdf5.open(directory.resolve("source.h5"));
    }
}
