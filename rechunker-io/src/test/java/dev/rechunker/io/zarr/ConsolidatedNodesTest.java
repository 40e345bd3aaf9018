package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.zarr.Hierarchy.FoundArray;
import dev.rechunker.io.zarr.Hierarchy.FoundGroup;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConsolidatedNodesTest {
    private static final String ARRAY_2 = """
            {"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i4", "compressor": null,
             "filters": null, "fill_value": 0, "order": "C"}""";
    private static final String GROUP_3 = """
            {"zarr_format": 3, "node_type": "group", "attributes": {"who": "group"}}""";

    /** Metadata whose keys can be asked for one by one without limit, and all together once. */
    private static final class Metadata extends TreeMap<String, Object> {
        private static final long serialVersionUID = 1L;

        transient int listed;

        @Override
        public Set<String> keySet() {
            listed++;
            return super.keySet();
        }
    }

    private static ConsolidatedNodes nodes(ZarrFormat format, Metadata metadata) {
        Document all = new Document("store metadata", metadata);
        return new ConsolidatedNodes(format, new Document("store", Map.of()), all);
    }

    private static Map<String, Object> json(String text) throws StoreException {
        return JsonParser.object("text", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void nodesOfVersion2AreTheirDocuments() throws StoreException {
        Metadata metadata = new Metadata();
        metadata.put(".zgroup", json("{\"zarr_format\": 2}"));
        metadata.put("g/.zgroup", json("{\"zarr_format\": 2}"));
        metadata.put("g/.zattrs", json("{\"who\": \"g\"}"));
        metadata.put("g/b/.zarray", json(ARRAY_2));
        metadata.put("g/a/.zarray", json(ARRAY_2));
        metadata.put("g/a/.zattrs", json("{\"who\": \"a\"}"));
        ConsolidatedNodes nodes = nodes(ZarrFormat.V2, metadata);
        assertEquals(List.of("g"), nodes.names(""));
        assertEquals(List.of("a", "b"), nodes.names("g"));
        assertEquals(List.of(), nodes.names("g/a"));
        assertEquals(List.of(), nodes.names("nowhere"));
        FoundArray a = (FoundArray) nodes.node("g/a").orElseThrow();
        assertEquals(Map.of("who", "a"), a.layout().spec().attributes());
        assertEquals(Map.of("who", "g"), ((FoundGroup) nodes.node("g").orElseThrow()).attributes());
        assertFalse(nodes.node("a").isPresent());
        metadata.put("g/a/.zarray", "damaged");
        assertThrows(StoreException.class, () -> nodes.node("g/a"));
    }

    @Test
    void groupsWithoutADocumentAreOnTheWayToTheirNodes() throws StoreException {
        Metadata metadata = new Metadata();
        metadata.put("", json(GROUP_3));
        metadata.put("a/b/c", json(GROUP_3));
        metadata.put("a/d", json(GROUP_3));
        ConsolidatedNodes nodes = nodes(ZarrFormat.V3, metadata);
        assertEquals(List.of("a"), nodes.names(""));
        assertEquals(List.of("b", "d"), nodes.names("a"));
        assertEquals(List.of("c"), nodes.names("a/b"));
        assertTrue(nodes.node("a/b/c").orElseThrow() instanceof FoundGroup);
        assertFalse(nodes.node("a/b").isPresent());
    }

    /** The time would grow with the square of the number of nodes. */
    @Test
    void nodesAreFoundWithoutASearchThroughAllOfThem() throws StoreException {
        Metadata metadata = new Metadata();
        for (int i = 0; i < 100; i++) {
            metadata.put("g" + i, json(GROUP_3));
            metadata.put("g" + i + "/x", json(GROUP_3));
        }
        ConsolidatedNodes nodes = nodes(ZarrFormat.V3, metadata);
        for (int i = 0; i < 100; i++) {
            assertEquals(List.of("x"), nodes.names("g" + i));
            assertTrue(nodes.node("g" + i).isPresent());
        }
        assertEquals(1, metadata.listed);
    }
}
