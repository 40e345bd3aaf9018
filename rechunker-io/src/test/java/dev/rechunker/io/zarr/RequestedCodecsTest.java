package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The codecs of an array after a copy with requested codecs. */
class RequestedCodecsTest {
    @TempDir
    Path directory;

    private int copies;

    private List<CodecSpec> copied(ArraySpec source, String codec, String format) throws Exception {
        MemoryStore from = new MemoryStore();
        Data data = Data.of(source);
        data.write(from, "");
        try (ChunkStore to = Zarr.create(directory.resolve("copy" + copies++))) {
            Rechunker.from(from)
                    .to(to)
                    .chunks("keep")
                    .maxMem("4MB")
                    .codec(codec)
                    .format(format)
                    .execute();
            data.check(to, "");
            return ((ChunkStore.ArrayNode) to.node("").orElseThrow()).spec().codecs();
        }
    }

    @Test
    void aRequestedAxisOrderReplacesThatOfTheSource() throws Exception {
        ArraySpec plain = Specs.cube(DataType.INT16).codecs(List.of()).build();
        ArraySpec reversed =
                plain.toBuilder().codecs(List.of(V2Codecs.reversed(3))).build();
        List<CodecSpec> expected = List.of(V2Codecs.reversed(3));
        for (String format : List.of("zarr2", "zarr3")) {
            assertEquals(expected, copied(plain, "transpose:order=F", format));
            assertEquals(expected, copied(reversed, "transpose:order=F", format));
            assertNotEquals(expected, copied(reversed, "transpose:order=C", format));
            assertEquals(expected, copied(reversed, "none", format));
        }
    }

    @Test
    void thePrefixOfNumcodecsIsAccepted() throws Exception {
        ArraySpec source = Specs.cube(DataType.INT16).build();
        for (String format : List.of("zarr2", "zarr3")) {
            assertEquals("zlib", copied(source, "numcodecs.zlib", format).get(0).name());
        }
    }

    @Test
    void theShuffleOfBloscMayBeANumber() throws Exception {
        ArraySpec source = Specs.cube(DataType.INT16).build();
        for (String format : List.of("zarr2", "zarr3")) {
            CodecSpec blosc = copied(source, "blosc:shuffle=2", format).get(0);
            assertEquals("bitshuffle", blosc.options().get("shuffle"));
        }
    }

    @Test
    void settingsMayBeFractions() throws Exception {
        ArraySpec source = Specs.cube(DataType.INT32).build();
        CodecSpec filter = copied(source, "fixedscaleoffset:scale=1.0,offset=-2.5e3,dtype=<i4,astype=<f8", "zarr2")
                .get(0);
        assertEquals(-2500.0, filter.options().get("offset"));
    }

    @Test
    void packbitsRefusesValuesThatItWouldLose() {
        ArraySpec source = Specs.cube(DataType.INT16).build();
        IOException e = assertThrows(IOException.class, () -> copied(source, "packbits", "zarr2"));
        assertTrue(String.valueOf(e.getMessage()).contains("must be 0 or 1"), e::getMessage);
    }

    /** Such an array could not be read by other Zarr implementations. */
    @Test
    void codecsThatOnlyHdf5HasAreRefused() {
        ArraySpec source = Specs.cube(DataType.INT32).build();
        for (String format : List.of("zarr2", "zarr3")) {
            IOException e = assertThrows(IOException.class, () -> copied(source, "hdf5.shuffle:elementsize=4", format));
            assertTrue(String.valueOf(e.getMessage()).contains("cannot store the codec hdf5.shuffle"), e::getMessage);
        }
    }
}
