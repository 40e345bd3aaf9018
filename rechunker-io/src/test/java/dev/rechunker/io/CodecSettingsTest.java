package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** If the codec settings of one array of a group are not accepted, the other arrays are copied. */
class CodecSettingsTest {
    private static final ArraySpec SPEC = spec("zstd:level=3");

    @TempDir
    Path directory;

    private static ArraySpec spec(String codecs) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(8), Shape.of(4)), DataType.INT32)
                .codecs(CodecSpec.parse(codecs))
                .build();
    }

    private static Plan plan(StoreLocation source, ChunkStore target) throws IOException {
        return Rechunker.from(source).to(target).chunks("keep").maxMem("1MB").plan();
    }

    @ParameterizedTest
    @CsvSource({"zarr2, .zarray", "zarr3, zarr.json"})
    void anArrayWhoseCodecCannotBeReadIsLeftOutOfItsGroup(String format, String metadata) throws Exception {
        Path place = directory.resolve("source");
        try (ChunkStore store = Zarr.create(place)) {
            store.writeGroup("", Map.of());
            for (String name : List.of("good", "bad")) {
                MemoryStore memory = new MemoryStore();
                Data.of(SPEC).write(memory, "");
                Rechunker.from(memory)
                        .to(store.at(name))
                        .chunks("keep")
                        .maxMem("1MB")
                        .format(format)
                        .execute();
            }
        }
        Path file = place.resolve("bad").resolve(metadata);
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("\"level\": ?3", "\"level\": 100"));
        assertTrue(Files.readString(file).contains("100"), text);

        try (ChunkStore source = Zarr.open(place);
                ChunkStore target = Zarr.create(directory.resolve("target"))) {
            String why = "codec \"zstd\": level 100 is not a whole number from -131072 to 22";
            Plan plan = plan(source.at(""), target);
            assertEquals(1, Loss.sentences(plan.losses()).size(), Loss.sentences(plan.losses())::toString);
            String loss = Loss.sentences(plan.losses()).get(0);
            assertTrue(loss.startsWith(source.at("bad") + ": is not understood, and left out: "), loss);
            assertTrue(loss.endsWith(why), loss);
            plan.execute();
            Data.of(SPEC).check(target, "good");
            assertEquals(Optional.empty(), target.node("bad"));

            StoreException refused = assertThrows(StoreException.class, () -> plan(source.at("bad"), target));
            assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
        }
    }

    /**
     * The codecs of the source were not requested, so they are replaced if the target does not accept their settings.
     */
    @ParameterizedTest
    @ValueSource(strings = {"zarr", "n5", "hdf5"})
    void codecsAreReplacedIfTheTargetDoesNotAcceptTheirSettings(String format) throws Exception {
        for (String codecs : List.of("zstd:level=100", "gzip:level=100", "blosc:clevel=100")) {
            MemoryStore source = new MemoryStore();
            source.writeGroup("", Map.of());
            Data.of(SPEC).write(source, "good");
            Data.of(spec(codecs)).write(source, "bad");
            Path to = directory.resolve(codecs.replace(':', '-') + "." + format);
            try (ChunkStore target = switch (format) {
                case "zarr" -> Zarr.create(to);
                case "n5" -> N5.create(to);
                default -> Hdf5.create(to);
            }) {
                Plan plan = Rechunker.from(source)
                        .to(target)
                        .chunks("keep")
                        .maxMem("1MB")
                        .verify()
                        .plan();
                assertTrue(
                        Loss.sentences(plan.losses()).stream()
                                .anyMatch(loss -> loss.contains("bad: the codecs become")),
                        Loss.sentences(plan.losses())::toString);
                assertEquals(16, plan.execute().elementsVerified());
            }
        }
    }
}
