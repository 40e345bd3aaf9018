package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies references, in files of make_references.py and make_regions.py. */
class ReferencesTest {
    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void copyFile() throws Exception {
        file = Fixtures.resource("hdf5/references.h5", directory);
    }

    private static Plan plan(ChunkStore source, String group, ChunkStore target) throws Exception {
        return Rechunker.from(source.at(group))
                .to(target)
                .chunks("keep")
                .maxMem("8MB")
                .verify()
                .plan();
    }

    private static List<String> texts(MemoryStore memory, String path) throws IOException {
        DataType type = ((ArrayNode) memory.node(path).orElseThrow()).spec().dataType();
        ByteBuffer all = ByteBuffer.wrap(memory.elements(path)).order(ByteOrder.LITTLE_ENDIAN);
        List<String> texts = new ArrayList<>();
        for (int at = 0; at < all.limit(); at += type.itemSize()) {
            ByteBuffer text = all.slice(at + DataType.LENGTH_SIZE, all.getInt(at));
            texts.add(StandardCharsets.UTF_8.decode(text).toString());
        }
        return texts;
    }

    @Test
    void referencesArePathsInTheStore() throws Exception {
        MemoryStore memory = new MemoryStore();
        try (ChunkStore source = Hdf5.open(file)) {
            plan(source, "", memory).execute();
        }
        List<String> fromGroup = List.of("a", "deep/b", ".", "..", "../#refs#/c", "z");
        assertEquals(fromGroup, texts(memory, "g/contiguous").subList(6, 12));
        List<String> chunked = texts(memory, "chunked");
        assertEquals(List.of("chunked", "g/deep/b", "g", ".", "#refs#/c", "g/z"), chunked.subList(0, 6));
        assertEquals(List.of(""), chunked.stream().skip(12).distinct().toList());
        assertEquals(List.of("."), texts(memory, "g/single"));
        assertEquals(List.of("", "g"), texts(memory, "dangling"));
        Map<String, ?> ofGroup = ((GroupNode) memory.node("g").orElseThrow()).attributes();
        assertEquals(List.of("..", ".", "a", ""), ofGroup.get("many"));
    }

    @Test
    void whatLeadsNowhereIsListed() throws Exception {
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore target = Hdf5.create(directory.resolve("x.h5"))) {
            List<String> losses = plan(source, "", target).losses().stream()
                    .filter(loss -> loss.kind() == Loss.Kind.METADATA)
                    .map(Loss::sentence)
                    .toList();
            assertEquals(2, losses.size(), losses::toString);
            assertTrue(losses.get(0).contains("#dangling: references to something that has no path"), losses.get(0));
            assertTrue(losses.get(1).contains("#g/deep/b: the attribute \"lost\" has a reference"), losses.get(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"regions.h5", "regions_new.h5"})
    void referencesToRegionsAreSelectionsAndPaths(String name) throws Exception {
        MemoryStore memory = new MemoryStore();
        try (ChunkStore source = Hdf5.open(Fixtures.resource("hdf5/" + name, directory))) {
            plan(source, "", memory).execute();
        }
        List<String> line = new ArrayList<>(List.of(
                "[2:5,0:10] of deep/b",
                "[0:7:2,3:4] of deep/b",
                "[...] of a",
                "[1:3] of a",
                "(0,1)(3,0)(3,5)(7,9) of deep/b",
                "[0:2,1:4][5:8,0:2] of deep/b",
                "[0:8:3/2,1:9:5/3] of deep/b",
                "[] of a",
                "[...] of ../scalar",
                "",
                name.equals("regions.h5") ? "" : "[4:200003:2] of ../wide"));
        assertEquals(line, texts(memory, "g/line"));
        List<String> chunked = texts(memory, "chunked");
        assertEquals(
                line.stream()
                        .map(text -> text.replace("of ", "of g/").replace("g/../", ""))
                        .toList(),
                chunked.subList(0, 11));
        assertEquals(List.of(""), chunked.stream().skip(11).distinct().toList());
        assertEquals(List.of("", "[1:3] of g/a"), texts(memory, "dangling"));
        assertEquals(List.of("[2:5,0:10] of deep/b"), texts(memory, "g/single"));
        Map<String, ?> ofGroup = ((GroupNode) memory.node("g").orElseThrow()).attributes();
        assertEquals(List.of("[1:3] of a", "", "[0:7:2,3:4] of deep/b"), ofGroup.get("many"));
    }

    /** In more than one piece of a contiguous dataset, and in chunks of an odd number of bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"hdf5", "hdf5-contiguous"})
    void manyReferencesToRegionsAreCopied(String format) throws Exception {
        int count = 12_001;
        DataType type = DataType.text().upTo(20);
        ByteBuffer elements = ByteBuffer.allocate(count * type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            byte[] text = ("[" + i + ":" + (i + 2) + "] of x").getBytes(StandardCharsets.UTF_8);
            elements.putInt(text.length).put(text).position((i + 1) * type.itemSize());
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(count), Shape.of(12_001)), type)
                .hints(Map.of("type.reference", "region"))
                .build();
        MemoryStore memory = new MemoryStore();
        memory.put("r", spec, elements.array());
        ArraySpec bytes = ArraySpec.builder(ChunkGrid.regular(Shape.of(5), Shape.of(5)), DataType.UINT8)
                .build();
        memory.put("x", bytes, new byte[5]);
        Path copy = directory.resolve("many.h5");
        MemoryStore back = new MemoryStore();
        try (ChunkStore target = Hdf5.create(copy)) {
            Rechunker.from(memory)
                    .to(target)
                    .chunks("keep")
                    .maxMem("20MB")
                    .format(format)
                    .verify()
                    .execute();
        }
        try (ChunkStore source = Hdf5.open(copy)) {
            plan(source, "", back).execute();
        }
        assertTrue(texts(memory, "r").equals(texts(back, "r")));
    }

    /** Copies a file, its group {@code g}, and a copy of it in Zarr. */
    private Copies copies(Path original) throws Exception {
        Copies copies =
                new Copies(directory.resolve("whole.h5"), directory.resolve("group.h5"), directory.resolve("back.h5"));
        Path zarr = directory.resolve("x.zarr");
        try (ChunkStore source = Hdf5.open(original);
                ChunkStore first = Hdf5.create(copies.whole);
                ChunkStore second = Hdf5.create(copies.group);
                ChunkStore third = Zarr.create(zarr)) {
            plan(source, "", first).execute();
            plan(source, "g", second).execute();
            plan(source, "", third).execute();
        }
        try (ChunkStore source = Zarr.open(zarr);
                ChunkStore target = Hdf5.create(copies.back)) {
            plan(source, "", target).execute();
        }
        return copies;
    }

    private record Copies(Path whole, Path group, Path back) {}

    @ParameterizedTest
    @ValueSource(strings = {"regions.h5", "regions_new.h5"})
    @ReferenceTest
    void h5pyFindsTheRegionsOfCopies(String name) throws Exception {
        Path original = Fixtures.resource("hdf5/" + name, directory);
        Copies copies = copies(original);
        String[] arguments = {original.toString(), copies.whole.toString(), copies.back.toString(), copies.group + ":g"
        };
        if (name.equals("regions.h5")) {
            ReferencePrograms.python(directory, "hdf5/regions.py", arguments);
        } else {
            ReferencePrograms.xarray(directory, "hdf5/regions.py", arguments);
        }
    }

    @Test
    @ReferenceTest
    void h5pyFollowsReferencesOfCopies() throws Exception {
        Copies copies = copies(file);
        String original = file.toString();
        ReferencePrograms.python(directory, "hdf5/references.py", original, copies.whole.toString());
        ReferencePrograms.xarray(directory, "hdf5/references.py", original, copies.back.toString());
        ReferencePrograms.python(directory, "hdf5/references.py", original, copies.group.toString(), "g");
    }
}
