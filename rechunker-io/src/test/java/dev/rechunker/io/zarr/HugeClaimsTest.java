package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small documents that describe very large elements, shapes or numbers of shards are refused or handled. */
class HugeClaimsTest {
    private static final long HUGE = 1L << 40;

    @TempDir
    Path temporary;

    private ChunkStore store(String document, String text) throws IOException {
        Files.write(temporary.resolve(document), text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return Zarr.open(temporary);
    }

    private ChunkStore version2(String shape, String chunks, String dtype, String fill) throws IOException {
        return store(
                ".zarray",
                "{'zarr_format':2,'shape':[" + shape + "],'chunks':[" + chunks + "],'dtype':" + dtype + ",'fill_value':"
                        + fill + ",'order':'C','filters':null,'compressor':null}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"'|S999999999'", "'|V2147483647'", "'<U268435455'", "[['a','<i4',[1000,1000,1000]]]"})
    void hugeElementsOfVersion2AreRefused(String dtype) throws IOException {
        try (ChunkStore store = version2("3", "3", dtype, "null")) {
            StoreException e = assertThrows(StoreException.class, () -> store.node(""));
            assertTrue(String.valueOf(e.getMessage()).contains("1048576"), e::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"r8589934584", "{'name':'raw_bytes','configuration':{'length_bytes':999999999}}"})
    void hugeElementsOfVersion3AreRefused(String type) throws IOException {
        String stated = type.startsWith("{") ? type : "'" + type + "'";
        try (ChunkStore store = store(
                "zarr.json",
                "{'zarr_format':3,'node_type':'array','shape':[3],'data_type':" + stated
                        + ",'chunk_grid':{'name':'regular','configuration':{'chunk_shape':[3]}},'chunk_key_encoding':"
                        + "{'name':'default'},'fill_value':[0],'codecs':[{'name':'bytes'}],'attributes':{}}")) {
            assertThrows(StoreException.class, () -> store.node(""));
        }
    }

    /** Shapes of more than 32 axes or 2^63 bytes are refused when the copy is planned. */
    @ParameterizedTest
    @CsvSource({
        "33, 1",
        "1000, 2",
        "32, 1",
        "3, 4611686018427387904",
        "2, 4611686018427387904",
        "1, 9223372036854775807"
    })
    void hugeShapesAreRefused(int rank, long extent) throws IOException {
        String shape = String.join(",", Collections.nCopies(rank, Long.toString(extent)));
        for (String chunks : new String[] {shape, String.join(",", Collections.nCopies(rank, "1"))}) {
            try (ChunkStore store = version2(shape, chunks, "'<u2'", "0")) {
                try {
                    Rechunker.from(store)
                            .to(MemoryStore.builder().build())
                            .chunks("keep")
                            .maxMem("10MB")
                            .plan();
                    assertEquals(32, rank);
                } catch (IOException | IllegalArgumentException | ArithmeticException e) {
                    assertTrue(rank != 32, e::toString);
                    assertTrue(String.valueOf(e.getMessage()).length() < 5000);
                }
            }
        }
    }

    /** A shard can be read even if its ordinal does not fit in 64 bits. */
    @Test
    void anArrayMayHaveMoreThan2To64Shards() throws IOException {
        String document = "{'zarr_format':3,'node_type':'array','shape':[%d,%d],'data_type':'uint8',"
                + "'chunk_grid':{'name':'regular','configuration':{'chunk_shape':[1,2]}},"
                + "'chunk_key_encoding':{'name':'default'},'fill_value':0,'attributes':{},'codecs':["
                + "{'name':'sharding_indexed','configuration':{'chunk_shape':[1,1],'codecs':[{'name':'bytes'}],"
                + "'index_codecs':[{'name':'bytes','configuration':{'endian':'little'}},{'name':'crc32c'}]}}]}";
        byte[] shard;
        try (ChunkStore store = store("zarr.json", String.format(document, 1, 2))) {
            Data data = Data.of(((ChunkStore.ArrayNode) store.node("").orElseThrow()).spec());
            ChunkStore other = Zarr.create(temporary.resolve("other"));
            data.write(other, "x");
            shard = Files.readAllBytes(temporary.resolve("other/x/c/0/0"));
        }
        long last = HUGE - 1;
        Path place = temporary.resolve("c/" + last + "/" + (HUGE / 2 - 1));
        Files.createDirectories(place.getParent());
        Files.write(place, shard);
        try (ChunkStore store = store("zarr.json", String.format(document, HUGE, HUGE));
                ArrayReader reader = store.openReader("")) {
            ByteBuffer element = ByteBuffer.allocateDirect(1);
            Scratch scratch =
                    new Scratch(ByteBuffer.allocateDirect((int) reader.traits().scratchBytes()));
            Region region = Region.of(new long[] {last, HUGE - 1}, Shape.of(1, 1));
            assertTrue(reader.read(region, element, scratch));
            assertFalse(reader.read(Region.of(new long[] {last, 0}, Shape.of(1, 1)), element.clear(), scratch));
        }
    }
}
