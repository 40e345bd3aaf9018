package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores with foreign files, unfinished arrays, consolidated metadata and corrupt chunks. */
class ZarrStoreTest {
    @TempDir
    Path temporary;

    private Path root;

    private final ArraySpec cube = Specs.cube(DataType.INT32).build();

    @BeforeEach
    void place() {
        root = temporary.resolve("a.zarr");
    }

    private static StoreException refused(String name, Executable call) {
        StoreException e = assertThrows(StoreException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(name), e.getMessage());
        return e;
    }

    @Test
    void nothingIsWrittenBeforeTheFirstNode() throws IOException {
        ChunkStore store = Zarr.create(root);
        store.resolve(cube);
        assertEquals(Optional.empty(), store.node(""));
        assertEquals(List.of(), store.children(""));
        assertFalse(Files.exists(root));
    }

    @Test
    void foreignFilesAreNotTouched() throws IOException {
        Files.createDirectories(root.resolve("x"));
        Files.writeString(root.resolve("x/thesis.tex"), "...");
        ChunkStore store = Zarr.create(root);
        refused("thesis.tex", () -> store.create("x", cube, false));
        refused("thesis.tex", () -> store.create("x", cube, true));
        refused("thesis.tex", () -> store.create("x/y", cube, true));
        refused("thesis.tex", () -> store.writeGroup("x", Map.of()));
        try (Stream<Path> files = Files.walk(root)) {
            assertEquals(3, files.count());
        }
    }

    @Test
    void overwritingKeepsFilesThatAreNotOfTheArray() throws IOException {
        ChunkStore store = Zarr.create(root);
        Elements.write(store, "x", cube, Elements.random(cube, 1));
        Files.writeString(root.resolve("x/README"), "...");
        try (ArrayWriter writer = store.create("x", store.resolve(cube), true)) {
            assertFalse(Files.exists(root.resolve("x/c")));
            assertTrue(Files.exists(root.resolve("x/README")));
            writer.commit();
        }
        assertArrayEquals(new byte[(int) cube.bytes()], Elements.read(store, "x"));
    }

    @Test
    void anUnfinishedArrayIsResumed() throws IOException {
        byte[] elements = Elements.random(cube, 1);
        ZarrStore store = (ZarrStore) Zarr.create(root);
        ArraySpec spec = store.resolve(cube);
        try (ArrayWriter writer = store.create("x", spec, false)) {
            assertThrows(
                    IllegalStateException.class,
                    () -> Elements.write(writer, elements, unit -> {
                        if (unit > 5) {
                            throw new IllegalStateException("killed");
                        }
                        return true;
                    }));
        }
        ZarrStore again = (ZarrStore) Zarr.create(root);
        assertEquals(Optional.empty(), again.node("x"));
        refused(
                "the unfinished array there is another one",
                () -> again.resumable()
                        .orElseThrow()
                        .resume("x", Specs.cube(DataType.INT16).build()));
        refused("unfinished", () -> again.create("x", Specs.cube(DataType.INT16).build(), false));
        refused(
                "no unfinished array is there",
                () -> again.resumable().orElseThrow().resume("y", spec));
        try (ArrayWriter writer = again.resumable().orElseThrow().resume("x", spec)) {
            Elements.write(writer, elements, unit -> unit > 5);
        }
        assertArrayEquals(elements, Elements.read(again, "x"));
        try (Stream<Path> files = Files.walk(root)) {
            assertEquals(
                    List.of(),
                    files.filter(f -> f.toString().contains(".rechunker")).toList());
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void consolidatedMetadataIsKeptUpToDate(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(root, format);
        store.writeGroup("", Map.of("a", 1L));
        store.writeGroup("g", Map.of());
        Elements.write(store, "g/x", cube, Elements.random(cube, 1));
        assertFalse(consolidated(store));
        store.finish(false);
        assertFalse(consolidated(store));
        store.finish(true);
        assertTrue(consolidated(store));
        Path document = root.resolve(format == ZarrFormat.V2 ? ".zmetadata" : "zarr.json");
        assertTrue(Files.readString(document).contains("\"g/x"));

        ChunkStore again = Zarr.open(root);
        try (ArrayWriter writer = again.create("g/x", again.resolve(cube), true)) {
            assertFalse(consolidated(again), "stale");
            writer.commit();
        }
        again.finish(false);
        assertTrue(consolidated(again), "rebuilt, because it existed");
        assertEquals(Map.of("a", 1L), ((GroupNode) again.node("").orElseThrow()).attributes());
    }

    /** Consolidated metadata are not read again for each array, which would take a time that grows with the square. */
    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void consolidatedMetadataOfManyArraysAreParsedOnce(ZarrFormat format) throws IOException {
        int arrays = 300;
        try (ChunkStore store = Zarr.create(root, format)) {
            for (int i = 0; i < arrays; i++) {
                try (ArrayWriter writer = store.create("array" + i, cube, false)) {
                    writer.commit();
                }
            }
            store.writeGroup("", Map.of());
            store.finish(true);
        }
        Path document = root.resolve(format == ZarrFormat.V2 ? ".zmetadata" : "zarr.json");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        try (ChunkStore store = Zarr.open(root)) {
            store.node("array0");
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < arrays; i++) {
                assertTrue(store.node("array" + i).orElseThrow() instanceof ArrayNode);
            }
            long each = (threads.getThreadAllocatedBytes(thread) - before) / arrays;
            assertTrue(each < Files.size(document), "each array takes " + each + " bytes");
        }
    }

    /** {@return a store whose root has consolidated metadata, with an array in a group} */
    private ChunkStore consolidatedStore(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(root, format);
        Elements.write(store, "g/x", cube, Elements.random(cube, 1));
        store.finish(true);
        return store;
    }

    private void assertConsolidated(ZarrFormat format, String... nodes) throws IOException {
        Path document = root.resolve(format == ZarrFormat.V2 ? ".zmetadata" : "zarr.json");
        assertTrue(consolidated(Zarr.open(root)));
        for (String node : nodes) {
            assertTrue(Files.readString(document).contains('"' + node), node);
        }
        try (Stream<Path> files = Files.walk(root)) {
            assertEquals(
                    List.of(),
                    files.filter(f -> f.toString().contains(".rechunker")).toList());
        }
    }

    /** A way in which another store writes an array that a killed run has started. */
    private interface Other {
        ArrayWriter writer(ChunkStore store, ArraySpec spec) throws IOException;
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void anotherStoreRebuildsConsolidatedMetadata(ZarrFormat format) throws IOException {
        ArraySpec spec = consolidatedStore(format).resolve(cube);
        List<Other> others = List.of(
                (store, same) -> store.resumable().orElseThrow().resume("g/y0", same),
                (store, same) -> store.joinable().orElseThrow().join("g/y1", same),
                (store, same) -> store.create("g/y2", same, true));
        for (int i = 0; i < others.size(); i++) {
            ChunkStore killed = Zarr.create(root, format);
            killed.create("g/y" + i, spec, false).close();
            assertFalse(consolidated(killed));

            ChunkStore other = Zarr.create(root, format);
            try (ArrayWriter writer = others.get(i).writer(other, spec)) {
                writer.commit();
            }
            other.finish(false);
            assertConsolidated(format, "g/x", "g/y" + i);
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void theLastOfSimultaneousStoresConsolidatesAllNodes(ZarrFormat format) throws IOException {
        ArraySpec spec = consolidatedStore(format).resolve(cube);
        ChunkStore killed = Zarr.create(root, format);
        ChunkStore first = Zarr.create(root, format);
        ChunkStore second = Zarr.create(root, format);
        killed.create("c", spec, false).close();
        try (ArrayWriter a = first.create("a", spec, false);
                ArrayWriter b = second.create("b", spec, false)) {
            a.commit();
            first.finish(false);
            b.commit();
            second.finish(false);
        }
        ChunkStore third = Zarr.create(root, format);
        third.joinable().orElseThrow().join("c", spec).commit();
        third.finish(false);
        assertConsolidated(format, "g/x", "a", "b", "c");
    }

    /** Also metadata that were not there when the array was begun. */
    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void metadataThatAnotherStoreHasWrittenMeanwhileAreUpdated(ZarrFormat format) throws IOException {
        ChunkStore first = Zarr.create(root, format);
        ChunkStore second = Zarr.create(root, format);
        ArraySpec spec = first.resolve(cube);
        try (ArrayWriter a = first.create("a", spec, false);
                ArrayWriter b = second.create("g/b", spec, false)) {
            a.commit();
            first.finish(true);
            b.commit();
            second.finish(false);
        }
        assertConsolidated(format, "a", "g", "g/b");
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void theNoteOfAGroupDoesNotPreventWriting(ZarrFormat format) throws IOException {
        ArraySpec spec = consolidatedStore(format).resolve(cube);
        ChunkStore below = Zarr.create(root.resolve("h"), format);
        below.writeGroup("", Map.of());
        below.finish(true);
        Zarr.create(root, format).create("y", spec, false).close();
        Zarr.create(root, format).writeGroup("h", Map.of());
        assertTrue(Files.exists(root.resolve(".rechunker-consolidated")));
        assertTrue(Files.exists(root.resolve("h/.rechunker-consolidated")));

        ChunkStore store = Zarr.create(root, format);
        assertEquals(List.of("g", "h"), store.children(""));
        refused(".rechunker-consolidated", () -> store.rules().requireName("g/.rechunker-consolidated"));
        store.requireFree("h", spec, true);
        try (ArrayWriter writer = store.create("h", spec, true)) {
            assertFalse(Files.exists(root.resolve("h/.rechunker-consolidated")), "an array has no note");
            writer.commit();
        }
        store.create("y", spec, false).commit();
        store.finish(false);
        assertConsolidated(format, "g/x", "h", "y");
    }

    private static boolean consolidated(ChunkStore store) throws IOException {
        return ((GroupNode) store.node("").orElseThrow()).consolidated();
    }

    @Test
    void nodesThatAreOnlyInConsolidatedMetadataAreFound() throws IOException {
        ChunkStore store = Zarr.create(root, ZarrFormat.V2);
        byte[] elements = Elements.random(cube, 1);
        Elements.write(store, "x", cube, elements);
        store.finish(true);
        Files.delete(root.resolve("x/.zarray"));
        assertArrayEquals(elements, Elements.read(Zarr.open(root), "x"));
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void pathsThatAreOnlyInConsolidatedMetadataAreNotVacant(ZarrFormat format) throws IOException {
        MemoryKeys keys = new MemoryKeys();
        ChunkStore store = Zarr.create(keys, format);
        Elements.write(store, "g/x", cube, Elements.random(cube, 1));
        store.finish(true);
        keys.deleteTree("g");
        assertFalse(store.isVacant("g"));
        assertFalse(store.isVacant("g/x"));
        assertTrue(store.isVacant("g/y"));
        assertTrue(store.isVacant("h"));
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void anEmptyListOfAxisNamesIsKept(ZarrFormat format) throws IOException {
        ArraySpec scalar = ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.UINT16)
                .attributes(Map.of("title", "kept"))
                .build();
        ArraySpec named =
                scalar.toBuilder().hints(Map.of(ArraySpec.NO_AXES_HINT, "")).build();
        ChunkStore store = Zarr.create(root, format);
        Elements.write(store, "plain", scalar, new byte[2]);
        Elements.write(store, "named", named, new byte[2]);
        String document = format == ZarrFormat.V2 ? ".zattrs" : "zarr.json";
        String member = format == ZarrFormat.V2 ? "_ARRAY_DIMENSIONS" : "dimension_names";
        // xarray opens a scalar of version 3 with or without a list, so a scalar of version 3 always has one here.
        boolean always = format == ZarrFormat.V3;
        assertEquals(
                always,
                Files.readString(root.resolve("plain").resolve(document)).contains(member));
        assertTrue(Files.readString(root.resolve("named").resolve(document)).contains(member));
        for (ZarrFormat other : ZarrFormat.values()) {
            ChunkStore copy = Zarr.create(root.resolve(other.name()), other);
            for (String name : List.of("plain", "named")) {
                ArraySpec spec =
                        ((ChunkStore.ArrayNode) Zarr.open(root).node(name).orElseThrow()).spec();
                assertEquals(always || name.equals("named"), spec.hints().containsKey(ArraySpec.NO_AXES_HINT));
                assertEquals(Map.of("title", "kept"), spec.attributes());
                ArraySpec resolved = copy.resolve(copy.rules().adopt(spec));
                assertEquals(
                        always || name.equals("named") || other == ZarrFormat.V3,
                        resolved.hints().containsKey(ArraySpec.NO_AXES_HINT));
            }
        }
    }

    @Test
    void aRootThatIsOnlyInConsolidatedMetadataIsAGroup() throws IOException {
        ChunkStore store = Zarr.create(root, ZarrFormat.V2);
        byte[] elements = Elements.random(cube, 1);
        Elements.write(store, "x", cube, elements);
        store.writeGroup("", Map.of("title", "kept"));
        store.finish(true);
        for (String document : List.of(".zgroup", ".zattrs", "x/.zarray")) {
            Files.delete(root.resolve(document));
        }
        ChunkStore reopened = Zarr.open(root);
        assertEquals(
                "kept",
                ((GroupNode) reopened.node("").orElseThrow()).attributes().get("title"));
        assertEquals(List.of("x"), reopened.children(""));
        assertArrayEquals(elements, Elements.read(reopened, "x"));
    }

    @Test
    void directoriesThatContainNodesAreGroups() throws IOException {
        Elements.write(Zarr.create(root.resolve("p/q")), "", cube, Elements.random(cube, 1));
        ChunkStore store = Zarr.open(root);
        assertTrue(store.node("").orElseThrow() instanceof GroupNode);
        assertTrue(store.node("p").orElseThrow() instanceof GroupNode);
        assertEquals(List.of("p"), store.children(""));
        assertEquals(List.of("q"), store.children("p"));
        assertEquals(List.of(), store.children("p/q"));
        assertEquals(Optional.empty(), store.node("p/q/c"));
    }

    /** Exchanging two entries of the index would exchange two chunks, if its checksum was not compared. */
    @ParameterizedTest
    @ValueSource(strings = {"start,little,crc32c", "end,little,crc32c"})
    void exchangedEntriesOfAnIndexAreFound(String index) throws IOException {
        ArraySpec sharded = ArraySpec.builder(ChunkGrid.regular(Shape.of(8), Shape.of(4)), DataType.UINT16)
                .shards(ChunkGrid.regular(Shape.of(8), Shape.of(8)))
                .hints(Map.of("zarr.format", "3", "zarr.shard.index", index))
                .build();
        ChunkStore store = Zarr.create(root);
        byte[] elements = Elements.random(sharded, 1);
        Elements.write(store, "x", sharded, elements);
        assertArrayEquals(elements, Elements.read(store, "x"));
        Path shard = root.resolve("x/c/0");
        byte[] bytes = Files.readAllBytes(shard);
        int entry = 16;
        int first = index.startsWith("start") ? 0 : bytes.length - 4 - 2 * entry;
        for (int i = first; i < first + entry; i++) {
            byte other = bytes[i + entry];
            bytes[i + entry] = bytes[i];
            bytes[i] = other;
        }
        Files.write(shard, bytes);
        refused("its index has the checksum", () -> Elements.read(Zarr.open(root), "x"));
    }

    @Test
    void corruptShardsAreRefusedByName() throws IOException {
        ChunkStore store = Zarr.create(root);
        ArraySpec sharded = Specs.cube(DataType.UINT16)
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(9, 12, 10)))
                .codecs(List.of(Specs.codec("zstd", "level", 1L)))
                .build();
        Elements.write(store, "x", sharded, Elements.random(sharded, 1));
        Path shard = root.resolve("x/c/0/0/0");
        byte[] whole = Files.readAllBytes(shard);

        Files.write(shard, Arrays.copyOf(whole, whole.length - 10));
        refused("x/c/0/0/0", () -> Elements.read(store, "x"));
        Files.write(shard, new byte[7]);
        refused("too short", () -> Elements.read(store, "x"));
        byte[] wrong = whole.clone();
        wrong[whole.length - 20] ^= 1;
        Files.write(shard, wrong);
        refused("checksum", () -> Elements.read(store, "x"));
    }

    @Test
    void anIndexThatPointsOutsideOfTheShardIsRefused() throws IOException {
        ChunkStore store = Zarr.create(root);
        ArraySpec sharded = Specs.cube(DataType.UINT16)
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(9, 12, 10)))
                .hints(Map.of(Hints.INDEX, "start,big"))
                .build();
        Elements.write(store, "x", sharded, Elements.random(sharded, 1));
        Path shard = root.resolve("x/c/0/0/0");
        byte[] bytes = Files.readAllBytes(shard);
        int last = 17 * ShardIndex.ENTRY;
        bytes[last] = 0x7f;
        Files.write(shard, bytes);
        refused("its index places a chunk", () -> Elements.read(store, "x"));
    }

    @Test
    void truncatedAndOversizedChunksAreRefused() throws IOException {
        ChunkStore store = Zarr.create(root);
        Elements.write(store, "raw", cube, Elements.random(cube, 1));
        ArraySpec packed =
                Specs.cube(DataType.INT32).codecs(List.of(Specs.codec("gzip"))).build();
        Elements.write(store, "gzip", packed, Elements.random(packed, 1));
        Files.write(root.resolve("raw/c/0/0/1"), new byte[239]);
        refused("239 bytes, but a chunk takes 240", () -> Elements.read(store, "raw"));
        Files.write(root.resolve("gzip/c/0/0/1"), new byte[100_000]);
        refused("100000 bytes", () -> Elements.read(store, "gzip"));
        Files.write(root.resolve("gzip/c/0/0/1"), new byte[10]);
        refused("gzip/c/0/0/1", () -> Elements.read(store, "gzip"));
        Files.write(root.resolve("gzip/c/0/0/1"), new byte[0]);
        refused("gzip, chunk gzip/c/0/0/1: it has 0 bytes, but a chunk takes 240", () -> Elements.read(store, "gzip"));
    }

    /**
     * Units that are copied without decoding are refused if their size is impossible, which most truncated ones have.
     */
    @Test
    void unitsOfImpossibleSizeAreNotCopiedEncoded() throws Exception {
        ChunkStore store = Zarr.create(root);
        ArraySpec packed =
                Specs.cube(DataType.INT32).codecs(List.of(Specs.codec("gzip"))).build();
        ArraySpec sharded = Specs.cube(DataType.INT32)
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 10)))
                .build();
        Elements.write(store, "raw", cube, Elements.random(cube, 1));
        Elements.write(store, "packed", packed, Elements.random(packed, 1));
        Elements.write(store, "sharded", sharded, Elements.random(sharded, 1));
        Map<String, String> refused = Map.of(
                "raw 239", "it has 239 bytes, but a chunk takes 240",
                "raw 241", "it has 241 bytes, but a chunk takes 240",
                "raw 0", "it has 0 bytes, but a chunk takes 240",
                "packed 0", "it has 0 bytes, but a chunk takes 240",
                "packed 100000", "it has 100000 bytes, but a chunk of 240 bytes takes at most",
                "sharded 131", "a shard of 131 bytes is too short for its index of 132");
        for (Map.Entry<String, String> one : refused.entrySet()) {
            String[] path = one.getKey().split(" ", -1);
            Files.write(root.resolve(path[0] + "/c/0/0/0"), new byte[Integer.parseInt(path[1])]);
            ChunkStore target = Zarr.create(temporary.resolve(one.getKey()));
            Plan plan = Rechunker.from(store.at(path[0]))
                    .to(target)
                    .chunks("keep")
                    .maxMem("16MB")
                    .plan();
            assertTrue(plan.explain().toString().contains("CopyEncoded"), plan.explain()::toString);
            TaskFailedException e = assertThrows(TaskFailedException.class, plan::execute);
            assertTrue(String.valueOf(e.getMessage()).contains("c/0/0/0: " + one.getValue()), e::getMessage);
            assertEquals(Optional.empty(), target.node(""));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void zipFilesAreRead(boolean stored) throws IOException {
        ChunkStore store = Zarr.create(root);
        ArraySpec sharded = Specs.cube(DataType.UINT16)
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 10)))
                .codecs(List.of(Specs.codec("zstd", "level", 1L)))
                .build();
        byte[] elements = Elements.random(sharded, 1);
        Elements.write(store, "s", sharded, elements);
        Elements.write(store, "r", cube, Elements.random(cube, 2));
        Path zip = temporary.resolve("a.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                ZipEntry entry = new ZipEntry(root.relativize(file).toString());
                if (stored) {
                    CRC32 crc = new CRC32();
                    crc.update(bytes);
                    entry.setMethod(ZipEntry.STORED);
                    entry.setSize(bytes.length);
                    entry.setCrc(crc.getValue());
                }
                out.putNextEntry(entry);
                out.write(bytes);
            }
        }
        try (ChunkStore opened = Zarr.open(zip)) {
            assertArrayEquals(elements, Elements.read(opened, "s"));
            assertArrayEquals(Elements.random(cube, 2), Elements.read(opened, "r"));
            assertEquals(List.of("r", "s"), opened.children(""));
            assertThrows(UnsupportedOperationException.class, () -> opened.create("x", cube, false));
            assertThrows(UnsupportedOperationException.class, () -> opened.writeGroup("x", Map.of()));
        }
    }

    @Test
    void versionsDoNotMixInOneGroup() throws IOException {
        Zarr.create(root, ZarrFormat.V2).writeGroup("", Map.of());
        refused("Zarr 2", () -> Zarr.create(root, ZarrFormat.V3).writeGroup("", Map.of()));
        Zarr.open(root).writeGroup("", Map.of("a", 1L));
        assertTrue(Files.exists(root.resolve(".zattrs")));
        Zarr.open(root).writeGroup("", Map.of());
        assertFalse(Files.exists(root.resolve(".zattrs")));
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void foreignFilesAreListedAsOmissions(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(root, format);
        store.writeGroup("", Map.of("title", "sea"));
        store.writeGroup("OME", Map.of("series", List.of("0")));
        Elements.write(store, "0", Specs.cube(DataType.UINT8).build(), new byte[7 * 9 * 10]);
        store.finish(true);
        for (String node : List.of("", "OME", "0")) {
            assertEquals(List.of(), store.omissions(node), node);
        }
        Files.writeString(root.resolve("OME/METADATA.ome.xml"), "<OME/>");
        Files.writeString(root.resolve("OME/.DS_Store"), "");
        Files.writeString(root.resolve("0/notes.txt"), "");
        assertEquals(
                List.of("the file \"METADATA.ome.xml\" is not an array or group and is left out"),
                store.omissions("OME"));
        assertEquals(List.of(), store.omissions(""));
        assertEquals(List.of(), store.omissions("0"), "files next to chunks are not listed");
        for (int i = 0; i < 12; i++) {
            Files.writeString(root.resolve("image%02d.tif".formatted(i)), "");
        }
        List<String> many = store.omissions("");
        assertEquals(10, many.size());
        assertEquals("the file \"image00.tif\" is not an array or group and is left out", many.get(0));
        assertEquals(
                "3 more files, \"image09.tif\" and others, are not arrays or groups and are left out", many.get(9));
    }
}
