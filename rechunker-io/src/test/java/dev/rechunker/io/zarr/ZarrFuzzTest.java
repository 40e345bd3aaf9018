package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.JsonMutator;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged documents, shards and zip files are refused or read, but never fail in another way. */
class ZarrFuzzTest {
    private static final int INPUTS = 400;
    private static final long MOST = 48 << 20;

    @TempDir
    Path temporary;

    /** Damages a document of an array or group at the root of a store. */
    @ParameterizedTest
    @ValueSource(strings = {".zarray", ".zattrs", ".zgroup", "zarr.json"})
    void documents(String name) throws IOException {
        List<byte[]> seeds = seeds(name);
        Path root = Files.createDirectory(temporary.resolve("store"));
        if (name.equals(".zattrs")) {
            Files.write(root.resolve(".zarray"), seeds(".zarray").get(0));
        }
        Files.write(root.resolve("0.0"), new byte[100]);
        Files.createDirectories(root.resolve("c/0"));
        Files.write(root.resolve("c/0/0"), new byte[100]);
        check("zarr " + name, root.resolve(name), seeds, root, "");
    }

    /** Damages consolidated metadata of nodes that have no documents of their own. */
    @ParameterizedTest
    @ValueSource(strings = {".zmetadata", "zarr.json"})
    void consolidated(String name) throws IOException {
        boolean old = name.equals(".zmetadata");
        String array = new String(seeds(old ? ".zarray" : "zarr.json").get(0), StandardCharsets.UTF_8);
        String metadata = old
                ? "{\"zarr_consolidated_format\":1,\"metadata\":{\"a/.zarray\":" + array
                        + ",\"a/.zattrs\":{\"_ARRAY_DIMENSIONS\":[\"x\"]},\"../b/.zarray\":" + array + "}}"
                : "{\"zarr_format\":3,\"node_type\":\"group\",\"consolidated_metadata\":{\"kind\":\"inline\","
                        + "\"must_understand\":false,\"metadata\":{\"a\":" + array + ",\"../b\":" + array + "}}}";
        Path root = temporary.resolve("store");
        Files.createDirectories(root.resolve("a"));
        check(
                "zarr consolidated " + name,
                root.resolve(name),
                List.of(metadata.getBytes(StandardCharsets.UTF_8)),
                root,
                "a");
    }

    private static void check(String name, Path document, List<byte[]> seeds, Path root, String path) {
        Fuzz.check(name, INPUTS, MOST, root.toString(), random -> JsonMutator.mutate(seeds, random), input -> {
            Files.write(document, input);
            try (ChunkStore store = Zarr.open(root)) {
                Walk.from(store, path, 4);
            }
        });
    }

    /** {@return the documents of a name in files that the reference implementations wrote} */
    private List<byte[]> seeds(String name) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (String fixture : List.of("zarr2-dot.zarr", "zarr3-all.zarr", "ngff-ome05.ome.zarr", "zarr3-types")) {
            Path place = temporary.resolve(fixture);
            if (!Files.exists(place)) {
                Fixtures.copy("zarr/" + fixture, temporary, true);
            }
            try (Stream<Path> files = Files.walk(place).sorted()) {
                for (Path file : files.filter(f -> f.endsWith(name)).toList()) {
                    seeds.add(Files.readAllBytes(file));
                }
            }
        }
        for (String filter : List.of("vlen-utf8", "vlen-bytes", "vlen-array", "json2")) {
            String text = switch (name) {
                case ".zarray" ->
                    "{\"zarr_format\":2,\"shape\":[3,4],\"chunks\":[2,2],\"dtype\":\"|O\",\"order\":\"F\","
                            + "\"fill_value\":\"eA==\",\"compressor\":null,\"filters\":[{\"id\":\"" + filter
                            + "\",\"dtype\":\"<i4\"}]}";
                case "zarr.json" ->
                    "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[3,4],\"data_type\":\"string\","
                            + "\"chunk_grid\":{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":[2,2]}},"
                            + "\"chunk_key_encoding\":{\"name\":\"default\"},\"fill_value\":\"x\","
                            + "\"codecs\":[{\"name\":\"" + filter + "\"}]}";
                default -> "";
            };
            if (!text.isEmpty()) {
                seeds.add(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        return seeds;
    }

    /** Damages shards with checksums of the index and of each chunk. A read fails or returns the right elements. */
    @ParameterizedTest
    @ValueSource(strings = {"end,little,crc32c", "start,big,crc32c"})
    void shardsWithChecksums(String index) throws IOException {
        Shards shards = new Shards(index);
        Fuzz.check("zarr shard " + index, INPUTS, MOST, shards.root.toString(), shards::mutated, input -> {
            byte @Nullable [] elements = shards.read(input);
            if (elements != null) {
                assertArrayEquals(shards.elements, elements);
            }
        });
    }

    /** Damages the index of shards, and makes its checksum match if there is one. */
    @ParameterizedTest
    @ValueSource(strings = {"end,little", "start,little", "end,little,crc32c"})
    void shardsWithAWrongIndex(String index) throws IOException {
        Shards shards = new Shards(index);
        Fuzz.check(
                "zarr shard with wrong index " + index,
                INPUTS,
                MOST,
                shards.root.toString(),
                shards::withWrongIndex,
                shards::read);
    }

    /** An array of one shard. */
    private final class Shards {
        private static final int CHUNKS = 6;

        private final Path root = temporary.resolve("shards");
        private final Path file = root.resolve("x/c/0/0");
        private final String index;
        private final byte[] elements;
        private final List<byte[]> seeds;

        Shards(String index) throws IOException {
            this.index = index;
            ArraySpec spec = Specs.spec(DataType.UINT16, new long[] {10, 12}, 5, 4)
                    .shards(ChunkGrid.regular(Shape.of(10, 12), Shape.of(10, 12)))
                    .codecs(List.of(CodecSpec.of("zstd").with("level", 1L), CodecSpec.of("crc32c")))
                    .hints(Map.of("zarr.format", "3", "zarr.shard.index", index))
                    .build();
            ChunkStore store = Zarr.create(root);
            Data data = Data.of(store.resolve(spec));
            data.write(store, "x");
            elements = data.elements();
            seeds = List.of(Files.readAllBytes(file));
        }

        byte[] mutated(Random random) {
            return ByteMutator.mutate(seeds, random);
        }

        /** {@return a shard with a wrong index whose checksum is right} */
        byte[] withWrongIndex(Random random) {
            byte[] shard = seeds.get(0).clone();
            boolean summed = index.endsWith("crc32c");
            int size = 16 * CHUNKS;
            int at = index.startsWith("start") ? 0 : shard.length - size - (summed ? 4 : 0);
            byte[] bytes = ByteMutator.overwrite(List.of(Arrays.copyOfRange(shard, at, at + size)), random);
            ByteBuffer target =
                    ByteBuffer.wrap(shard).order(ByteOrder.LITTLE_ENDIAN).position(at);
            target.put(bytes);
            if (summed) {
                CRC32C sum = new CRC32C();
                sum.update(bytes);
                target.putInt((int) sum.getValue());
            }
            return shard;
        }

        byte @Nullable [] read(byte[] input) throws IOException {
            Files.write(file, input);
            try (ChunkStore store = Zarr.open(root)) {
                return Walk.read(store, "x");
            }
        }
    }

    /** Damages stores in zip files, where each entry has a checksum. */
    @Test
    void zipFiles() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        byte[] elements = {};
        for (boolean stored : new boolean[] {false, true}) {
            Path place = temporary.resolve("z" + stored);
            ChunkStore store = Zarr.create(place);
            Data data = Data.of(store.resolve(Specs.spec(DataType.UINT16, new long[] {10, 12}, 5, 7)
                    .codecs(List.of(CodecSpec.of("lz4")))
                    .build()));
            data.write(store, "x");
            elements = data.elements();
            seeds.add(Zips.of(place, stored));
        }
        Path zip = temporary.resolve("damaged.zip");
        byte[] expected = elements;
        Fuzz.check("zip", INPUTS, MOST, zip.toString(), random -> ByteMutator.mutate(seeds, random), input -> {
            Files.write(zip, input);
            try (ChunkStore store = Zarr.open(zip)) {
                Walk.from(store, "", 10);
                byte @Nullable [] read = Walk.read(store, "x");
                for (int i = 0; read != null && i < expected.length; i++) {
                    assertTrue(read[i] == expected[i] || read[i] == 0, "neither the element nor the fill value");
                }
            }
        });
    }
}
