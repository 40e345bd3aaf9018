package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.codec.CodecChain;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.tree.FloatBits;
import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents are parsed to specs, and unsupported features are refused by name. */
class MetadataTest {
    private static Layout version3(String document) throws StoreException {
        byte[] bytes = document.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return V3Metadata.parse(new Document("x.zarr/zarr.json", JsonParser.object("x.zarr/zarr.json", bytes)));
    }

    private static Layout version2(String document) throws StoreException {
        byte[] bytes = document.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return V2Metadata.parse(new Document("x.zarr/.zarray", JsonParser.object("x.zarr/.zarray", bytes)), Map.of());
    }

    private static String array3(String type, String fill, String codecs, String more) {
        return "{'zarr_format':3,'node_type':'array','shape':[4],'data_type':" + type
                + ",'chunk_grid':{'name':'regular','configuration':{'chunk_shape':[2]}},"
                + "'chunk_key_encoding':{'name':'default'},'fill_value':" + fill + ",'codecs':" + codecs + more + "}";
    }

    private static final String LITTLE = "[{'name':'bytes','configuration':{'endian':'little'}}]";

    private static String array2(String dtype, String fill, String more) {
        return "{'zarr_format':2,'shape':[4],'chunks':[2],'dtype':" + dtype + ",'fill_value':" + fill
                + ",'order':'C','compressor':null,'filters':null" + more + "}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'uint64' | 18446744073709551615 | ffffffffffffffff",
                "'int8' | -128 | 80",
                "'uint16' | '7' | 0007",
                "'uint16' | 7.0 | 0007",
                "'bool' | true | 01",
                "'float16' | 1.0009765625 | 3c01",
                "'float16' | 65504 | 7bff",
                "'float16' | 6e-8 | 0001",
                "'float16' | 'NaN' | 7e00",
                "'float32' | 'NaN' | 7fc00000",
                "'float32' | '0xffc00001' | ffc00001",
                "'float32' | '-Infinity' | ff800000",
                "'float32' | '0.5' | 3f000000",
                "'float64' | -0.0 | 8000000000000000",
                "'float64' | '0x7ff8000000000001' | 7ff8000000000001",
                "'complex64' | [1.0, 'NaN'] | 3f8000007fc00000",
                "'r24' | [1, 2, 255] | 0102ff",
                "{'name':'numpy.datetime64','configuration':{'unit':'ns','scale_factor':10}} | 'NaT' | 8000000000000000",
                "{'name':'fixed_length_utf32','configuration':{'length_bytes':8}} | 'a' | 0000006100000000",
                "{'name':'null_terminated_bytes','configuration':{'length_bytes':3}} | 'YQ==' | 610000",
            })
    void fillValuesOfVersion3(String type, String fill, String hex) throws StoreException {
        String big = "[{'name':'bytes','configuration':{'endian':'big'}}]";
        ArraySpec spec =
                version3(array3(unquoted(type), unquoted(fill), big, "")).spec();
        assertEquals(hex, HexFormat.of().formatHex(spec.fillValue().bytes().orElseThrow()));
        assertEquals(spec, Construction.storedLayout("x", spec, ZarrFormat.V3).spec());
    }

    /** Restores the outer quotes of a CSV value, which JUnit removes. */
    private static String unquoted(String csv) {
        boolean text = csv.matches("[A-Za-z-][A-Za-z0-9=-]*|0x[0-9a-f]+") && !csv.matches("true|false|-[0-9.]+");
        return text ? "'" + csv + "'" : csv;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "'>u8' ; 9223372036854775808 ; 8000000000000000",
                "'<i4' ; '7' ; 07000000",
                "'<f8' ; 'Infinity' ; 000000000000f07f",
                "'|S4' ; 'YWI=' ; 61620000",
                "'|S4' ; 0 ; 00000000",
                "'<U2' ; 'é' ; e900000000000000",
                "'<M8[ns]' ; 'NaT' ; 0000000000000080",
                "'<m8[25s]' ; -1 ; ffffffffffffffff",
                "'|V3' ; 'AQID' ; 010203",
                "'<c8' ; [1.5, -2.0] ; 0000c03f000000c0",
                "[['a','<i2'],['b','|S1']] ; 'AQIz' ; 010233",
            })
    void fillValuesOfVersion2(String type, String fill, String hex) throws StoreException {
        ArraySpec spec = version2(array2(type, fill, "")).spec();
        assertEquals(hex, HexFormat.of().formatHex(spec.fillValue().bytes().orElseThrow()));
        assertEquals(spec, Construction.storedLayout("x", spec, ZarrFormat.V2).spec());
    }

    @Test
    void nullIsUndefinedInVersion2AndZeroInVersion3() throws StoreException {
        ArraySpec spec = version2(array2("'<i4'", "null", "")).spec();
        assertEquals(FillValue.UNDEFINED, spec.fillValue());
        assertEquals(
                FillValue.zero(4),
                Construction.storedLayout("x", spec, ZarrFormat.V3).spec().fillValue());
    }

    private static CodecChain chain(Layout layout) throws StoreException {
        return layout.chain("x", layout.spec().chunks().chunkShape(), 0);
    }

    private static void refused(String name, String document, boolean version3) {
        StoreException e = assertThrows(StoreException.class, () -> {
            if (version3) {
                chain(version3(document)).close();
            } else {
                chain(version2(document)).close();
            }
        });
        assertTrue(String.valueOf(e.getMessage()).contains(name), e.getMessage());
    }

    @Test
    void unknownFeaturesOfVersion3AreRefusedByName() {
        refused("frobnicate", array3("'int32'", "0", LITTLE, ",'frobnicate':{'must_understand':true}"), true);
        String text = "{'name':'fixed_length_utf32','configuration':{'length_bytes':8}}";
        refused("fill_value", array3(text, "'abc'", LITTLE, ""), true);
        refused("frobnicate", array3("'int32'", "0", LITTLE, ",'frobnicate':1"), true);
        refused("mirror", array3("'int32'", "0", LITTLE, ",'storage_transformers':[{'name':'mirror'}]"), true);
        refused("pcodec", array3("'int32'", "0", "[{'name':'numcodecs.pcodec'}]", ""), true);
        refused("bytes", array3("'int32'", "0", "[]", ""), true);
        refused("endian", array3("'int32'", "0", "[{'name':'bytes'}]", ""), true);
        refused("int3", array3("'int3'", "0", LITTLE, ""), true);
        refused("vlen-utf8", array3("'string'", "0", LITTLE, ""), true);
        refused("300", array3("'uint8'", "300", LITTLE, ""), true);
        refused("zigzag", array3("'int32'", "0", LITTLE, "").replace("regular", "zigzag"), true);
        refused("hashed", array3("'int32'", "0", LITTLE, "").replace("default", "hashed"), true);
        refused("fill_value", array3("'int32'", "0", LITTLE, "").replace("'fill_value':0,", ""), true);
        refused(
                "whole number",
                array3(
                        "'int32'",
                        "0",
                        "[{'name':'sharding_indexed','configuration':{'chunk_shape':[3],'codecs':" + LITTLE
                                + ",'index_codecs':" + LITTLE + "}}]",
                        ""),
                true);
    }

    @Test
    void extensionsThatNeedNotBeUnderstoodAreIgnored() throws StoreException {
        String more = ",'hint':{'must_understand':false},'storage_transformers':[{'name':'a','must_understand':false}]";
        assertEquals(
                DataType.INT32,
                version3(array3("'int32'", "0", LITTLE, more)).spec().dataType());
        String codecs = "['transpose_hint','bytes']";
        refused("transpose_hint", array3("'uint8'", "0", codecs, ""), true);
        assertEquals(
                DataType.UINT8,
                version3(array3("'uint8'", "0", "['bytes']", "")).spec().dataType());
    }

    private static String codecs(ArraySpec spec) throws StoreException {
        return Json.compact(V3Metadata.array(spec).get("codecs"));
    }

    @Test
    void levelsAreThoseOfTheTarget() throws StoreException {
        ArraySpec gzip = Specs.cube(DataType.INT32)
                .codecs(List.of(Specs.codec("gzip", "level", -1L)))
                .build();
        assertTrue(codecs(gzip).contains("\"level\":6"), codecs(gzip));
        assertEquals(
                List.of(Specs.codec("gzip", "level", -1L)),
                Construction.storedLayout("x", gzip, ZarrFormat.V2).spec().codecs());
    }

    @Test
    void rawBytesKeepTheNameOfTheirType() throws StoreException {
        String name = "{'name':'raw_bytes','configuration':{'length_bytes':3}}";
        ArraySpec python = version3(array3(name, "'AAEC'", "['bytes']", "")).spec();
        ArraySpec standard =
                version3(array3("'r24'", "[0,1,2]", "['bytes']", "")).spec();
        assertEquals(python.dataType(), standard.dataType());
        assertEquals(python.fillValue(), standard.fillValue());
        assertEquals(
                name.replace('\'', '"'), Json.compact(V3Metadata.array(python).get("data_type")));
        assertEquals("AAEC", V3Metadata.array(python).get("fill_value"));
        assertEquals("r24", V3Metadata.array(standard).get("data_type"));
        assertEquals(List.of(0L, 1L, 2L), V3Metadata.array(standard).get("fill_value"));
        for (ArraySpec spec : List.of(python, standard)) {
            assertEquals(
                    spec, Construction.storedLayout("x", spec, ZarrFormat.V3).spec());
        }
    }

    /** zarr-python 3.1 opens neither {@code r24} nor a group whose consolidated metadata has it. */
    @Test
    void rawBytesOfAnotherFormatHaveTheNameThatZarrPythonOpens() throws StoreException {
        ArraySpec raw = Specs.cube(DataType.opaque(3, ""))
                .fillValue(FillValue.of((byte) 0, (byte) 1, (byte) 2))
                .build();
        Map<String, Object> document = V3Metadata.array(raw);
        assertEquals(
                "{\"name\":\"raw_bytes\",\"configuration\":{\"length_bytes\":3}}",
                Json.compact(document.get("data_type")));
        assertEquals("AAEC", document.get("fill_value"));
        ArraySpec stored = Construction.storedLayout("x", raw, ZarrFormat.V3).spec();
        assertFalse(stored.hints().containsKey(Hints.TYPE));
        assertEquals(raw.fillValue(), stored.fillValue());
    }

    /**
     * zarr-python 3 lists no names for an array without axes, and xarray opens no array of version 2 without a list.
     */
    @Test
    void scalarOfVersion3HasAnEmptyListOfNamesInVersion2() throws StoreException {
        String scalar = array3("'int32'", "0", LITTLE, "").replace("[4]", "[]").replace("[2]", "[]");
        ArraySpec spec = version3(scalar).spec();
        assertEquals(Map.of("_ARRAY_DIMENSIONS", List.of()), V2Metadata.attributes(spec));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'|O'", "'<f2x'", "'|u2'", "'<i3'", "'|S0'", "[['a']]", "'<M8[fortnight]'"})
    void typesOfVersion2AreRefused(String dtype) {
        assertThrows(StoreException.class, () -> version2(array2(dtype, "0", "")));
    }

    /** NumPy gives a field without a name the name f with its number, and refuses two fields of the same name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "[['a','|i1'],['','|V7'],['b','<f8']] ! [['a','|i1'],['','|V7'],['b','<f8']]",
                "[['f0','|i1'],['','|V7'],['f1','<f8']] ! [['f0','|i1'],['padding1','|V7'],['f1','<f8']]",
                "[['','|V7'],['f0','<f8'],['padding0','|i1']]"
                        + " ! [['padding0_','|V7'],['f0','<f8'],['padding0','|i1']]",
                "[['','|V1'],['','|V1'],['f1','|i1'],['f0','|i1']]"
                        + " ! [['padding0','|V1'],['padding1','|V1'],['f1','|i1'],['f0','|i1']]",
                "[['a',[['f1','|i1'],['','|V3']]],['','|V1']] ! [['a',[['f1','|i1'],['padding1','|V3']]],['','|V1']]",
            })
    void paddingOfRecordsGetsAUniqueNameInVersion2(String fields, String printed) throws StoreException {
        Layout layout = version2(array2(fields, "0", ""));
        DataType type = layout.spec().dataType();
        assertEquals(fields.replace('\'', '"'), type.detail());
        assertEquals(printed.replace('\'', '"'), Json.compact(V2Types.toJson(type, ByteOrder.LITTLE_ENDIAN)));
        assertEquals(type, version2(array2(printed, "0", "")).spec().dataType());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[['f0','|i1'],['padding1','|V7'],['b','<f8']]",
                "[['f0','|i1'],['padding1_','|V7'],['f1','<f8']]",
                "[['f0','|i1'],['padding1','<f4'],['f1','<f8']]",
                "[['f0','|i1'],['padding2','|V7'],['f1','<f8']]",
                "[['f0','|i1'],['padding1','|V7',[2]],['f1','<f8']]",
            })
    void fieldsThatAreNotPaddingKeepTheirNames(String fields) throws StoreException {
        DataType type = version2(array2(fields, "0", "")).spec().dataType();
        assertEquals(fields.replace('\'', '"'), type.detail());
        assertEquals(type.detail(), Json.compact(V2Types.toJson(type, ByteOrder.LITTLE_ENDIAN)));
    }

    @Test
    void unknownFeaturesOfVersion2AreRefusedByName() {
        refused(
                "categorize",
                array2("'<i4'", "0", "").replace("null,'filters':null", "null,'filters':[{'id':'categorize'}]"),
                false);
        refused(
                "imagecodecs_blosc2",
                array2("'<i4'", "0", "")
                        .replace("'compressor':null", "'compressor':{'id':'imagecodecs_blosc2','level':1}"),
                false);
        refused(
                "bitround",
                array2("'<i4'", "0", "")
                        .replace("null,'filters':null", "null,'filters':[{'id':'bitround','keepbits':3}]"),
                false);
        refused("order", array2("'<i4'", "0", "").replace("'C'", "'A'"), false);
        refused("two fields called \"a\"", array2("[['a','<i2'],['a','|S2']]", "null", ""), false);
    }

    @Test
    void featuresThatAVersionDoesNotHaveAreRefused() {
        ArraySpec.Builder cube = Specs.cube(DataType.INT32);
        for (ArraySpec spec : new ArraySpec[] {
            cube.shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(3, 4, 10)))
                    .build(),
            cube.shards(null)
                    .codecs(List.of(Specs.codec("bitround", "keepbits", 3L)))
                    .build()
        }) {
            assertThrows(StoreException.class, () -> Construction.storedLayout("x", spec, ZarrFormat.V2));
        }
        assertThrows(
                StoreException.class,
                () -> Construction.storedLayout("x", Specs.cube(Specs.RECORD).build(), ZarrFormat.V3));
    }

    @Test
    void bloscIsCompletedWithItsDefaults() throws StoreException {
        String shuffle = array2("'<i4'", "0", "")
                .replace("'compressor':null", "'compressor':{'id':'blosc','cname':'lz4','clevel':5,'shuffle':-1}");
        assertEquals(
                Specs.codec(
                        "blosc", "cname", "lz4", "clevel", 5L, "shuffle", "shuffle", "typesize", 4L, "blocksize", 0L),
                version2(shuffle).spec().codecs().get(0));
    }

    @Test
    void jsonIsKeptExactly() throws StoreException {
        String text = "{\"a\":1.0,\"b\":1,\"c\":123456789012345678901234567890,\"d\":null,"
                + "\"g\":[],\"h\":{},\"i\":\"\\u00e9\\ud83d\\udd2c\\ud800\\\"\\\\\",\"j\":0.10000000000000000001,"
                + "\"k\":[true,false,[1]],\"l\":-0.0,\"m\":\"NaN\"}";
        Map<String, ?> parsed = JsonParser.object("x", text.getBytes(StandardCharsets.UTF_8));
        assertEquals(text, Json.compact(parsed));
        assertEquals(1.0, parsed.get("a"));
        assertEquals(1L, parsed.get("b"));
        assertEquals(new BigInteger("123456789012345678901234567890"), parsed.get("c"));
        assertEquals(new BigDecimal("0.10000000000000000001"), parsed.get("j"));
        assertEquals("NaN", parsed.get("m"));
        assertEquals(parsed, JsonParser.object("x", Json.document(parsed)));
    }

    /** zarr-python 2 writes tokens that no other parser accepts. */
    @Test
    void numbersThatJsonLacksAreReadAsTokensAndWrittenAsTexts() throws StoreException {
        String text = "{\"a\":NaN,\"b\":[Infinity,1.0],\"c\":{\"d\":-Infinity}}";
        Map<String, ?> parsed = JsonParser.object("x", text.getBytes(StandardCharsets.UTF_8));
        assertEquals(Double.NaN, parsed.get("a"));
        assertEquals(List.of(Double.POSITIVE_INFINITY, 1.0), parsed.get("b"));
        assertEquals("{\"a\":\"NaN\",\"b\":[\"Infinity\",1.0],\"c\":{\"d\":\"-Infinity\"}}", Json.compact(parsed));
        assertEquals("{\"a\":\"NaN\"}", Json.compact(Map.of("a", Float.NaN)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\":1,\"a\":2}",
                "{\"a\":01}",
                "{\"a\":tru}",
                "{\"a\":'b'}",
                "{\"a\":1}x",
                "{\"a\":\"\\x\"}",
                "{a:1}",
                "{\"a\":1,}",
                "{\"a\":\"\t\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":.5}"
            })
    void malformedJsonIsRefused(String text) {
        assertThrows(StoreException.class, () -> JsonParser.object("x", text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void deepJsonIsRefused() {
        String deep = "{\"a\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThrows(StoreException.class, () -> JsonParser.object("x", deep.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void halfFloatsAreExact() {
        for (int bits = 0; bits < 0x10000; bits++) {
            double value = FloatBits.value(bits, 2);
            if (!Double.isNaN(value)) {
                assertEquals(bits, FloatBits.of(value, 2));
            }
        }
        assertEquals(0x7c00, FloatBits.of(65520, 2));
        assertEquals(0x3c00, FloatBits.of(1 + 0x1p-11, 2), "ties go to even");
        assertEquals(0x3c02, FloatBits.of(1 + 3 * 0x1p-11, 2), "ties go to even");
        assertEquals(0x0400, FloatBits.of(0x1.ffep-15, 2), "rounds up into the normal range");
    }

    @Test
    void bigEndianFiltersOfVersion3() throws StoreException {
        ArraySpec spec = version3(array3(
                        "'uint16'",
                        "1",
                        "[{'name':'numcodecs.delta','configuration':{'dtype':'<u2'}},"
                                + "{'name':'bytes','configuration':{'endian':'big'}}]",
                        ""))
                .spec();
        assertEquals(ByteOrder.BIG_ENDIAN, spec.byteOrder());
        assertEquals(">u2", spec.codecs().get(0).options().get("dtype"));
        assertArrayEquals(new byte[] {0, 1}, spec.fillValue().element(2));
        ArraySpec written = Construction.storedLayout("x", spec, ZarrFormat.V3).spec();
        assertEquals(ByteOrder.LITTLE_ENDIAN, written.byteOrder());
        assertEquals("<u2", written.codecs().get(0).options().get("dtype"));
        assertArrayEquals(new byte[] {1, 0}, written.fillValue().element(2));
        assertEquals(
                written, Construction.storedLayout("x", written, ZarrFormat.V3).spec());
    }

    private static List<CodecSpec> codecs3(String type, String before, String after) throws StoreException {
        String codecs = "[" + before + "{'name':'bytes','configuration':{'endian':'little'}}" + after + "]";
        return version3(array3(type, "0", codecs, "")).spec().codecs();
    }

    @ParameterizedTest
    @ValueSource(strings = {"numcodecs.", "", "https://codec.zarrs.dev/bytes_to_bytes/"})
    void codecsOfNumcodecsHaveSeveralNames(String prefix) throws StoreException {
        for (String codec : List.of("fletcher32", "zlib", "lz4", "bz2", "lzma", "crc32", "crc32c", "adler32")) {
            assertEquals(
                    List.of(CodecSpec.of(codec)),
                    codecs3("'int16'", "", ",{'name':'" + prefix + codec + "','configuration':{}}"));
        }
        assertEquals(
                List.of(Specs.codec("bitround", "keepbits", 3L)),
                codecs3("'float32'", "{'name':'" + prefix + "bitround','configuration':{'keepbits':3}},", ""));
    }

    @Test
    void settingsThatAreLeftOutFollowFromTheType() throws StoreException {
        assertEquals(
                List.of(Specs.codec("shuffle", "elementsize", 8L)),
                codecs3("'float64'", "", ",{'name':'numcodecs.shuffle','configuration':{'elementsize':null}}"));
        assertEquals(
                List.of(Specs.codec("quantize", "digits", 2L, "dtype", "<f4")),
                codecs3("'float32'", "{'name':'numcodecs.quantize','configuration':{'digits':2}},", ""));
        assertEquals(
                List.of(
                        Specs.codec("astype", "encode_dtype", "<i2", "decode_dtype", "<f4"),
                        Specs.codec("fixedscaleoffset", "offset", 1L, "scale", 2L, "dtype", "<i2")),
                codecs3(
                        "'float32'",
                        "{'name':'numcodecs.astype','configuration':{'encode_dtype':'<i2'}},"
                                + "{'name':'numcodecs.fixedscaleoffset','configuration':{'offset':1,'scale':2}},",
                        ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "blosc2",
                "zfp",
                "numcodecs.zfpy",
                "numcodecs.pcodec",
                "zarrs.gdeflate",
                "reshape",
                "conditional",
                "n5_default"
            })
    void codecsThatAreNotSupportedAreRefusedByName(String name) {
        String codecs = "[{'name':'bytes','configuration':{'endian':'little'}},{'name':'" + name + "'}]";
        refused("the codec \"" + name + "\", which is not supported", array3("'int16'", "0", codecs, ""), true);
    }

    @Test
    void integersAreRoundedByTheCodecOfTheRegistry() throws StoreException {
        ArraySpec spec = Specs.cube(DataType.INT16)
                .codecs(List.of(Specs.codec("bitround", "keepbits", 3L)))
                .build();
        assertTrue(Json.compact(V3Codecs.toJson(spec)).contains("\"bitround\""));
        ArraySpec floats = spec.toBuilder().dataType(DataType.FLOAT16).build();
        assertTrue(Json.compact(V3Codecs.toJson(floats)).contains("\"numcodecs.bitround\""));
    }
}
