package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
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

/** Copies references to objects, in references.h5 of make_references.py. */
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
            StoreException regions = assertThrows(StoreException.class, () -> source.node("regions"));
            assertTrue(regions.toString().contains("references to regions"), regions.toString());
        }
    }

    @Test
    @ReferenceTest
    void h5pyFollowsReferencesOfCopies() throws Exception {
        Path whole = directory.resolve("whole.h5");
        Path group = directory.resolve("group.h5");
        Path zarr = directory.resolve("x.zarr");
        Path back = directory.resolve("back.h5");
        try (ChunkStore source = Hdf5.open(file);
                ChunkStore first = Hdf5.create(whole);
                ChunkStore second = Hdf5.create(group);
                ChunkStore third = Zarr.create(zarr)) {
            plan(source, "", first).execute();
            plan(source, "g", second).execute();
            plan(source, "", third).execute();
        }
        try (ChunkStore source = Zarr.open(zarr);
                ChunkStore target = Hdf5.create(back)) {
            plan(source, "", target).execute();
        }
        ReferencePrograms.python(directory, "hdf5/references.py", file.toString(), whole.toString());
        ReferencePrograms.xarray(directory, "hdf5/references.py", file.toString(), back.toString());
        ReferencePrograms.python(directory, "hdf5/references.py", file.toString(), group.toString(), "g");
    }
}
