package dev.rechunker.io.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.StoresByUri;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.WebServer;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** References are read on web servers and in buckets, and lead there. */
class ReferencePlacesTest {
    @TempDir
    Path directory = Path.of("");

    private final Data data =
            Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(7, 9), Shape.of(3, 4)), DataType.INT32)
                    .build());
    private Path document = Path.of("");

    @BeforeEach
    void writeReferences() throws IOException {
        Path source = directory.resolve("source.zarr");
        try (ChunkStore zarr = Zarr.create(source, ZarrFormat.V2)) {
            data.write(zarr, "a");
        }
        document = ReferencedStore.write(directory.resolve("refs.json"), ReferencedStore.valuesIn(source));
    }

    private Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = ReferencedStore.valuesIn(directory);
        files.keySet().removeIf(name -> name.contains("/"));
        return files;
    }

    /** Replaces relative names of files in the document by URLs. */
    private Path leadingTo(String place) throws IOException {
        String text = Files.readString(document).replace("\"refs.json.", "\"" + place + "/refs.json.");
        return Files.writeString(directory.resolve("leading.json"), text);
    }

    private void check(ChunkStore opened) throws IOException {
        try (ChunkStore store = opened) {
            data.check(store, "a");
            StoreDescriptor descriptor = store.descriptor().orElseThrow();
            try (ChunkStore again = new StoresByUri().open(descriptor).orElseThrow()) {
                data.check(again, "a");
            }
        }
    }

    @Test
    void onAWebServer() throws Exception {
        try (WebServer web = new WebServer()) {
            for (Map.Entry<String, byte[]> file : files().entrySet()) {
                web.put("/x y/" + file.getKey(), file.getValue());
                web.put("/x%20y/" + file.getKey(), file.getValue());
            }
            check(Stores.open(web.address() + "/x%20y/refs.json"));
            check(Stores.open(leadingTo(web.address() + "/x%20y")));
            int before = web.requests();
            try (ChunkStore store = Stores.open(document)) {
                data.check(store, "a");
            }
            assertEquals(before, web.requests());
        }
    }

    @Test
    void aChunkTakesOneRequest() throws Exception {
        try (WebServer web = new WebServer()) {
            files().forEach((name, bytes) -> web.put("/" + name, bytes));
            Path leading = leadingTo(web.address());
            try (ChunkStore store = Stores.open(leading)) {
                int before = web.requests();
                data.check(store, "a");
                assertTrue(web.requests() - before <= 9, () -> web.requests() - before + " requests for 9 chunks");
            }
        }
    }

    @Test
    void inABucket() throws Exception {
        try (S3Server server = S3Server.startUnsigned()) {
            String bucket = server.bucket();
            String settings = "?endpoint=" + server.address() + "&anonymous=true";
            try (KeyStore keys = server.keys(bucket, "")) {
                for (Map.Entry<String, byte[]> file : files().entrySet()) {
                    keys.put("in/" + file.getKey(), ByteBuffer.wrap(file.getValue()));
                }
                Path leading = leadingTo("s3://" + bucket + "/in");
                keys.put("refs/leading.json", ByteBuffer.wrap(Files.readAllBytes(leading)));
                keys.put("refs/out.json", ByteBuffer.wrap(Files.readAllBytes(leadingTo("../in"))));
                keys.put("refs/local.json", ByteBuffer.wrap(Files.readAllBytes(leadingTo("file:///etc"))));
            }
            check(Stores.open("s3://" + bucket + "/in/refs.json" + settings));
            check(Stores.open("s3://" + bucket + "/refs/leading.json" + settings));
            Path leading = leadingTo("s3://" + bucket + "/in");
            check(new StoresByUri().open(URI.create(leading.toUri() + settings)));
            assertRefused("s3://" + bucket + "/refs/out.json" + settings, "is outside of");
            assertRefused("s3://" + bucket + "/refs/local.json" + settings, "a file of the machine");
        }
    }

    private static void assertRefused(String place, String why) {
        String message = String.valueOf(
                assertThrows(StoreException.class, () -> Stores.open(place)).getMessage());
        assertTrue(message.contains(why), message);
    }

    @Test
    void aServerCannotLeadToPlacesThatOnlyThisMachineReaches() throws IOException {
        ReferenceTable.Builder table = new ReferenceTable.Builder("refs.json");
        table.add("a/0", "http://127.0.0.1:1/x", 0, 1);
        ReferenceTable references = table.build();
        try (KeyStore far = Stores.keys("http://192.0.2.1/x")) {
            StoreException refused = assertThrows(
                    StoreException.class,
                    () -> ReferencedFiles.open(new Origin.Remote(far, "refs.json"), references.files()));
            assertTrue(String.valueOf(refused.getMessage()).contains("fewer machines"), refused.getMessage());
        }
    }

    @Test
    void joinedWithOtherSources() throws Exception {
        Path other = directory.resolve("source.zarr");
        Path joined = directory.resolve("joined.zarr");
        try (ChunkStore references = Stores.open(document);
                ChunkStore zarr = Stores.open(other);
                ChunkStore both = Concat.along(0, references.at("a"), zarr.at("a"));
                ChunkStore target = Zarr.create(joined)) {
            Rechunker.from(both).to(target).chunks(3, 4).maxMem("20MB").execute();
        }
        try (ChunkStore store = Zarr.open(joined)) {
            byte[] once = data.elements();
            byte[] all = Data.readAll(store.openReader(""));
            assertEquals(2 * once.length, all.length);
            assertTrue(ByteBuffer.wrap(all, 0, once.length).equals(ByteBuffer.wrap(once)));
            assertTrue(ByteBuffer.wrap(all, once.length, once.length).equals(ByteBuffer.wrap(once)));
        }
    }
}
