package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.bytes.PlaceServer;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.SpillStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What works in every place that can be written to: the same plan makes the same bytes there as in a directory. */
abstract class PlaceContract {
    /** The shape of the arrays. */
    static final Shape SHAPE = Shape.of(40, 90, 77);

    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    @TempDir
    Path directory;

    /** {@return the server that stands in for the place} */
    abstract PlaceServer server();

    /** {@return the array of a source} */
    static ArraySpec.Builder spec(String codec) {
        return ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(7, 20, 77)), DataType.UINT16)
                .codecs(CodecSpec.parse(codec));
    }

    /** {@return the URI or path of something in a place} */
    static String in(String place, String name) {
        int question = place.indexOf('?');
        return question < 0
                ? place + "/" + name
                : place.substring(0, question) + "/" + name + place.substring(question);
    }

    /** {@return the values below a prefix} */
    static Map<String, ByteBuffer> values(KeyStore keys, String prefix) throws IOException {
        Map<String, ByteBuffer> values = new TreeMap<>();
        Listing listing = keys.list(prefix);
        String start = prefix.isEmpty() ? "" : prefix + "/";
        for (String name : listing.values()) {
            try (ByteSource source = keys.open(start + name).orElseThrow()) {
                ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
                source.read(0, bytes);
                values.put(start + name, bytes.flip());
            }
        }
        for (String name : listing.directories()) {
            values.putAll(values(keys, start + name));
        }
        return values;
    }

    static void assertWithinLimit(Plan plan, Report report) {
        assertTrue(report.measuredMemory() <= report.projectedMemory(), plan::explain);
        assertTrue(report.projectedMemory() <= plan.maxMem().bytes(), plan::explain);
    }

    /** The source is read from the place, too, and recognised there. */
    @ParameterizedTest
    @CsvSource({
        "a.zarr, zarr2, none",
        "a.zarr, zarr3, none",
        "a.zarr, zarr3, '40,90,77'",
        "a.n5, n5, none",
        "a.h5, hdf5, none"
    })
    void theSamePlanMakesTheSameBytes(String from, String to, String shards) throws Exception {
        String place = server().place("some/where");
        Path local = directory.resolve(from);
        String path = to.equals("hdf5") ? "data" : "";
        Data data;
        try (ChunkStore source = Stores.create(local)) {
            data = Data.of(source.resolve(spec("gzip:level=1").build()));
            data.write(source, path, unit -> unit % 5 != 3);
            source.finish(true);
        }
        try (KeyStore there = Stores.keys(place)) {
            if (Files.isDirectory(local)) {
                for (Map.Entry<String, ByteBuffer> value :
                        values(new DirectoryKeys(local), "").entrySet()) {
                    there.put(from + "/" + value.getKey(), value.getValue());
                }
            } else {
                there.put(from, ByteBuffer.wrap(Files.readAllBytes(local)));
            }
        }
        String format = to.equals("hdf5") ? "zarr3" : to;
        String name = format.equals("n5") ? "b.n5" : "b.zarr";
        for (String where : new String[] {directory.toString(), place}) {
            try (ChunkStore source = Stores.open(in(where, from));
                    ChunkStore target = Stores.format(format).orElseThrow().create(in(where, name))) {
                Rechunker.Job job = Rechunker.from(source.at(path))
                        .to(target)
                        .chunks(40, 9, 11)
                        .maxMem("100MB")
                        .codec("zstd");
                if (format.equals("zarr3")) {
                    job = job.shards(shards);
                }
                Plan plan = job.plan();
                assertWithinLimit(plan, plan.execute());
            }
        }
        try (KeyStore there = Stores.keys(in(place, name))) {
            assertEquals(values(new DirectoryKeys(directory.resolve(name)), ""), values(there, ""));
        }
        try (ChunkStore target = Stores.open(in(place, name));
                ArrayReader reader = target.openReader("")) {
            assertEquals(data.spec().shape(), reader.spec().shape());
        }
    }

    @Test
    void temporaryDataMayBeThere() throws Exception {
        String place = server().place("tmp");
        Data data =
                Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(3072, 700), Shape.of(3072, 10)), DataType.INT32)
                        .build());
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        MemoryStore target =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(source, "");
        try (SpillStore spill = Stores.temporary(place)) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(32, 700)
                    .maxMem("4MB")
                    .threads(1)
                    .costModel(SLOW_TO_READ)
                    .spill(spill)
                    .plan();
            assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
            assertWithinLimit(plan, plan.execute());
        }
        assertArrayEquals(data.elements(), target.elements(""));
        try (KeyStore keys = Stores.keys(place)) {
            assertEquals(Map.of(), values(keys, ""));
        }
    }

    /** {@return the options of a JVM that uses the place} */
    List<String> settings() {
        return List.of();
    }

    /** What was done before a kill is not done again. The journal and the spill are in the place, too. */
    @Test
    void aKilledCopyIsResumed() throws Exception {
        String place = server().place("copies");
        new KilledCopy(directory, settings(), in(place, "tmp")).runTo(in(place, "b.zarr"));
        try (KeyStore keys = Stores.keys(place)) {
            Set<String> left = values(keys, "").keySet();
            assertTrue(left.stream().allMatch(key -> key.matches("b.zarr/(zarr.json|c/.*)")), left.toString());
        }
    }
}
