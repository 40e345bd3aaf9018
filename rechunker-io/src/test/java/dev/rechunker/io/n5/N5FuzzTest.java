package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.JsonMutator;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged documents and blocks. */
class N5FuzzTest {
    private static final long MOST = 48 << 20;

    @TempDir
    Path temporary;

    private Path container(List<CodecSpec> codecs) throws IOException {
        Path place = temporary.resolve("store.n5");
        ChunkStore store = N5.create(place);
        ArraySpec spec = N5Specs.spec(DataType.UINT16, new long[] {10, 12}, 6, 7)
                .codecs(codecs)
                .build();
        N5Specs.ramp(store.resolve(spec)).write(store, "x");
        return place;
    }

    @Test
    void damagedDocumentsAreRefused() throws IOException {
        Path fixture = Fixtures.copy("n5/n5-all.n5", temporary, true);
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> files = Files.walk(fixture).sorted()) {
            for (Path file : files.filter(f -> f.endsWith("attributes.json")).toList()) {
                seeds.add(Files.readAllBytes(file));
            }
        }
        Path place = container(List.of());
        for (String name : List.of("attributes.json", "x/attributes.json")) {
            Path document = place.resolve(name);
            byte[] good = Files.readAllBytes(document);
            Fuzz.check(
                    "n5 " + name, 500, MOST, place.toString(), random -> JsonMutator.mutate(seeds, random), input -> {
                        Files.write(document, input);
                        read(place);
                    });
            Files.write(document, good);
        }
    }

    static Stream<List<CodecSpec>> codecs() {
        return N5Specs.codecs().stream();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void damagedBlocksAreRefused(List<CodecSpec> codecs) throws IOException {
        Path place = container(codecs);
        Path block = place.resolve("x/0/0");
        List<byte[]> seeds = List.of(Files.readAllBytes(block), Files.readAllBytes(place.resolve("x/1/1")));
        Fuzz.check(
                "n5 block " + codecs, 100, MOST, place.toString(), random -> ByteMutator.mutate(seeds, random), in -> {
                    Files.write(block, in);
                    read(place);
                });
    }

    private static void read(Path place) throws IOException {
        try (ChunkStore store = N5.open(place)) {
            Walk.from(store, "", 5);
        }
    }
}
