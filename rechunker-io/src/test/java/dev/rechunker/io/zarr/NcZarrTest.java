package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Types of attributes, dimensions and names are read from stores of netCDF-C. */
class NcZarrTest {
    private final MemoryKeys keys = new MemoryKeys();

    private void put(String key, String document) throws IOException {
        keys.put(key, ByteBuffer.wrap(document.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private static String types(ArraySpec spec) {
        return new TreeMap<>(spec.attributeTypes()).toString();
    }

    private ArraySpec array(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    /** As netCDF-C 4.9.0 writes it. */
    @Test
    void membersInCapitals() throws IOException {
        put(
                ".zgroup",
                "{'zarr_format':2,'_NCZARR_SUPERBLOCK':{'version':'2.0.0'},"
                        + "'_NCZARR_GROUP':{'dims':{'time':2,'lonely':7},'vars':['t'],'groups':['g']}}");
        put(".zattrs", "{'title':'hello','version':3,'_NCZARR_ATTR':{'types':{'title':'<U1','version':'<i2'}}}");
        put(
                "t/.zarray",
                "{'zarr_format':2,'shape':[2],'dtype':'<i2','chunks':[2],'fill_value':null,'order':'C',"
                        + "'compressor':null,'filters':null,"
                        + "'_NCZARR_ARRAY':{'dimrefs':['/time'],'storage':'chunked'}}");
        put(
                "t/.zattrs",
                "{'_FillValue':-999,'scale_factor':0.5,'flags':[1,2],'units':'K','_NCZARR_ATTR':{'types':"
                        + "{'_FillValue':'<i2','scale_factor':'<f4','flags':'|u1','units':'<U1'}}}");
        ChunkStore store = Zarr.open(keys);
        GroupSpec root = ((GroupNode) store.node("").orElseThrow()).spec();
        assertEquals(List.of(new Dimension("time", 2, false), new Dimension("lonely", 7, false)), root.dimensions());
        assertEquals(Map.of("title", "hello", "version", 3L), root.attributes());
        assertEquals("{title=char, version=int16[1]}", new TreeMap<>(root.attributeTypes()).toString());
        ArraySpec t = array(store, "t");
        assertEquals(List.of("time"), t.dimensionNames());
        assertEquals(FillValue.of((byte) 0x19, (byte) 0xfc), t.missingValue());
        assertEquals(Map.of("scale_factor", 0.5, "flags", List.of(1L, 2L), "units", "K"), t.attributes());
        assertEquals("{flags=uint8[2], scale_factor=float32[1], units=char}", types(t));
        assertEquals(List.of(), store.omissions("t"));
        assertEquals(List.of(), store.omissions(""));
    }

    /** As netCDF-C 4.10.1 writes it. */
    @Test
    void attributesInSmallLetters() throws IOException {
        put(".zgroup", "{'zarr_format':2}");
        put(
                ".zattrs",
                "{'_nczarr_group':{'dimensions':{'time':{'size':1,'unlimited':1},'x':3},'arrays':['t'],'groups':[]},"
                        + "'_nczarr_superblock':{'version':'2.0.0'},"
                        + "'_nczarr_attr':{'types':{'_nczarr_group':'|J0','_nczarr_superblock':'|J0'}}}");
        put(
                "t/.zarray",
                "{'zarr_format':2,'shape':[1,3],'dtype':'<f4','chunks':[1,3],'fill_value':-999,'order':'C',"
                        + "'compressor':null,'filters':null}");
        put(
                "t/.zattrs",
                "{'_FillValue':-999,'foo':2,'_ARRAY_DIMENSIONS':['time','x'],"
                        + "'_nczarr_array':{'dimension_references':['/time','/x'],'storage':'chunked'},"
                        + "'_nczarr_attr':{'types':{'_FillValue':'<f4','foo':'<f4','_nczarr_array':'|J0'}}}");
        ChunkStore store = Zarr.open(keys);
        GroupSpec root = ((GroupNode) store.node("").orElseThrow()).spec();
        assertEquals(List.of(new Dimension("time", 1, true), new Dimension("x", 3, false)), root.dimensions());
        assertEquals(Map.of(), root.attributes());
        ArraySpec t = array(store, "t");
        assertEquals(List.of("time", "x"), t.dimensionNames());
        assertEquals(Map.of("foo", 2L), t.attributes());
        assertEquals("{foo=float32[1]}", types(t));
    }

    @Test
    void otherMembersAreListed() throws IOException {
        put("zarr.json", "{'zarr_format':3,'node_type':'group','attributes':{},'ours':{'must_understand':false}}");
        put(
                "a/zarr.json",
                "{'zarr_format':3,'node_type':'array','shape':[2],'data_type':'uint8','chunk_grid':{'name':'regular',"
                        + "'configuration':{'chunk_shape':[2]}},'chunk_key_encoding':{'name':'default'},'fill_value':0,"
                        + "'codecs':['bytes'],'hint':{'must_understand':false}}");
        put(
                "b/.zarray",
                "{'zarr_format':2,'shape':[2],'dtype':'|u1','chunks':[2],'fill_value':0,'order':'C',"
                        + "'compressor':null,'filters':null,'extra':1}");
        ChunkStore store = Zarr.open(keys);
        assertEquals(List.of("the member \"ours\" of zarr.json is not kept"), store.omissions(""));
        assertEquals(List.of("the member \"hint\" of zarr.json is not kept"), store.omissions("a"));
        assertEquals(List.of("the member \"extra\" of .zarray is not kept"), store.omissions("b"));
    }
}
