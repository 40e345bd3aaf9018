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
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.FaultyProxy;
import dev.rechunker.io.bytes.FaultyProxy.Fault;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.bytes.WebServer;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import io.jhdf.checksum.ChecksumUtils;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HDF5 files in buckets and on web servers are read without downloading them. */
class RemoteHdf5Test {
    private static final Shape SHAPE = Shape.of(40, 90, 77);

    /** The size of a superblock of version 2, which ends with a checksum, in bytes. */
    private static final int SUPERBLOCK = 48;

    /** The offset of the base address in the superblock. */
    private static final int BASE_ADDRESS = 12;

    @TempDir
    Path directory = Path.of("");

    private Data data = Data.of(spec("none"));
    private byte[] file = {};

    private static ArraySpec spec(String codec) {
        return ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(7, 20, 77)), DataType.UINT16)
                .codecs(CodecSpec.parse(codec))
                .attributes(Map.of("units", "m"))
                .dimensionNames(List.of("t", "y", "x"))
                .build();
    }

    /** {@return a file with an array {@code in/a}, and its data} */
    private byte[] write(String codec, int number) throws IOException {
        Path path = directory.resolve(number + ".h5");
        Files.deleteIfExists(path);
        try (ChunkStore store = Hdf5.create(path)) {
            data = Data.of(store.resolve(spec(codec)), number);
            data.write(store, "in/a", unit -> unit % 5 != 3);
            store.finish(false);
        }
        return Files.readAllBytes(path);
    }

    @BeforeEach
    void write() throws IOException {
        file = write("shuffle+gzip", 1);
    }

    private static byte[] elements(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    private void assertCopied(ChunkStore source) throws IOException, InterruptedException {
        try (ChunkStore local = Hdf5.open(directory.resolve("1.h5"));
                ChunkStore target = Zarr.create(new MemoryKeys())) {
            assertTrue(source.capabilities().remote());
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(40, 9, 11)
                    .maxMem("100MB")
                    .verify()
                    .plan();
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= report.projectedMemory());
            assertTrue(report.projectedMemory() <= 100_000_000);
            assertArrayEquals(elements(local, "in/a"), elements(target, "in/a"));
            assertEquals(
                    Map.of("units", "m"),
                    ((ChunkStore.ArrayNode) target.node("in/a").orElseThrow())
                            .spec()
                            .attributes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "shuffle+gzip+fletcher32"})
    void webServersAreRead(String codec) throws Exception {
        file = write(codec, 1);
        try (WebServer web = new WebServer();
                FaultyProxy proxy =
                        new FaultyProxy(web.address(), 2, request -> request % 9 == 4 ? Fault.TRUNCATED : Fault.NONE)) {
            web.put("/d/scan.nc", file);
            try (ChunkStore source = Stores.open(proxy.address() + "/d/scan.nc")) {
                assertCopied(source);
            }
        }
    }

    /** A name may have no ending, or characters that a web address encodes. */
    @ParameterizedTest
    @CsvSource({"/d/scan.nc, /d/scan.nc", "/scan, /scan", "/d/a b%.h5, /d/a%20b%25.h5", "/a+b.H5, /a+b.H5"})
    void filesAreFoundByTheirNames(String path, String address) throws Exception {
        try (WebServer web = new WebServer()) {
            web.put(path, file);
            try (ChunkStore source = Stores.open(web.address() + address)) {
                assertEquals(List.of("in"), source.children(""));
            }
        }
    }

    @Test
    void directoriesMayHaveNamesLikeFiles() throws Exception {
        try (WebServer web = new WebServer()) {
            MemoryKeys keys = new MemoryKeys();
            try (ChunkStore store = Zarr.create(keys)) {
                Data.of(store.resolve(spec("gzip")), 1).write(store, "");
            }
            try (ByteSource document = keys.open("zarr.json").orElseThrow()) {
                ByteBuffer bytes = ByteBuffer.allocate((int) document.size());
                document.read(0, bytes);
                web.put("/a.h5/zarr.json", bytes.array());
            }
            web.put("/b.h5/other", new byte[1]);
            web.forbidDirectories();
            try (ChunkStore source = Stores.open(web.address() + "/a.h5")) {
                assertEquals(
                        spec("gzip").shape(),
                        ((ChunkStore.ArrayNode) source.node("").orElseThrow())
                                .spec()
                                .shape());
            }
            StoreException forbidden = assertThrows(StoreException.class, () -> Stores.open(web.address() + "/b.h5"));
            assertTrue(String.valueOf(forbidden.getMessage()).contains("403"), forbidden.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 8192, 1 << 20})
    void filesMayStartWithAUserBlock(int bytes) throws Exception {
        try (WebServer web = new WebServer()) {
            byte[] shifted = new byte[bytes + file.length];
            System.arraycopy(file, 0, shifted, bytes, file.length);
            ByteBuffer superblock =
                    ByteBuffer.wrap(shifted, bytes, SUPERBLOCK).slice().order(ByteOrder.LITTLE_ENDIAN);
            superblock.putLong(BASE_ADDRESS, bytes);
            byte[] checked = Arrays.copyOfRange(shifted, bytes, bytes + SUPERBLOCK - Integer.BYTES);
            superblock.putInt(checked.length, ChecksumUtils.checksum(checked));
            web.put("/scan.h5", shifted);
            try (ChunkStore source = Stores.open(web.address() + "/scan.h5")) {
                assertCopied(source);
            }
        }
    }

    @Test
    void aMalformedAddressIsRefused() {
        StoreException refused = assertThrows(StoreException.class, () -> Stores.open("http://127.0.0.1:1/a%zz.h5"));
        assertTrue(String.valueOf(refused.getMessage()).contains("malformed"), refused.getMessage());
    }

    /** Files that are opened and closed leave no threads. */
    @Test
    void openingManyFilesLeavesNoThreads() throws Exception {
        try (WebServer web = new WebServer()) {
            web.put("/scan.h5", file);
            Stores.open(web.address() + "/scan.h5").close();
            int before = Thread.getAllStackTraces().size();
            for (int i = 0; i < 50; i++) {
                Stores.open(web.address() + "/scan.h5").close();
            }
            int more = Thread.getAllStackTraces().size() - before;
            assertTrue(more < 25, more + " more threads");
        }
    }

    /** If a file cannot be opened, the caller has nothing to close. */
    @Test
    void theKeyStoreIsClosedIfAFileIsRefused() {
        AtomicInteger closed = new AtomicInteger();
        MemoryKeys keys = new MemoryKeys();
        KeyStore counted = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                    }
                    try {
                        return method.invoke(keys, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        assertThrows(StoreException.class, () -> Hdf5.open(counted, "nothing.h5"));
        assertEquals(1, closed.get());
    }

    @Test
    void valuesThatAreNotHdf5AreRefused() throws Exception {
        try (WebServer web = new WebServer()) {
            web.put("/text.h5", new byte[2000]);
            web.put("/short.h5", new byte[3]);
            web.put("/empty.h5", new byte[0]);
            for (String name : new String[] {"/text.h5", "/short.h5", "/empty.h5", "/nothing.h5", "/nothing"}) {
                StoreException refused = assertThrows(StoreException.class, () -> Stores.open(web.address() + name));
                String message = String.valueOf(refused.getMessage());
                assertTrue(message.contains(name) && message.contains("the signature of HDF5"), message);
            }
        }
    }

    /** Metadata is read with few requests, and each existing chunk with one. */
    @Test
    void requestsAreFew() throws Exception {
        try (WebServer web = new WebServer()) {
            web.put("/scan.h5", file);
            try (ChunkStore source = Stores.open(web.address() + "/scan.h5");
                    ChunkStore target = Zarr.create(new MemoryKeys())) {
                source.children("in");
                int before = web.requests();
                assertTrue(before <= 8, before + " requests before a chunk is read");
                Rechunker.from(source.at("in/a"))
                        .to(target)
                        .chunks(40, 9, 11)
                        .maxMem("100MB")
                        .execute();
                long chunks = spec("none").chunks().count();
                int requests = web.requests() - before;
                assertTrue(requests <= chunks + 8, requests + " requests for " + chunks + " chunks");
            }
        }
    }

    @Test
    void filesInBucketsAreOpenedByTheirDescriptor() throws Exception {
        try (S3Server server = S3Server.startUnsigned()) {
            String bucket = server.bucket();
            try (KeyStore keys = server.keys(bucket, "some")) {
                keys.put("where/scan.h5", ByteBuffer.wrap(file));
            }
            String settings = "?endpoint=" + server.address() + "&anonymous=true";
            try (ChunkStore source = Stores.open("s3://" + bucket + "/some/where/scan.h5" + settings)) {
                assertCopied(source);
                StoreDescriptor descriptor = source.descriptor().orElseThrow();
                try (ChunkStore again = new StoresByUri()
                        .open(StoreDescriptor.of(descriptor.toData()))
                        .orElseThrow()) {
                    assertEquals(source.identity(), again.identity());
                    assertArrayEquals(elements(source, "in/a"), elements(again, "in/a"));
                }
                ChunkStore inside = Zarr.create(Stores.keys("s3://" + bucket + "/some/where" + settings));
                StoreException refused = assertThrows(
                        StoreException.class,
                        () -> Rechunker.from(source)
                                .to(inside)
                                .chunks("keep")
                                .maxMem("100MB")
                                .overwrite()
                                .plan());
                assertTrue(String.valueOf(refused.getMessage()).contains("the same place"), refused.getMessage());
                inside.close();
            }
        }
    }

    @Test
    void aFileThatIsReplacedWhileItIsReadIsRefused() throws Exception {
        try (S3Server server = S3Server.startUnsigned()) {
            String bucket = server.bucket();
            KeyStore keys = server.keys(bucket, "");
            keys.put("scan.h5", ByteBuffer.wrap(file));
            try (ChunkStore source = Hdf5.open(server.keys(bucket, ""), "scan.h5");
                    ArrayReader reader = source.openReader("in/a")) {
                Region first = reader.spec().chunks().region(0, 0, 0);
                ByteBuffer chunk = ByteBuffer.allocateDirect(
                        (int) (reader.spec().chunks().chunkShape().elements() * Short.BYTES));
                Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
                assertTrue(reader.read(first, chunk.duplicate(), scratch));
                keys.put("scan.h5", ByteBuffer.wrap(write("shuffle+gzip", 2)));
                StoreException refused =
                        assertThrows(StoreException.class, () -> reader.read(first, chunk.duplicate(), scratch));
                assertTrue(
                        String.valueOf(refused.getMessage()).contains("was replaced while it was read"),
                        refused.getMessage());
            }
            keys.close();
        }
    }

    @Test
    void manyFilesAreReadAsOneArray() throws Exception {
        try (WebServer web = new WebServer();
                ChunkStore target = Zarr.create(new MemoryKeys())) {
            for (int i = 0; i < 5; i++) {
                web.put("/" + i + ".h5", write("gzip", i));
            }
            try (ChunkStore source = Concat.along(
                    "t",
                    IntStream.range(0, 5)
                            .mapToObj(i -> new Concat.Source(
                                    i + ".h5", "in/a", () -> Stores.open(web.address() + "/" + i + ".h5")))
                            .toList())) {
                Rechunker.from(source)
                        .to(target)
                        .chunks(-1, 9, 11)
                        .maxMem("100MB")
                        .verify()
                        .execute();
                byte[] all = elements(target, "");
                for (int i = 0; i < 5; i++) {
                    try (ChunkStore one = Hdf5.open(directory.resolve(i + ".h5"))) {
                        byte[] part = elements(one, "in/a");
                        assertArrayEquals(part, Arrays.copyOfRange(all, i * part.length, (i + 1) * part.length));
                    }
                }
            }
        }
    }
}
