package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.bytes.WebServer;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies between buckets: every element arrives within the memory limit, even if requests fail. */
class RemoteCopyTest {
    private static S3Server server;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.startUnsigned();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** {@return the URI of a place in a new bucket, at the address of the server or of a proxy} */
    private static String place(String address) {
        return "s3://" + server.bucket() + "/some/where?endpoint=" + address + "&anonymous=true";
    }

    private static ChunkStore create(String format, KeyStore keys) {
        return switch (format) {
            case "zarr2" -> Zarr.create(keys, ZarrFormat.V2);
            case "n5" -> N5.create(keys);
            default -> Zarr.create(keys, ZarrFormat.V3);
        };
    }

    private static ArraySpec.Builder spec(String codec, long[] chunks) {
        ChunkGrid grid = ChunkGrid.regular(Shape.of(40, 90, 77), Shape.of(chunks));
        return ArraySpec.builder(grid, DataType.UINT16).codecs(CodecSpec.parse(codec));
    }

    private static void assertContains(Data data, ChunkStore store) throws IOException {
        try (ArrayReader reader = store.openReader("")) {
            byte[] expected = reader.spec().byteOrder().equals(data.spec().byteOrder())
                    ? data.elements()
                    : swapped(data.elements());
            assertArrayEquals(expected, Data.readAll(reader));
        }
    }

    private static byte[] swapped(byte[] words) {
        byte[] swapped = new byte[words.length];
        for (int i = 0; i < words.length; i++) {
            swapped[i] = words[i ^ 1];
        }
        return swapped;
    }

    private static void assertWithinLimit(Plan plan, Report report) {
        assertTrue(report.measuredMemory() <= report.projectedMemory());
        assertTrue(report.projectedMemory() <= plan.maxMem().bytes());
    }

    @ParameterizedTest
    @CsvSource({
        "zarr2, none, zarr3, zstd",
        "zarr2, blosc:cname=lz4, zarr2, blosc:cname=zstd",
        "zarr3, none, n5, gzip",
        "n5, none, zarr2, none",
        "n5, zstd, n5, blosc",
        "sharded, zstd, n5, zstd",
        "sharded, none, zarr3, none"
    })
    void everyFormatIsCopied(String from, String codec, String to, String other) throws Exception {
        ArraySpec.Builder spec = spec(codec, new long[] {7, 20, 77});
        if (from.equals("sharded")) {
            spec.shards(ChunkGrid.regular(Shape.of(40, 90, 77), Shape.of(14, 40, 77)));
        }
        try (ChunkStore source = create(from, Stores.keys(place(server.address())));
                ChunkStore target = create(to, Stores.keys(place(server.address())))) {
            Data data = Data.of(source.resolve(spec.build()));
            data.write(source, "", unit -> true);
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(40, 9, 11)
                    .maxMem("100MB")
                    .codec(other)
                    .shards("none")
                    .plan();
            assertWithinLimit(plan, plan.execute());
            assertContains(data, target);
        }
    }

    /** The memory of the connection that each thread uses to write encoded units is counted. */
    @Test
    void encodedCopiesCountTheMemoryOfConnections() throws Exception {
        try (MemoryKeys keys = new MemoryKeys();
                ChunkStore source = Zarr.create(keys);
                KeyStore bucket = Stores.keys(place(server.address()));
                ChunkStore target = Zarr.create(bucket)) {
            Data data =
                    Data.of(source.resolve(spec("none", new long[] {7, 20, 77}).build()));
            data.write(source, "", unit -> true);
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks("keep")
                    .maxMem("100MB")
                    .threads(1)
                    .plan();
            assertEquals("CopyEncoded", plan.arrays().get(0).copy().strategy());
            assertTrue(plan.projectedMemory().bytes() >= bucket.sourceBytes(), plan.explain());
            assertWithinLimit(plan, plan.execute());
            assertContains(data, target);
        }
    }

    @Test
    void shardsAreWrittenInParts() throws Exception {
        Shape shape = Shape.of(18 << 20);
        byte[] elements = null;
        for (String index : List.of("end,little,crc32c", "start,little,crc32c")) {
            try (MemoryKeys keys = new MemoryKeys();
                    ChunkStore source = Zarr.create(keys);
                    ChunkStore target = Zarr.create(Stores.keys(place(server.address())))) {
                ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(1 << 20)), DataType.UINT8)
                        .shards(ChunkGrid.regular(shape, shape))
                        .hints(Map.of("zarr.shard.index", index))
                        .build();
                Data data = Data.of(source.resolve(spec));
                data.write(source, "", unit -> true);
                elements = elements == null ? data.elements() : elements;
                // One copy is encoded, the other one decodes the elements.
                Plan encoded = Rechunker.from(source)
                        .to(target.at("same"))
                        .chunks("keep")
                        .maxMem("200MB")
                        .plan();
                assertWithinLimit(encoded, encoded.execute());
                Plan decoded = Rechunker.from(source)
                        .to(target.at("other"))
                        .chunks(2 << 20)
                        .maxMem("200MB")
                        .plan();
                assertWithinLimit(decoded, decoded.execute());
                for (String path : List.of("same", "other")) {
                    try (ArrayReader reader = target.openReader(path)) {
                        assertTrue(reader.spec().shards().isPresent());
                        assertArrayEquals(elements, Data.readAll(reader));
                    }
                }
            }
        }
    }

    @Test
    void failedRequestsAreRetried() throws Exception {
        Random random = new Random(5);
        Fault[] kinds = {Fault.BUSY, Fault.RESET, Fault.TRUNCATED, Fault.SLOW};
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> {
                    synchronized (random) {
                        return random.nextInt(6) == 0 ? kinds[random.nextInt(kinds.length)] : Fault.NONE;
                    }
                });
                ChunkStore source = Zarr.create(Stores.keys(place(proxy.address())));
                ChunkStore target = Zarr.create(Stores.keys(place(proxy.address())))) {
            ArraySpec spec = spec("zstd", new long[] {7, 20, 77})
                    .shards(ChunkGrid.regular(Shape.of(40, 90, 77), Shape.of(14, 40, 77)))
                    .build();
            Data data = Data.of(source.resolve(spec));
            data.write(source, "", unit -> true);
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(40, 9, 11)
                    .maxMem("100MB")
                    .shards("none")
                    .plan();
            assertWithinLimit(plan, plan.execute());
            assertContains(data, target);
            for (Fault kind : kinds) {
                assertTrue(proxy.count(kind) > 0, kind.toString());
            }
        }
    }

    /** Many requests are in progress at the same time, as far as the limit has space for their bytes. */
    @Test
    void latencyIsHidden() throws Exception {
        ArraySpec spec = spec("none", new long[] {8, 9, 11}).build();
        long chunks = spec.chunks().count();
        String from = place(server.address());
        Data data;
        try (ChunkStore source = Zarr.create(Stores.keys(from))) {
            data = Data.of(source.resolve(spec));
            data.write(source, "", unit -> true);
        }
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 50, request -> Fault.NONE);
                ChunkStore source = Stores.open(from.replace(server.address(), proxy.address()));
                ChunkStore target = Zarr.create(Stores.keys(place(proxy.address())))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(40, 45, 11)
                    .maxMem("100MB")
                    .plan();
            int before = proxy.requests();
            assertWithinLimit(plan, plan.execute());
            assertTrue(proxy.mostUnderWay() >= 32, "in progress: " + proxy.mostUnderWay());
            long units = 2 * 7;
            long others = 60; // for metadata, and the journal of the run, which is stored every 2 seconds
            assertTrue(
                    proxy.requests() - before <= chunks + units + others, "requests: " + (proxy.requests() - before));
            assertContains(data, target);
        }
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 5, request -> Fault.NONE);
                ChunkStore source = Stores.open(from.replace(server.address(), proxy.address()));
                ChunkStore target = Zarr.create(new MemoryKeys())) {
            Rechunker.from(source)
                    .to(target)
                    .chunks(40, 45, 11)
                    .maxMem("100MB")
                    .executor(new SerialExecutor())
                    .execute();
            assertEquals(1, proxy.mostUnderWay());
        }
    }

    /** A request that one layer has retried is not retried again by the layer above. */
    @ParameterizedTest
    @CsvSource({"web, BUSY, 8", "web, TRUNCATED, 8", "s3, BUSY, 8", "s3, TRUNCATED, 9"})
    void retriesDoNotMultiply(String scheme, Fault first, int requests) throws Exception {
        try (FaultyProxy proxy = new FaultyProxy(server.address(), 0, request -> request == 0 ? first : Fault.BUSY)) {
            String address = place(proxy.address());
            try (KeyStore direct = Stores.keys(address.replace(proxy.address(), server.address()))) {
                direct.put("v", ByteBuffer.allocate(200_000));
            }
            String web = proxy.address() + address.substring("s3:/".length(), address.indexOf('?'));
            try (KeyStore keys = Stores.keys(scheme.equals("s3") ? address : web)) {
                IOException failed = assertThrows(IOException.class, () -> {
                    try (ByteSource source = keys.open("v").orElseThrow()) {
                        source.read(0, ByteBuffer.allocate(200_000));
                    }
                });
                assertTrue(String.valueOf(failed.getMessage()).contains("503"), failed.getMessage());
            }
            assertEquals(requests, proxy.requests());
        }
    }

    /** A server is recognised if its address is written in another way. */
    @ParameterizedTest
    @ValueSource(
            strings = {"s3://%s/s?anonymous=true&endpoint=http://%s/", "s3://%s/s?anonymous=true&endpoint=HTTP://%s"})
    void aSourceIsNotOverwrittenThroughAnotherAddress(String address) throws Exception {
        String bucket = server.bucket();
        String host = server.address().substring("http://".length());
        String place = "s3://" + bucket + "/s?anonymous=true&endpoint=" + server.address();
        for (String other : List.of(
                address.formatted(bucket, host), address.formatted(bucket, host.replace("127.0.0.1", "LocalHost")))) {
            try (ChunkStore source = Zarr.create(Stores.keys(place));
                    ChunkStore web = Zarr.open(Stores.keys(server.address() + "/" + bucket + "/s"));
                    ChunkStore target = Zarr.create(Stores.keys(other))) {
                Data data = Data.of(
                        source.resolve(spec("zstd", new long[] {7, 20, 77}).build()));
                if (source.node("").isEmpty()) {
                    data.write(source, "");
                }
                for (ChunkStore from : List.of(source, web)) {
                    Rechunker.Job job = Rechunker.from(from)
                            .to(target)
                            .chunks(40, 9, 11)
                            .maxMem("100MB")
                            .overwrite();
                    StoreException refused = assertThrows(StoreException.class, job::execute);
                    assertTrue(String.valueOf(refused.getMessage()).contains("the same place"), refused.getMessage());
                }
                assertContains(data, source);
            }
        }
    }

    /** A web server cannot be listed. A group is read by its consolidated metadata, an array by its path. */
    @ParameterizedTest
    @CsvSource({"zarr2, none", "zarr2, zstd", "zarr3, blosc", "sharded, none", "sharded, gzip", "n5, gzip"})
    void webServersAreRead(String from, String codec) throws Exception {
        MemoryKeys keys = new MemoryKeys();
        ArraySpec.Builder spec = spec(codec, new long[] {7, 20, 77});
        if (from.equals("sharded")) {
            spec.shards(ChunkGrid.regular(Shape.of(40, 90, 77), Shape.of(14, 40, 77)));
        }
        Data data;
        try (ChunkStore store = create(from, keys)) {
            store.writeGroup("", Map.of("who", "root"));
            data = Data.of(store.resolve(spec.build()));
            data.write(store, "in/a", unit -> unit % 5 != 3);
            store.finish(true);
        }
        try (WebServer web = new WebServer();
                FaultyProxy proxy =
                        new FaultyProxy(web.address(), 2, request -> request % 9 == 4 ? Fault.TRUNCATED : Fault.NONE);
                ChunkStore local = create(from, keys);
                ChunkStore target = create("zarr3", new MemoryKeys())) {
            publish(keys, "", web);
            try (ChunkStore source = Stores.open(proxy.address() + "/d")) {
                assertTrue(source.capabilities().remote());
                if (from.equals("n5")) {
                    StoreException refused = assertThrows(StoreException.class, () -> source.children(""));
                    assertTrue(
                            String.valueOf(refused.getMessage()).contains("give the path of an array"),
                            refused.getMessage());
                } else {
                    assertEquals(List.of("in"), source.children(""));
                    assertEquals(List.of("a"), source.children("in"));
                }
                Plan plan = Rechunker.from(from.equals("n5") ? source.at("in/a") : source.at(""))
                        .to(target.at("x"))
                        .chunks(40, 9, 11)
                        .maxMem("100MB")
                        .shards("none")
                        .plan();
                assertWithinLimit(plan, plan.execute());
            }
            try (ArrayReader read = local.openReader("in/a");
                    ArrayReader written = target.openReader(from.equals("n5") ? "x" : "x/in/a")) {
                assertArrayEquals(Data.readAll(read), Data.readAll(written));
            }
        }
    }

    private static void publish(KeyStore keys, String prefix, WebServer web) throws IOException {
        Listing listing = keys.list(prefix);
        for (String name : listing.values()) {
            String key = prefix.isEmpty() ? name : prefix + "/" + name;
            try (ByteSource source = keys.open(key).orElseThrow()) {
                ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
                source.read(0, bytes);
                web.put("/d/" + key, bytes.array());
            }
        }
        for (String name : listing.directories()) {
            publish(keys, prefix.isEmpty() ? name : prefix + "/" + name, web);
        }
    }

    @Test
    void messagesContainNoSecrets() throws Exception {
        String nothing = String.valueOf(assertThrows(StoreException.class, () -> Stores.open(place(server.address())))
                .getMessage());
        assertTrue(nothing.contains("is not a store") && nothing.contains("zarr.json"), nothing);
        String unknown = String.valueOf(assertThrows(StoreException.class, () -> Stores.keys("ftp://bucket/x"))
                .getMessage());
        assertTrue(unknown.contains("ftp://") && unknown.contains("s3://"), unknown);
        for (String uri : List.of("https://me:SECRET@host/x", "https://host/x?sig=SECRET", "http://ho st/SECRET")) {
            String refused = String.valueOf(
                    assertThrows(StoreException.class, () -> Stores.keys(uri)).getMessage());
            assertTrue(!refused.contains("SECRET"), refused);
        }
    }
}
