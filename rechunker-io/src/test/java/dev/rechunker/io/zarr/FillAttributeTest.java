package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The missing value is where xarray looks for it, and the fill value is only where xarray does not mask it. */
class FillAttributeTest {
    private static final FillValue ZERO = FillValue.zero(2);
    private static final FillValue SEVEN = FillValue.of((byte) 7, (byte) 0);

    private static ArraySpec.Builder named() {
        return Specs.spec(DataType.INT16, new long[] {4}, 2).dimensionNames(List.of("x"));
    }

    private static ArraySpec.Builder unnamed() {
        return Specs.spec(DataType.INT16, new long[] {4}, 2);
    }

    /** {@return a stored spec, which a reader returns unchanged} */
    private static ArraySpec stored(ArraySpec spec, ZarrFormat format) throws StoreException {
        ArraySpec stored = Construction.storedLayout("x", spec, format).spec();
        assertEquals(stored, Construction.storedLayout("x", stored, format).spec());
        return stored;
    }

    private static @Nullable Object fillOfVersion2(ArraySpec spec) throws StoreException {
        return V2Metadata.array(spec).get("fill_value");
    }

    @Test
    void version2WithNamesHasTheMissingValueAsItsFillValue() throws StoreException {
        ArraySpec spec = named().fillValue(ZERO).missingValue(SEVEN).build();
        assertEquals(7L, fillOfVersion2(spec));
        assertEquals(Map.of("_ARRAY_DIMENSIONS", List.of("x")), V2Metadata.attributes(spec));
        ArraySpec stored = stored(spec, ZarrFormat.V2);
        assertEquals(SEVEN, stored.fillValue());
        assertEquals(SEVEN, stored.missingValue());
    }

    @Test
    void version2WithNamesHasNoFillValueIfNothingIsMissing() throws StoreException {
        ArraySpec spec = named().fillValue(SEVEN).build();
        assertEquals(null, fillOfVersion2(spec));
        ArraySpec stored = stored(spec, ZarrFormat.V2);
        assertEquals(FillValue.UNDEFINED, stored.fillValue());
        assertEquals(FillValue.UNDEFINED, stored.missingValue());
        ArraySpec scalar = Specs.spec(DataType.INT16, new long[0])
                .fillValue(SEVEN)
                .hints(Map.of(ArraySpec.NO_AXES_HINT, ""))
                .build();
        assertEquals(null, fillOfVersion2(scalar));
    }

    @Test
    void version2WithoutNamesHasBoth() throws StoreException {
        ArraySpec spec = unnamed().fillValue(SEVEN).missingValue(ZERO).build();
        assertEquals(7L, fillOfVersion2(spec));
        assertEquals(Map.of("_FillValue", 0L), V2Metadata.attributes(spec));
        ArraySpec stored = stored(spec, ZarrFormat.V2);
        assertEquals(SEVEN, stored.fillValue());
        assertEquals(ZERO, stored.missingValue());
        assertEquals(Map.of(), stored.attributes());
    }

    private static ArraySpec read(String fill, String attributes) throws StoreException {
        String document = "{'zarr_format':2,'shape':[4],'chunks':[2],'dtype':'<i2','fill_value':" + fill
                + ",'order':'C','compressor':null,'filters':null}";
        return V2Metadata.parse(new Document("x", json(document)), json(attributes))
                .spec();
    }

    private static Map<String, @Nullable Object> json(String text) throws StoreException {
        return JsonParser.object("x", text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void version2IsReadAsXarrayDoes() throws StoreException {
        String names = "'_ARRAY_DIMENSIONS':['x']";
        assertEquals(SEVEN, read("7", "{" + names + "}").missingValue());
        assertEquals(SEVEN, read("7", "{" + names + "}").fillValue());
        assertEquals(SEVEN, read("0", "{'_FillValue':7," + names + "}").missingValue());
        assertEquals(ZERO, read("0", "{'_FillValue':7," + names + "}").fillValue());
        assertEquals(FillValue.UNDEFINED, read("null", "{" + names + "}").missingValue());
        assertEquals(FillValue.UNDEFINED, read("7", "{}").missingValue());
        assertEquals(SEVEN, read("0", "{'_FillValue':[7]}").missingValue());
        assertEquals(Map.of(), read("0", "{'_FillValue':7}").attributes());
    }

    @Test
    void valueThatIsNoElementStaysAnAttribute() throws StoreException {
        for (String value : List.of("'none'", "70000", "0.5", "[7,8]", "{}", "null", "'7'", "true")) {
            ArraySpec spec = read("0", "{'_FillValue':" + value + "}");
            assertEquals(FillValue.UNDEFINED, spec.missingValue(), value);
            assertTrue(spec.attributes().containsKey("_FillValue"), value);
            assertEquals(spec, stored(spec, ZarrFormat.V2));
        }
    }

    /** What xarray 2026.9 writes for a missing value is read, and is written again. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "'float32' ; 'AAAAAAA4j8A=' ; c479c000",
                "'float64' ; 'AAAAAAA4j8A=' ; c08f380000000000",
                "'float16' ; 'AAAAAAAA+H8=' ; 7e00",
                "'float32' ; 'AAAAAAAA+H8=' ; 7fc00000",
                "'float32' ; 'AAAAAAAA8H8=' ; 7f800000",
                "'complex64' ; ['AAAAAAAA8D8=','AAAAAAAA+H8='] ; 3f8000007fc00000",
                "'int16' ; -999 ; fc19",
                "'uint64' ; 18446744073709551615 ; ffffffffffffffff",
                "'bool' ; true ; 01",
                "{'name':'null_terminated_bytes','configuration':{'length_bytes':3}} ; 'YWI=' ; 616200",
                "{'name':'fixed_length_utf32','configuration':{'length_bytes':8}} ; 'a' ; 0000006100000000",
            })
    void attributeOfVersion3(String type, String value, String hex) throws StoreException {
        ArraySpec spec = readVersion3(type, value);
        assertEquals(hex, HexFormat.of().formatHex(spec.missingValue().bytes().orElseThrow()));
        assertEquals(Map.of(), spec.attributes());
        assertEquals(
                Json.compact(json("{'_FillValue':" + value + "}")),
                Json.compact(V3Metadata.array(spec).get("attributes")));
        assertEquals(spec, stored(spec, ZarrFormat.V3));
    }

    private static ArraySpec readVersion3(String type, String value) throws StoreException {
        String document = "{'zarr_format':3,'node_type':'array','shape':[4],'data_type':" + type
                + ",'chunk_grid':{'name':'regular','configuration':{'chunk_shape':[2]}},"
                + "'chunk_key_encoding':{'name':'default'},'fill_value':"
                + (type.contains("bytes") || type.contains("utf") ? "''" : "0")
                + ",'codecs':[{'name':'bytes','configuration':{'endian':'big'}}],'attributes':{'_FillValue':" + value
                + "}}";
        return V3Metadata.parse(new Document("x", json(document))).spec();
    }

    /** What earlier versions of this library and other writers leave. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "'float32' ; -999.0 ; c479c000",
                "'float32' ; [-999] ; c479c000",
                "'float32' ; 1e20 ; 60ad78ec",
                "'float32' ; NaN ; 7fc00000",
                "'float32' ; 'NaN' ; 7fc00000",
                "'float64' ; '-Infinity' ; fff0000000000000",
                "'int16' ; -999.0 ; fc19",
                "{'name':'null_terminated_bytes','configuration':{'length_bytes':1}} ; ' ' ; 20",
                "{'name':'null_terminated_bytes','configuration':{'length_bytes':1}} ; '' ; 00",
            })
    void plainAttributeOfVersion3(String type, String value, String hex) throws StoreException {
        ArraySpec spec = readVersion3(type, value);
        assertEquals(hex, HexFormat.of().formatHex(spec.missingValue().bytes().orElseThrow()));
        assertEquals(spec, stored(spec, ZarrFormat.V3));
    }

    /** A NaN with a sign or payload is kept where it can be, and is the usual NaN in version 2. */
    @ParameterizedTest
    @CsvSource({"2, fe01", "4, ffc00001", "8, fff8000000000001", "2, 7d00", "4, ff800001"})
    void unusualNaN(int size, String hex) throws StoreException {
        FillValue odd = FillValue.of(HexFormat.of().parseHex(hex));
        DataType type = size == 2 ? DataType.FLOAT16 : size == 4 ? DataType.FLOAT32 : DataType.FLOAT64;
        ArraySpec spec = Specs.spec(type, new long[] {4}, 2)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .missingValue(odd)
                .dimensionNames(List.of("x"))
                .build();
        assertEquals(odd, stored(spec, ZarrFormat.V3).missingValue());
        FillValue usual = stored(spec, ZarrFormat.V2).missingValue();
        assertEquals("NaN", type.value(ByteOrder.BIG_ENDIAN, usual.element(size)));
    }

    /** The encoding of a value of any type can be read. */
    @Test
    void everyTypeHasMissingValues() throws StoreException {
        for (DataType type : Specs.TYPES) {
            byte[] element = new byte[type.itemSize()];
            element[0] = 1;
            ArraySpec spec = Specs.spec(type, new long[] {4}, 2)
                    .missingValue(FillValue.of(element))
                    .build();
            for (ZarrFormat format : ZarrFormat.values()) {
                assertEquals(spec.missingValue(), stored(spec, format).missingValue(), type + " in " + format);
            }
            ArraySpec named = spec.toBuilder().dimensionNames(List.of("x")).build();
            assertEquals(spec.missingValue(), stored(named, ZarrFormat.V2).missingValue(), type.name());
        }
    }

    /** Units that the source does not have are written, as other readers do not know what null reads as. */
    @Test
    void unwrittenUnitsAreWrittenIfTheTargetDoesNotSayWhatTheyAre() throws Exception {
        for (FillValue fill : List.of(ZERO, SEVEN)) {
            byte first = fill.element(2)[0];
            byte[] elements = {first, 0, first, 0, first, 0, first, 0};
            MemoryKeys in = new MemoryKeys();
            MemoryStore filled =
                    new MemoryStore().put("a", named().fillValue(fill).build(), elements);
            plan(filled, Zarr.create(in, ZarrFormat.V3)).execute();
            assertFalse(in.open("a/c/0").isPresent(), "nothing but the fill value");
            MemoryKeys out = new MemoryKeys();
            Plan plan = plan(Zarr.open(in), Zarr.create(out, ZarrFormat.V2));
            boolean said =
                    plan.losses().stream().anyMatch(loss -> loss.toString().contains("fill value"));
            assertEquals(fill.equals(SEVEN), said, () -> plan.losses().toString());
            plan.execute();
            assertTrue(out.open("a/0").isPresent() && out.open("a/1").isPresent());
            MemoryStore back = new MemoryStore();
            plan(Zarr.open(out), back).execute();
            assertArrayEquals(elements, back.elements("a"));
        }
    }

    private static Plan plan(ChunkStore from, ChunkStore to) throws IOException {
        return Rechunker.from(from.at("a"))
                .to(to.at("a"))
                .chunks(2)
                .maxMem("1MB")
                .plan();
    }
}
