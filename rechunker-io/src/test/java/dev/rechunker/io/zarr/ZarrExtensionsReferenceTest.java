package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.codec.CodecInfo;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Codecs and types of Zarr 3 outside its core specification, in both directions, with a current zarr-python. */
@ReferenceTest
class ZarrExtensionsReferenceTest {
    @TempDir
    Path temporary;

    private void python(String command, Path container) throws IOException, InterruptedException {
        String dumps = temporary.resolve("dumps").toString();
        ReferencePrograms.xarray(temporary, "zarr/extensions.py", command, container.toString(), dumps);
    }

    private byte[] dump(String path) throws IOException {
        return Files.readAllBytes(temporary.resolve("dumps").resolve(path.replace('/', '~') + ".bin"));
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static List<String> names(ArraySpec spec) {
        return spec.codecs().stream().map(CodecSpec::name).toList();
    }

    /** {@return the elements of an array, in little-endian order} */
    private static byte[] elements(ChunkStore store, String path) throws IOException {
        byte[] elements = Elements.read(store, path);
        ArraySpec spec = spec(store, path);
        int word = spec.dataType().wordSize();
        return spec.byteOrder() == ByteOrder.BIG_ENDIAN && word > 1
                ? FillValue.of(elements).swapped(word).element(elements.length)
                : elements;
    }

    private static void copy(Path from, Path to, ZarrFormat format) throws Exception {
        try (ChunkStore source = Zarr.open(from);
                ChunkStore target = Zarr.create(to, format)) {
            Rechunker.from(source).to(target).chunks("keep").maxMem("50MB").execute();
        }
    }

    @Test
    void arraysOfZarrPythonAreRead() throws Exception {
        Path container = temporary.resolve("python.zarr");
        python("write", container);
        ChunkStore store = Zarr.open(container);
        List<String> arrays = Elements.arrays(store, "");
        for (String path : arrays) {
            assertArrayEquals(dump(path), elements(store, path), path);
        }
        assertTrue(arrays.size() > 80, "only " + arrays);
    }

    /** zarr-python sees the same elements in copies. */
    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void zarrPythonReadsCopies(ZarrFormat format) throws Exception {
        Path container = temporary.resolve("python.zarr");
        python("write", container);
        Path copy = temporary.resolve("copy.zarr");
        copy(container, copy, format);
        ChunkStore source = Zarr.open(container);
        ChunkStore target = Zarr.open(copy);
        python("read", copy);
        for (String path : Elements.arrays(source, "")) {
            assertArrayEquals(elements(source, path), dump(path), path);
            if (format == ZarrFormat.V3) {
                assertEquals(names(spec(source, path)), names(spec(target, path)), path);
            }
        }
    }

    /** Of all codecs that Zarr 2 has, each with its required options only. */
    @Test
    void settingsAreThoseThatNumcodecsWrites() throws Exception {
        Path container = temporary.resolve("settings.zarr");
        ChunkStore store = Zarr.create(container, ZarrFormat.V2);
        Map<String, CodecSpec> filters = Map.of(
                "delta",
                Specs.codec("delta", "dtype", "<f4"),
                "fixedscaleoffset",
                Specs.codec("fixedscaleoffset", "dtype", "<f4", "scale", 10L, "offset", 1L),
                "quantize",
                Specs.codec("quantize", "dtype", "<f4", "digits", 3L),
                "astype",
                Specs.codec("astype", "encode_dtype", "<f4", "decode_dtype", "<f4"),
                "bitround",
                Specs.codec("bitround", "keepbits", 9L));
        for (CodecInfo codec : Codecs.all()) {
            if (codec.isInNumcodecs() && !codec.name().equals("json2")) {
                DataType type = codec.name().equals("packbits") ? DataType.BOOL : DataType.FLOAT32;
                ArraySpec spec = Specs.cube(type)
                        .codecs(List.of(filters.getOrDefault(codec.name(), CodecSpec.of(codec.name()))))
                        .build();
                Elements.write(store, codec.name(), spec, new byte[630 * type.itemSize()]);
            }
        }
        for (DataType type : List.of(DataType.text(), DataType.binary(), DataType.sequence(DataType.INT32))) {
            ArraySpec spec = Specs.cube(type.upTo(8)).codecs(List.of()).build();
            try (ArrayWriter writer = store.create(Codecs.variableLength(type), spec, false)) {
                writer.commit();
            }
        }
        store.close();
        python("settings", container);
        assertEquals(
                "adler32 astype bitround blosc bz2 crc32 crc32c delta fixedscaleoffset fletcher32 gzip jenkins_lookup3"
                        + " lz4 lzma packbits quantize shuffle vlen-array vlen-bytes vlen-utf8 zlib zstd",
                new String(dump("settings"), StandardCharsets.US_ASCII));
    }

    /** Big-endian elements of filters with types are written as all releases of zarr-python read them. */
    @Test
    void zarrPythonReadsNumbersOfBigEndianFilters() throws Exception {
        Path container = temporary.resolve("python.zarr");
        python("write", container);
        ChunkStore source = Zarr.open(container);
        Path big = temporary.resolve("big.zarr");
        ChunkStore store = Zarr.create(big, ZarrFormat.V2);
        Map<String, byte[]> expected = new TreeMap<>();
        for (String path : Elements.arrays(source, "filters")) {
            ArraySpec spec = spec(source, path);
            int word = spec.dataType().wordSize();
            List<CodecSpec> codecs = V3Filters.withTypeOrder(spec.codecs(), '<', '>').stream()
                    .map(ZarrExtensionsReferenceTest::named)
                    .toList();
            byte[] elements = elements(source, path);
            Elements.write(
                    store,
                    path,
                    spec.toBuilder()
                            .byteOrder(ByteOrder.BIG_ENDIAN)
                            .codecs(V3Filters.withTypeOrder(codecs, '<', '>'))
                            .fillValue(FillValue.zero(spec.dataType().itemSize()))
                            .hints(Map.of())
                            .build(),
                    FillValue.of(elements).swapped(word).element(elements.length));
            expected.put(path, elements);
        }
        store.writeGroup("filters", Map.of());
        store.writeGroup("", Map.of());
        store.close();
        Path copy = temporary.resolve("copy.zarr");
        copy(big, copy, ZarrFormat.V3);
        python("read", copy);
        for (Map.Entry<String, byte[]> array : expected.entrySet()) {
            assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
        }
    }

    /** {@return a codec whose types have short names, with a byte order} */
    private static CodecSpec named(CodecSpec step) {
        CodecSpec named = step;
        for (Map.Entry<String, ?> option : step.options().entrySet()) {
            if (option.getKey().endsWith("type") && option.getValue() instanceof String name) {
                DataType type = V3Types.plain(name).orElse(null);
                named = type == null ? named : named.with(option.getKey(), type.itemSize() == 4 ? "<f4" : "<f8");
            }
        }
        return named;
    }
}
