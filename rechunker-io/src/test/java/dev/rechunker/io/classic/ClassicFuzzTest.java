package dev.rechunker.io.classic;

import dev.rechunker.io.Fixtures;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed files are read or refused. */
class ClassicFuzzTest {
    private static final int INPUTS = 250;

    @TempDir
    Path temporary;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "classic_fixed.nc",
                "classic_records_4.nc",
                "classic_single_i1.nc",
                "offset_records_1.nc",
                "data_fixed.nc",
                "data_records_4.nc"
            })
    void malformedFilesAreReadOrRefused(String name) throws IOException {
        Path directory = Fixtures.copy("netcdf/classic", temporary, true);
        byte[] whole = Files.readAllBytes(directory.resolve(name));
        Path lie = directory.resolve("lie.nc");
        Fuzz.check("netcdf " + name, INPUTS, 256 << 20, lie.toString(), random -> mutate(whole, random), input -> {
            Files.write(lie, input);
            try (ChunkStore store = NetcdfClassic.open(lie)) {
                Walk.from(store, "", 300);
            }
        });
    }

    /** Most of a file is its header, in whose words of four bytes the first three are usually zero. */
    private static byte[] mutate(byte[] whole, Random random) {
        if (random.nextInt(4) == 0) {
            return ByteMutator.mutate(List.of(whole), random);
        }
        byte[] file = whole.clone();
        for (int i = 0; i <= random.nextInt(3); i++) {
            int word = random.nextInt(file.length / 4) * 4;
            file[word + (random.nextBoolean() ? 3 : random.nextInt(4))] =
                    (byte) (random.nextBoolean() ? random.nextInt(16) : random.nextInt(256));
        }
        return file;
    }
}
