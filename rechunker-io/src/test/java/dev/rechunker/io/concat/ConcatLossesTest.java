package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties of sources that the joined node lacks are listed. */
class ConcatLossesTest {
    private static final String REFERENCE = "the attribute \"ref\" is a reference, and is left out";
    private static final String LINK = "a link without a name, is left out";

    /** A source whose format reports omissions for some nodes. */
    private static final class WithOmissions extends ForwardingStore {
        private final Map<String, List<String>> omissions;

        WithOmissions(ChunkStore delegate, Map<String, List<String>> omissions) {
            super(delegate);
            this.omissions = omissions;
        }

        @Override
        public List<String> omissions(String path) {
            return omissions.getOrDefault(path, List.of());
        }
    }

    private static ArraySpec spec(String axis, Map<String, ? extends @Nullable Object> attributes) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(3)), DataType.INT16)
                .dimensionNames(List.of(axis))
                .attributes(attributes)
                .build();
    }

    /** {@return a source with a variable along time, and x, which is not joined} */
    private static MemoryStore file(
            String name, Map<String, ? extends @Nullable Object> ofGroup, Map<String, ? extends @Nullable Object> ofV)
            throws IOException {
        MemoryStore store = MemoryStore.builder().name(name).build();
        store.writeGroup("", ofGroup);
        store.writeGroup("in", Map.of());
        Data.of(spec("time", ofV)).write(store, "in/v");
        Data.of(spec("x", Map.of())).write(store, "x");
        return store;
    }

    private static ChunkStore told(String name, Map<String, List<String>> omissions) throws IOException {
        return new WithOmissions(file(name, Map.of(), Map.of()), omissions);
    }

    private static List<Source> sources(ChunkStore... stores) {
        return Arrays.stream(stores).map(store -> Source.of(store.at(""))).toList();
    }

    private static Rechunker.Job job(ChunkStore source) {
        return Rechunker.from(source).to(new MemoryStore()).chunks("keep").maxMem("1MB");
    }

    /** {@return the losses of a copy, which a strict copy refuses} */
    private static List<String> losses(ChunkStore source) throws IOException {
        List<String> losses = Loss.sentences(job(source).plan().losses());
        if (losses.isEmpty()) {
            job(source).strict().plan();
        } else {
            StoreException refused = assertThrows(
                    StoreException.class, () -> job(source).strict().plan());
            losses.forEach(
                    loss -> assertTrue(String.valueOf(refused.getMessage()).contains(loss), loss));
        }
        return losses;
    }

    @Test
    void omissionsOfSourcesAreListedOnce() throws IOException {
        ChunkStore joined = Concat.along(
                "time",
                sources(
                        told("a", Map.of()),
                        told("b", Map.of("in/v", List.of(REFERENCE))),
                        told("c", Map.of("in/v", List.of("it is short", REFERENCE, REFERENCE), "in", List.of(LINK))),
                        told("d", Map.of("in/v", List.of(REFERENCE), "", List.of(LINK)))));
        assertEquals(
                List.of(
                        "a and 3 more: in d, " + LINK,
                        "a and 3 more#in: in c#in, " + LINK,
                        "a and 3 more#in/v: in b#in/v and 2 more, " + REFERENCE,
                        "a and 3 more#in/v: in c#in/v, it is short"),
                losses(joined));
        assertEquals(List.of("in d, " + LINK), joined.omissions(""));
        assertEquals(List.of(), joined.omissions("x"));
        assertEquals(List.of(), joined.omissions("not/there"));
    }

    /** An array that is not joined is that of the first source, so omissions of the other sources do not matter. */
    @Test
    void onlyTheFirstSourceCountsForArraysThatAreNotJoined() throws IOException {
        ChunkStore with = told("with", Map.of("x", List.of(REFERENCE)));
        ChunkStore without = told("without", Map.of());
        assertEquals(
                List.of("with and 1 more#x: in with#x, " + REFERENCE),
                losses(Concat.along("time", sources(with, without))));
        assertEquals(List.of(), losses(Concat.along("time", sources(without, with))));
    }

    @Test
    void nodesBelowASourceAreNamedByTheirPathInIt() throws IOException {
        ChunkStore first = told("a", Map.of("in/v", List.of(REFERENCE)));
        List<String> ofGroup = losses(Concat.along("time", first.at("in"), first.at("in")));
        assertEquals(List.of("a#in and 1 more#v: in a#in/v and 1 more, " + REFERENCE), ofGroup);
        ChunkStore ofArray = Concat.stack("run", first.at("in/v"));
        assertEquals(List.of("a#in/v: in a#in/v, " + REFERENCE), losses(ofArray));
        assertEquals(
                List.of("in a#in/v, in a#in/v, " + REFERENCE),
                Concat.along("time", ofArray.at("")).omissions(""));
    }

    /** Messages that contain numbers may differ for each of very many sources. */
    @Test
    void tooManyOmissionsAreCounted() throws IOException {
        List<ChunkStore> stores = new ArrayList<>();
        for (int i = 0; i < 110; i++) {
            stores.add(told("s" + i, Map.of("in/v", List.of("it has " + i + " elements"))));
        }
        stores.add(told("last", Map.of("in/v", List.of("it has 5 elements"))));
        List<String> omissions =
                Concat.along("time", sources(stores.toArray(ChunkStore[]::new))).omissions("in/v");
        assertEquals(101, omissions.size());
        assertEquals("in s5#in/v and 1 more, it has 5 elements", omissions.get(5));
        assertEquals("in s99#in/v, it has 99 elements", omissions.get(99));
        assertEquals("10 similar omissions are not listed, the first of them in s100#in/v", omissions.get(100));
    }

    @Test
    void attributesThatDifferAreListed() throws IOException {
        List<Source> sources = sources(
                file("a", Map.of("title", "A"), Map.of("units", "m", "history", 1)),
                file("b", Map.of("title", "A"), Map.of("units", "m", "history", 1L)),
                file("c", Map.of("title", "B"), Map.of("units", "m", "history", "1")),
                file("d", Map.of("title", "C", "owner", "me"), Map.of("units", "m")));
        List<String> told = new ArrayList<>();
        Concat.Options options = Concat.options().onDifference(told::add);
        String owner = "a and 3 more: the attribute \"owner\" is left out, because the first source does not have it;"
                + " d has \"me\"";
        String title = "a and 3 more: the attribute \"title\" is that of the first source; c has \"B\", not \"A\","
                + " and 1 more differs";
        String history = "a and 3 more#in/v: the attribute \"history\" is that of the first source; c#in/v has \"1\","
                + " not 1, and 1 more differs";
        assertEquals(List.of(title, owner, history), losses(options.along("time", sources)));
        assertEquals(
                List.of(
                        "c differs from a in the attribute title: B, not A",
                        "c#in/v differs from a#in/v in the attribute history: 1, not 1",
                        "d differs from a in the attribute owner: me, not none"),
                told);
        assertEquals(
                List.of(title, owner), losses(options.keepFirst("v:history").along("time", sources)));
        assertEquals(
                List.of(), losses(options.keepFirst("title", "owner", "history").along("time", sources)));
    }

    @Test
    void attributesThatOneSourceLacksAreListed() throws IOException {
        assertEquals(
                List.of("the attribute \"title\" is that of the first source; b has none, not \"A\""),
                Concat.along("time", sources(file("a", Map.of("title", "A"), Map.of()), told("b", Map.of())))
                        .omissions(""));
    }

    /** A group has no numbers, so its units change the meaning of nothing that is copied. */
    @Test
    void everyAttributeOfGroupsMayDiffer() throws IOException {
        assertEquals(
                List.of("a and 1 more: the attribute \"units\" is that of the first source; b has \"cm\", not \"m\""),
                losses(Concat.along(
                        "time",
                        sources(
                                file("a", Map.of("units", "m"), Map.of()),
                                file("b", Map.of("units", "cm"), Map.of())))));
    }

    @TempDir
    Path directory;

    /** NetCDF reads each variable as long as its dimension. */
    @Test
    void shortVariablesOfNetcdfAreJoinedWithTheirFillValues() throws IOException {
        Path file = Fixtures.resource("hdf5/small_dimensions.nc", directory);
        Source part = new Source("f0.nc", "short", () -> Hdf5.open(file));
        ChunkStore joined = Concat.along("time", List.of(part, part));
        assertEquals(List.of(), losses(joined));
        try (ArrayReader reader = joined.openReader("")) {
            ByteBuffer elements = ByteBuffer.wrap(Data.readAll(reader)).order(ByteOrder.LITTLE_ENDIAN);
            List<Float> values = new ArrayList<>();
            while (elements.hasRemaining()) {
                values.add(elements.getFloat());
            }
            float fill = 0x1.ep122f; // 9.96921e+36, what netCDF fills floats with
            assertEquals(List.of(1f, 1f, 1f, fill, fill, 1f, 1f, 1f, fill, fill), values);
        }
    }
}
