package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.n5.N5;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Irregular chunks, as zarr-python and zarrs write them, and as they are written here. */
class RectilinearTest {
    /** The arrays of the fixture: the shape in which elements were numbered, and the grid that copies have. */
    private static final Map<String, Expected> ARRAYS = new LinkedHashMap<>();

    private record Expected(Shape numbered, String chunks, String shards, String grid) {}

    private static void array(String name, String chunks, String shards, String grid, long... numbered) {
        ARRAYS.put(name, new Expected(Shape.of(numbered), chunks, shards, grid.replace(" ", "")));
    }

    static {
        array("months", "([31,28,31,30], 2)", "none", "[[31,28,31,30],2]", 120, 5);
        array("runs", "([4x3,8], [2x2,5])", "none", "[[[4,3],8],[[2,2],5]]", 20, 9);
        array("two", "([31,28])", "none", "[[31,28]]", 59);
        array("equal", "(4)", "none", "regular", 12);
        array("shorter", "([3,10,9])", "none", "[[3,10,9]]", 30);
        array("last", "([5,25])", "none", "[[5,25]]", 30);
        array("longer", "([3,4,5,8])", "none", "[[3,4,5,8]]", 12);
        array("shards", "(2, 4)", "([4,10,16], 8)", "[[4,10,16],8]", 30, 8);
        array("shorter_shards", "(2, 4)", "([4,10,16], 4)", "[[4,10,16],4]", 30, 8);
        array("transposed", "([3,4,5], [3,2x2])", "none", "[[3,4,5],[3,[2,2]]]", 12, 7);
        array("zarrs/rectilinear", "([4x3,8], [2x2,7])", "none", "[[[4,3],8],[[2,2],7]]", 20, 9);
        array("zarrs/rectangular", "([4x3,8], 4)", "none", "[[[4,3],8],4]", 20, 9);
        array("zarrs/scalars", "(6, 4)", "none", "regular", 20, 9);
    }

    @TempDir
    Path directory;

    private Path fixture;

    @BeforeEach
    void unpack() throws IOException {
        fixture = Fixtures.resource("zarr/rectilinear.zarr.zip", directory);
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    /** Checks that element i is 3 i + 1, counted in a shape, and 0 outside of it. */
    private static void check(ChunkStore store, String path, Shape numbered) throws IOException {
        ArraySpec spec = spec(store, path);
        ByteBuffer elements = ByteBuffer.wrap(Elements.read(store, path)).order(spec.byteOrder());
        ChunkGrid each =
                ChunkGrid.regular(spec.shape(), Shape.of(numbered.rank() == 1 ? new long[] {1} : new long[] {1, 1}));
        for (long i = 0; i < spec.shape().elements(); i++) {
            Region place = each.regionAt(i);
            boolean known = Region.whole(numbered).contains(place);
            long expected = known ? 3 * Region.whole(numbered).ordinal(place.origin()) + 1 : 0;
            assertEquals(expected, value(elements, spec.dataType(), (int) i), path + " " + i);
        }
    }

    private static long value(ByteBuffer elements, DataType type, int i) {
        return switch (type.name()) {
            case "int16" -> elements.getShort(2 * i);
            case "int32" -> elements.getInt(4 * i);
            case "float32" -> (long) elements.getFloat(4 * i);
            default -> (long) elements.getDouble(8 * i);
        };
    }

    private static String grid(Path store, String path) throws IOException {
        String document = Files.readString(store.resolve(path).resolve("zarr.json"), StandardCharsets.UTF_8);
        Document grid = new Document("x", JsonParser.object("x", document.getBytes(StandardCharsets.UTF_8)))
                .object("chunk_grid");
        return grid.string("name").equals("regular")
                ? "regular"
                : Json.compact(grid.object("configuration").list("chunk_shapes"));
    }

    @Test
    void arraysOfOtherLibrariesAreReadAndKept() throws Exception {
        Path target = directory.resolve("kept.zarr");
        try (ChunkStore source = Zarr.open(fixture)) {
            for (Map.Entry<String, Expected> array : ARRAYS.entrySet()) {
                ArraySpec spec = spec(source, array.getKey());
                Expected expected = array.getValue();
                assertEquals(expected.chunks, spec.chunks().chunkText(), array.getKey());
                assertEquals(
                        expected.shards, spec.shards().map(ChunkGrid::chunkText).orElse("none"), array.getKey());
                check(source, array.getKey(), expected.numbered);
            }
            Rechunker.from(source)
                    .to(Zarr.create(target))
                    .chunks("keep")
                    .maxMem("10MB")
                    .verify()
                    .execute();
        }
        try (ChunkStore kept = Zarr.open(target)) {
            for (Map.Entry<String, Expected> array : ARRAYS.entrySet()) {
                assertEquals(array.getValue().grid, grid(target, array.getKey()), array.getKey());
                check(kept, array.getKey(), array.getValue().numbered);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time=[60x2], x=[1,4]|none|[60,[1,4]]",
                "time=[100,20]|none|[[100,20],2]",
                "7, 3|time=[14,106], x=-1|[[14,112],6]",
                "7, 3|none|regular"
            })
    void chunksAreStatedAsLists(String chunks, String shards, String grid) throws Exception {
        Path target = directory.resolve("listed.zarr");
        Rechunker.from(Zarr.open(fixture).at("months"))
                .to(Zarr.create(target))
                .chunks(chunks)
                .maxMem("10MB")
                .shards(shards)
                .verify()
                .execute();
        assertEquals(grid, grid(target, ""));
        try (ChunkStore listed = Zarr.open(target)) {
            check(listed, "", Shape.of(120, 5));
        }
    }

    @Test
    void regionsAndConcatenationsKeepTheirCuts() throws Exception {
        Path early = directory.resolve("early.zarr");
        Path late = directory.resolve("late.zarr");
        Rechunker.Chunked first = Rechunker.from(Zarr.open(fixture).at("months"))
                .to(Zarr.create(early))
                .chunks("keep");
        first.maxMem("10MB").region("time=0:45").execute();
        assertEquals("[[31,14],2]", grid(early, ""));
        Rechunker.Chunked second = Rechunker.from(Zarr.open(fixture).at("months"))
                .to(Zarr.create(late))
                .chunks("50,2");
        second.maxMem("10MB").region("time=45:120").execute();
        assertEquals("regular", grid(late, ""));

        Path joined = directory.resolve("joined.zarr");
        ChunkStore both =
                Concat.along("time", Zarr.open(late).at(""), Zarr.open(early).at(""));
        Rechunker.from(both)
                .to(Zarr.create(joined))
                .chunks("keep")
                .maxMem("10MB")
                .execute();
        assertEquals("[[50,25,31,14],2]", grid(joined, ""));
    }

    @Test
    void irregularArraysAreAppendedTo() throws Exception {
        Path target = directory.resolve("appended.zarr");
        Rechunker.from(Zarr.open(fixture).at("months"))
                .to(Zarr.create(target))
                .chunks("time=[31,28], x=2")
                .maxMem("10MB")
                .region("time=0:59")
                .execute();
        for (String more : List.of("59:90|[[31,28,31],2]", "90:120|[[31,28,31,30],2]")) {
            String[] range = more.split("\\|", -1);
            Rechunker.from(Zarr.open(fixture).at("months"))
                    .into(Zarr.create(target))
                    .append("time")
                    .maxMem("10MB")
                    .region("time=" + range[0])
                    .execute();
            assertEquals(range[1], grid(target, ""));
        }
        try (ChunkStore appended = Zarr.open(target)) {
            check(appended, "", Shape.of(120, 5));
        }
    }

    @Test
    void appendingFillsTheLastChunkAndShard() throws Exception {
        Path kept = directory.resolve("longer.zarr");
        try (ChunkStore source = Zarr.open(fixture)) {
            Rechunker.from(source)
                    .to(Zarr.create(kept))
                    .chunks("keep")
                    .maxMem("10MB")
                    .execute();
        }
        for (String array : List.of("last", "shorter_shards")) {
            ArraySpec before;
            try (ChunkStore store = Zarr.open(kept)) {
                before = spec(store, array);
            }
            long[] larger = before.shape().toArray();
            larger[0] += 30;
            ArraySpec after = before.grown(Shape.of(larger));
            long[] origin = new long[larger.length];
            origin[0] = before.shape().extent(0);
            larger[0] = 30;
            Data data = Data.of(after, 5);
            Path more = directory.resolve("more-" + array);
            Region part = Region.of(origin, Shape.of(larger));
            data.part(
                            part,
                            before.toBuilder()
                                    .shards(null)
                                    .chunks(ChunkGrid.regular(part.shape(), part.shape()))
                                    .build())
                    .write(Zarr.create(more), "");
            Rechunker.from(Zarr.open(more))
                    .into(Zarr.create(kept).at(array))
                    .append(0)
                    .maxMem("10MB")
                    .verify()
                    .execute();
        }
        assertEquals("[[5,25,8]]", grid(kept, "last"));
        assertEquals("[[4,10,[16,2],6],4]", grid(kept, "shorter_shards"));
    }

    @Test
    void otherFormatsGetChunksOfOneSize() throws Exception {
        for (ChunkStore target : List.of(
                Hdf5.create(directory.resolve("x.h5")),
                N5.create(directory.resolve("x.n5")),
                Zarr.create(directory.resolve("x2.zarr"), ZarrFormat.V2))) {
            Rechunker.To to = Rechunker.from(Zarr.open(fixture).at("months")).to(target);
            Plan plan = to.chunks("keep").maxMem("10MB").plan();
            List<String> losses = plan.losses().stream().map(Loss::sentence).toList();
            assertTrue(
                    losses.stream()
                            .anyMatch(loss -> loss.endsWith("the chunks become (31, 2) instead of ([31,28,31,30], 2)")),
                    losses::toString);
            StoreException refusal = assertThrows(
                    StoreException.class,
                    () -> to.chunks("time=[60,59,1]").maxMem("10MB").plan());
            assertTrue(String.valueOf(refusal.getMessage()).contains("such as (60, 2)"), refusal.getMessage());
        }
    }

    @Test
    void savedPlansHaveTheChunks() throws Exception {
        Path target = directory.resolve("job.zarr");
        Path file = directory.resolve("plan.json");
        Plan plan = Rechunker.from(Zarr.open(fixture).at("months"))
                .to(Zarr.create(target))
                .chunks("time=[60,59,1]")
                .maxMem("10MB")
                .plan();
        JobFile.save(plan, file);
        try (JobFile job = JobFile.open(file)) {
            for (int stage = 0; stage < job.tasks().size(); stage++) {
                job.run(stage, 0, job.tasks().get(stage));
            }
            job.finish();
        }
        assertEquals("[[60,59,1],2]", grid(target, ""));
    }

    // ------------------------------------------------------------------ documents

    private static Document document(String shape, String grid) throws StoreException {
        String text = "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":" + shape + ",\"data_type\":\"int16\","
                + "\"chunk_grid\":" + grid.replace('\'', '"') + ",\"chunk_key_encoding\":{\"name\":\"default\"},"
                + "\"fill_value\":0,\"codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]}";
        return new Document("x", JsonParser.object("x", text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String rectilinear(String sizes) {
        return "{'name':'rectilinear','configuration':{'kind':'inline','chunk_shapes':" + sizes + "}}";
    }

    @Test
    void theExampleOfTheSpecificationIsUnderstood() throws StoreException {
        String grid = rectilinear("[4,[1,2,3],[[4,2]],[[1,3],3],[4,4,4]]");
        assertEquals(
                "(4, [1,2,3], 4, [1x3,3], 4)",
                V3Metadata.parse(document("[6,6,6,6,6]", grid)).spec().chunks().chunkText());
        assertEquals(
                Partition.regular(0, 5),
                V3Metadata.parse(document("[0]", rectilinear("[[5,7]]")))
                        .spec()
                        .chunks()
                        .axis(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[4,4]|[4]|one size or list of sizes for each of 2 axes",
                "[7]|[[4,2]]|parts of 6 elements in all do not cover an axis of length 7",
                "[6]|[[4,0,2]]|it contains 0; positive integers are expected",
                "[6]|[[[4,2,1]]]|it contains the list [4, 2, 1]; a size and a number are expected",
                "[6]|[[[4,-2]]]|it contains -2; positive integers are expected",
                "[6]|['a']|it contains a; positive integers are expected",
                "[6]|[[]]|do not cover an axis",
                "[9]|[[[1,99999999999],9]]|it lists 100000000000 chunks, but at most 16777216 are supported",
                "[9]|[[9223372036854775807,[1,9]]]|x"
            })
    void gridsThatDoNotFitAreRefused(String shape, String sizes, String message) throws StoreException {
        Document document = document(shape, rectilinear(sizes.replace("'a'", "\"a\"")));
        if (message.equals("x")) {
            assertEquals(1, V3Metadata.parse(document).spec().chunks().count());
            return;
        }
        StoreException refusal = assertThrows(StoreException.class, () -> V3Metadata.parse(document));
        assertTrue(String.valueOf(refusal.getMessage()).contains(message), refusal.getMessage());
    }

    @Test
    void unknownGridsAreRefusedByName() {
        for (String grid : List.of(
                rectilinear("[4]").replace("inline", "by-hash"),
                rectilinear("[4]").replace("rectilinear", "hexagonal"))) {
            StoreException refusal = assertThrows(StoreException.class, () -> V3Metadata.parse(document("[4]", grid)));
            String name = grid.contains("by-hash") ? "by-hash" : "hexagonal";
            assertTrue(String.valueOf(refusal.getMessage()).contains(name), refusal.getMessage());
        }
    }

    @Test
    void chunksInShardsHaveOneShape() {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.of(List.of(Partition.ofSizes(1, 3, 2))), DataType.INT16)
                .shards(ChunkGrid.of(List.of(Partition.ofSizes(4, 2))))
                .build();
        StoreException refusal = assertThrows(StoreException.class, () -> V3Metadata.array(spec));
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("the chunks in shards of Zarr all have the same shape"),
                refusal.getMessage());
    }
}
