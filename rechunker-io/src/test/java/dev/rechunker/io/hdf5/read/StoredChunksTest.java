package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that copies from HDF5 to HDF5 in the same chunks copy encoded chunks if possible, and decode them otherwise.
 */
class StoredChunksTest {
    @TempDir
    Path directory;

    private int copies;

    /** Copies one dataset and compares every element; {@return the strategy} */
    private String copy(Path file, String path) throws IOException, InterruptedException {
        Path copied = directory.resolve("copy" + copies++ + ".h5");
        String strategy;
        byte[] expected;
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore target = Hdf5.create(copied);
                ArrayReader reader = source.openReader(path)) {
            expected = Data.readAll(reader);
            Plan plan = Rechunker.from(source.at(path))
                    .to(target.at("d"))
                    .chunks("keep")
                    .maxMem("64MB")
                    .plan();
            strategy = plan.arrays().get(0).copy().strategy();
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= report.projectedMemory(), report.toString());
        }
        try (ChunkStore again = Hdf5.open(copied);
                ArrayReader reader = again.openReader("d")) {
            assertArrayEquals(expected, Data.readAll(reader), path);
        }
        Files.delete(copied);
        return strategy;
    }

    private static boolean isWrittenWithTheSameEncoding(ArraySpec spec) {
        return "chunked".equals(spec.hints().get(Hdf5Names.LAYOUT_HINT))
                && spec.codecs().stream()
                        .allMatch(
                                codec -> Set.of("shuffle", "gzip", "fletcher32").contains(codec.name()));
    }

    @Test
    void chunksThatTheWriterEncodesAlikeAreNotDecoded() throws IOException, InterruptedException {
        Corpus corpus = Corpus.unpack(directory);
        Set<String> encoded = new HashSet<>();
        for (Corpus.Expected expected : corpus.datasets()) {
            Path file = corpus.directory().resolve(expected.file());
            boolean alike;
            try (ChunkStore store = Hdf5.open(file);
                    ArrayReader reader = store.openReader(expected.path())) {
                // A filter was not applied to one chunk of "flt/maskchunk".
                alike = isWrittenWithTheSameEncoding(reader.spec())
                        && !expected.path().equals("flt/maskchunk");
            } catch (StoreException refused) {
                continue;
            }
            String strategy = copy(file, expected.path());
            assertEquals(alike, strategy.equals("CopyEncoded"), expected.toString());
            if (alike) {
                encoded.add(expected.path());
            }
        }
        for (String group :
                List.of("flt/gzshfl_s", "idx/bt2gz", "idx/eagz", "idx/fagz", "idx/singlegz", "idx/shrunk")) {
            assertTrue(encoded.contains(group), encoded.toString());
        }
    }

    @Test
    void chunksAreDecodedIfAFilterWasNotApplied() throws IOException, InterruptedException {
        for (String name : List.of("small_earliest.h5", "small_latest.h5")) {
            Path file = Corpus.copy(name, directory);
            assertEquals("CopyEncoded", copy(file, "arrays/single"));
            assertEquals("Window", copy(file, "arrays/masked"));
            try (ChunkStore store = Hdf5.open(file);
                    ArrayReader reader = store.openReader("arrays/masked")) {
                Region chunk = reader.spec().chunks().regionAt(0);
                assertEquals(Optional.empty(), reader.encoded());
                EncodedSource absent = (EncodedSource) reader;
                assertThrows(UnsupportedOperationException.class, () -> absent.openEncoded(chunk));
            }
        }
    }

    @Test
    void chunksAreDecodedForAnotherLevel() throws IOException {
        Path file = Corpus.copy("small_latest.h5", directory);
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore target = Hdf5.create(directory.resolve("x.h5"))) {
            for (String level : List.of("4", "9")) {
                Plan plan = Rechunker.from(source.at("arrays/gzip"))
                        .to(target.at("d"))
                        .chunks("keep")
                        .maxMem("64MB")
                        .codec("shuffle+gzip:level=" + level)
                        .plan();
                String strategy = plan.arrays().get(0).copy().strategy();
                assertEquals(level.equals("4") ? "CopyEncoded" : "Window", strategy);
            }
        }
    }
}
