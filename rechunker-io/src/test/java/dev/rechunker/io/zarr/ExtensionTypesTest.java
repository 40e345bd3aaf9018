package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.FloatFormat;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.codec.NamedType;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.n5.N5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Types of Zarr 3 outside its core specification, in arrays of zarr-python and tensorstore: see {@code make_types.py}.
 */
class ExtensionTypesTest {
    @TempDir
    Path temporary;

    private ChunkStore written = new MemoryStore();

    @BeforeEach
    void open() throws IOException {
        written = Zarr.open(Fixtures.resource("zarr/zarr3-types.zip", temporary));
    }

    private static ArraySpec spec(ChunkStore store, String name) throws IOException {
        return ((ArrayNode) store.node(name).orElseThrow()).spec();
    }

    private static String elements(ChunkStore store, String name) throws IOException {
        return HexFormat.of().formatHex(Elements.read(store, name));
    }

    @Test
    void elementsAreThoseThatWereWritten() throws IOException {
        List<String> names = written.children("");
        assertEquals(24, names.size());
        for (String name : names) {
            assertEquals(spec(written, name).attributes().get("elements"), elements(written, name), name);
        }
    }

    /** A copy has the type, the fill value and the elements of its source. */
    @Test
    void typesAreKept() throws Exception {
        Path copy = temporary.resolve("copy.zarr");
        ChunkStore target = Zarr.create(copy);
        Rechunker.from(written).to(target).chunks(3).maxMem("10MB").execute();
        ChunkStore reopened = Zarr.open(copy);
        for (String name : written.children("")) {
            ArraySpec source = spec(written, name);
            assertEquals(source.dataType(), spec(reopened, name).dataType());
            assertEquals(source.fillValue(), spec(reopened, name).fillValue());
            assertEquals(source.byteOrder(), spec(reopened, name).byteOrder());
            assertEquals(source.attributes().get("elements"), elements(reopened, name), name);
            Map<String, Object> document = JsonParser.object(
                    name, Files.readAllBytes(copy.resolve(name).resolve("zarr.json")));
            if (name.startsWith("struct")) {
                assertTrue(Json.compact(document.get("data_type")).startsWith("{\"name\":\"struct\""), name);
            }
            if (name.startsWith("bfloat16_0x7fc1")) {
                assertEquals("0x7fc1", document.get("fill_value"));
            }
        }
    }

    @Test
    void typesThatAFormatDoesNotHaveAreLeftOutByName() throws Exception {
        ChunkStore two = Zarr.create(temporary.resolve("two.zarr"), ZarrFormat.V2);
        Rechunker.from(written).to(two).chunks("keep").maxMem("10MB").execute();
        assertEquals(elements(written, "struct_big"), elements(two, "struct_big"));
        assertTrue(two.node("float8_e5m2").isEmpty());
        for (ChunkStore target :
                List.of(two, N5.create(temporary.resolve("x.n5")), Hdf5.create(temporary.resolve("x.h5")))) {
            for (String name : List.of("bfloat16_1_5", "int4", "float8_e5m2")) {
                UnsupportedArrayException e = assertThrows(
                        UnsupportedArrayException.class,
                        () -> target.resolve(spec(written, name).toBuilder()
                                .codecs(List.of())
                                .build()));
                String type = spec(written, name).dataType().name();
                assertTrue(String.valueOf(e.getMessage()).contains(type), e.getMessage());
            }
        }
    }

    /** The checksums are those of all numbers of a format as ml_dtypes converts them to binary64. */
    @ParameterizedTest
    @CsvSource({
        "bfloat16, f9040be5",
        "float8_e3m4, 355b3dd2",
        "float8_e4m3, a0fdd13d",
        "float8_e5m2, 95a5cba8",
        "float8_e4m3fn, 2f3cdd2a",
        "float8_e4m3fnuz, dd44ca70",
        "float8_e4m3b11fnuz, c1204627",
        "float8_e5m2fnuz, e7d95de8",
        "float8_e8m0fnu, 5761ae99",
        "float6_e2m3fn, f6a05dcb",
        "float6_e3m2fn, 05e0ba67",
        "float4_e2m1fn, a4f2f7e0",
    })
    void smallFloatsAreThoseOfMlDtypes(String name, String checksum) throws StoreException {
        NamedType type = NamedType.of(name).orElseThrow();
        FloatFormat floats = Objects.requireNonNull(type.part().floats());
        CRC32 sum = new CRC32();
        for (int pattern = 0; pattern < 1 << floats.bits(); pattern++) {
            double value = floats.value(pattern);
            sum.update(ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putDouble(value)
                    .flip());
            if (floats.bits() <= 8 && !Double.isNaN(value)) {
                assertEquals(pattern, floats.patternOf(value));
                assertEquals(pattern, floats.nearestPattern(value));
            }
        }
        assertEquals(checksum, HexFormat.of().toHexDigits((int) sum.getValue()));
        for (String complex : List.of(name, "complex_" + name)) {
            DataType element = NamedType.of(complex).orElseThrow().dataType();
            assertEquals(complex, element.name());
            assertEquals(complex, V3Types.toJson(element, false));
        }
    }

    private static FillValue fill(String type, String json) throws StoreException {
        DataType element = V3Types.parse(document("{\"data_type\": " + type + "}"), ByteOrder.LITTLE_ENDIAN);
        FillValues values = new FillValues(ZarrFormat.V3, element, ByteOrder.BIG_ENDIAN);
        FillValue fill = values.parse(document("{\"fill_value\": " + json + "}"));
        for (boolean registered : new boolean[] {false, true}) {
            String printed = Json.compact(values.toJson(fill, registered));
            assertEquals(fill, values.parse(document("{\"fill_value\": " + printed + "}")), printed);
        }
        return fill;
    }

    private static Document document(String json) throws StoreException {
        return new Document("x", JsonParser.object("x", json.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'bfloat16'          | 1.5                 | 3fc0",
                "'bfloat16'          | 'NaN'               | 7fc0",
                "'bfloat16'          | '-Infinity'         | ff80",
                "'bfloat16'          | '0xffc1'            | ffc1",
                "'bfloat16'          | 1.00390625          | 3f80", // a tie
                "'float8_e4m3'       | 'NaN'               | 7c",
                "'float8_e4m3fnuz'   | 'NaN'               | 80",
                "'float8_e8m0fnu'    | 1                   | 7f",
                "'float6_e3m2fn'     | -28.0               | 3f",
                "'float4_e2m1fn'     | -0.0                | 08",
                "'int2'              | -2                  | fe",
                "'uint4'             | 15                  | 0f",
                "'complex_float16'   | [1, -2]             | 3c00c000",
                "'complex_bfloat16'  | ['NaN', 0]          | 7fc00000",
                "'complex_float32'   | [1, 2]              | 3f80000040000000",
                "{'name':'bfloat16'} | 0                   | 0000",
                "{'name':'struct','configuration':{'fields':[{'name':'a','data_type':{'name':'int16'}},"
                        + "{'name':'b','data_type':'float32'}]}} | {'b':1.0,'a':3} | 03000000803f",
                "{'name':'structured','configuration':{'fields':[['a','int16'],['b','uint8']]}} | 'AQID' | 010203",
            })
    void fillValuesAreRead(String type, String json, String bytes) throws StoreException {
        FillValue fill = fill(type.replace('\'', '"'), json.replace('\'', '"'));
        assertEquals(bytes, HexFormat.of().formatHex(fill.element(bytes.length() / 2)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'int2'             | 2",
                "'uint2'            | -1",
                "'int4'             | 1.5",
                "'float4_e2m1fn'    | 'NaN'",
                "'float8_e4m3fn'    | 'Infinity'",
                "'float8_e5m2'      | 1e9",
                "'bfloat16'         | '0x1'",
                "'complex_bfloat16' | [1]",
                "'bfloat16'         | [1, 2]",
                "{'name':'struct','configuration':{'fields':[{'name':'a','data_type':'int16'}]}} | {'b':1}",
                "{'name':'struct','configuration':{'fields':[{'name':'a','data_type':'int16'}]}} | {'a':70000}",
            })
    void otherFillValuesAreRefused(String type, String json) {
        assertThrows(StoreException.class, () -> fill(type.replace('\'', '"'), json.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'optional'",
                "{'name':'optional','configuration':{'name':'int32','configuration':{}}}",
                "'zarrs.optional'",
                "'float128'",
                "'int3'",
                "{'name':'struct'}",
                "{'name':'struct','configuration':{'fields':[]}}",
                "{'name':'struct','configuration':{'fields':[{'name':'a'}]}}",
                "{'name':'struct','configuration':{'fields':[['a','int16'],['a','int16']]}}",
                "{'name':'struct','configuration':{'fields':[['a','string']]}}",
                "{'name':'struct','configuration':{'fields':[['a','bfloat16']]}}",
                "{'name':'struct','configuration':{'fields':[['a','int16']],'align':true}}",
            })
    void otherTypesAreRefused(String type) {
        StoreException e = assertThrows(
                StoreException.class,
                () -> V3Types.parse(
                        document("{\"data_type\": " + type.replace('\'', '"') + "}"), ByteOrder.BIG_ENDIAN));
        assertTrue(String.valueOf(e.getMessage()).startsWith("x "), e.getMessage());
    }

    private static String types(String fields) throws StoreException {
        return Json.compact(V3Types.toJson(
                V2Types.parse(document("{\"dtype\": " + fields.replace('\'', '"') + "}"))
                        .type(),
                false));
    }

    /** Records without a form in Zarr 3 are little-endian in the form that all releases of zarr-python read. */
    @Test
    void recordsOfOtherFormatsAreWrittenAsZarrPythonReadsThem() throws StoreException {
        assertEquals(
                "{\"name\":\"structured\",\"configuration\":{\"fields\":[[\"a\",\"int32\"],[\"padding1\","
                        + "{\"name\":\"raw_bytes\",\"configuration\":{\"length_bytes\":4}}],[\"b\",\"float64\"]]}}",
                types("[['a','<i4'],['','|V4'],['b','<f8']]"));
        for (String fields : List.of("[['a','<i4'],['b','>f8']]", "[['a','<f4',[2]],['b','<f8']]")) {
            assertThrows(UnsupportedArrayException.class, () -> types(fields));
        }
        for (String fields : List.of("[['a','>i4'],['','|V3']]", "[['','|V3'],['a',[['b','<i2'],['','|V1']]]]")) {
            DataType type = V2Types.parse(document("{\"dtype\": " + fields.replace('\'', '"') + "}"))
                    .type();
            ArraySpec spec = Specs.cube(type).build();
            ArraySpec stored =
                    Construction.storedLayout("x", spec, ZarrFormat.V3).spec();
            assertEquals(type, stored.dataType());
            assertEquals(fields.contains(">"), stored.hints().containsKey(Hints.TYPE));
            assertEquals(
                    stored,
                    Construction.storedLayout("x", stored, ZarrFormat.V3).spec());
            assertFalse(Json.compact(V3Metadata.array(spec).get("data_type")).contains("\"\""));
        }
    }
}
