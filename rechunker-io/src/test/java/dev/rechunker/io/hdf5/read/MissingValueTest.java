package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests missing values and fill values of the files of make_described.py. */
class MissingValueTest {
    @TempDir
    Path directory = Path.of("");

    private @Nullable ChunkStore netcdf;
    private @Nullable ChunkStore hdf5;

    @BeforeEach
    void open() throws IOException {
        netcdf = Hdf5.open(Corpus.copy("missing.nc", directory));
        hdf5 = Hdf5.open(Corpus.copy("missing.h5", directory));
    }

    @AfterEach
    void close() throws IOException {
        for (ChunkStore store : new ChunkStore[] {netcdf, hdf5}) {
            if (store != null) {
                store.close();
            }
        }
    }

    private static ArraySpec spec(@Nullable ChunkStore store, String name) throws IOException {
        if (store == null) {
            throw new AssertionError("not open");
        }
        assertEquals(List.of(), store.omissions(name), name);
        return ((ArrayNode) store.node(name).orElseThrow()).spec();
    }

    private static FillValue hex(String bytes) {
        return FillValue.of(HexFormat.of().parseHex(bytes));
    }

    private static void assertMissing(@Nullable ChunkStore store, String name, String bytes) throws IOException {
        ArraySpec spec = spec(store, name);
        assertEquals(hex(bytes), spec.missingValue(), name);
        assertEquals(Map.of(), spec.attributes(), name);
        assertEquals(Map.of(), spec.attributeTypes(), name);
        assertFalse(spec.hints().containsKey("hdf5.omitted"), name);
    }

    @Test
    void missingValueOfNetcdfHasTheTypeOfItsVariable() throws IOException {
        Map<String, String> sevens = Map.of(
                "i1",
                "07",
                "u1",
                "07",
                "i2",
                "0700",
                "u2",
                "0700",
                "i4",
                "07000000",
                "u4",
                "07000000",
                "i8",
                "0700000000000000",
                "u8",
                "0700000000000000",
                "f4",
                "0000e040",
                "f8",
                "0000000000001c40");
        for (Map.Entry<String, String> seven : sevens.entrySet()) {
            assertMissing(netcdf, seven.getKey(), seven.getValue());
            assertEquals(hex(seven.getValue()), spec(netcdf, seven.getKey()).fillValue());
        }
        assertMissing(netcdf, "big", "fffe");
        assertMissing(netcdf, "nan", "0000c07f");
        assertMissing(netcdf, "char", "7a");
        assertMissing(netcdf, "enum", "ff");
    }

    /** NetCDF fills each variable with a value of its type, but readers take elements with this value as they are. */
    @Test
    void defaultFillValueOfNetcdfIsNotMissing() throws IOException {
        ArraySpec filled = spec(netcdf, "default");
        assertEquals(FillValue.UNDEFINED, filled.missingValue());
        assertEquals(hex("0000f07c"), filled.fillValue());
        assertFalse(filled.hints().containsKey("hdf5.fill"));
        ArraySpec unfilled = spec(netcdf, "nofill");
        assertEquals(FillValue.UNDEFINED, unfilled.missingValue());
    }

    @Test
    void fillValueThatIsNotStatedIsZeroAndNotMissing() throws IOException {
        ArraySpec unstated = spec(hdf5, "default");
        assertEquals(FillValue.zero(2), unstated.fillValue());
        assertEquals("default", unstated.hints().get("hdf5.fill"));
        ArraySpec stated = spec(hdf5, "stated_zero");
        assertEquals(FillValue.zero(2), stated.fillValue());
        assertFalse(stated.hints().containsKey("hdf5.fill"));
        for (ArraySpec spec : List.of(stated, unstated)) {
            assertEquals(FillValue.UNDEFINED, spec.missingValue());
        }
    }

    @Test
    void missingValueThatElementsCanHaveIsConverted() throws IOException {
        assertMissing(hdf5, "vector", "19fc");
        assertMissing(hdf5, "scalar", "19fc");
        assertMissing(hdf5, "other_order", "fc19");
        assertMissing(hdf5, "wider", "fc19");
        assertMissing(hdf5, "float_for_int", "00286bee");
        assertMissing(hdf5, "int_for_float", "00c079c4");
        assertMissing(hdf5, "float_for_half", "0038");
        assertMissing(hdf5, "wider_nan", "0000c07f");
        assertMissing(hdf5, "complex", "0000803f000000c0");
        assertMissing(hdf5, "record", "010000000040");
        assertMissing(hdf5, "words", "2d0000");
        assertMissing(hdf5, "text_for_words", "6e2f61");
    }

    @Test
    void missingValueThatElementsCannotHaveStaysAnAttribute() throws IOException {
        Map<String, Object> values =
                Map.of("too_large", -999L, "fraction", 0.5, "rounded", 0.1, "text", "none", "two", List.of(1L, 2L));
        for (Map.Entry<String, Object> value : values.entrySet()) {
            ArraySpec spec = spec(hdf5, value.getKey());
            assertEquals(FillValue.UNDEFINED, spec.missingValue(), value.getKey());
            assertEquals(Map.of("_FillValue", value.getValue()), spec.attributes());
        }
        assertEquals(
                "int16", String.valueOf(spec(hdf5, "too_large").attributeTypes().get("_FillValue")));
    }
}
