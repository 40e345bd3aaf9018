package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How the specs of arrays of other formats are converted. */
class AdoptionTest {
    private static final String USUAL = "blosc{cname=lz4, clevel=5, shuffle=shuffle, typesize=2, blocksize=0}";

    @TempDir
    Path temporary;

    private ChunkStore store(ZarrFormat format) {
        return Zarr.create(temporary.resolve("a.zarr"), format);
    }

    private List<CodecSpec> adopted(ZarrFormat format, ArraySpec foreign) throws IOException {
        ChunkStore store = store(format);
        ArraySpec adopted = store.rules().adopt(foreign);
        assertEquals(foreign.attributes(), adopted.attributes());
        assertEquals(foreign.dimensionNames(), adopted.dimensionNames());
        store.resolve(adopted);
        return adopted.codecs();
    }

    private static ArraySpec foreign(List<CodecSpec> codecs) {
        return Specs.cube(DataType.UINT16)
                .codecs(codecs)
                .dimensionNames(List.of("z", "y", "x"))
                .attributes(Map.of("units", "m"))
                .hints(Map.of("h5.layout", "chunked"))
                .build();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none                               | kept    | kept",
                "gzip:level=4                       | kept    | kept",
                "zstd:level=3                       | kept    | kept",
                "blosc:cname=zstd,clevel=5          | kept    | kept",
                "shuffle:elementsize=2+gzip:level=4 | kept    | replaced",
                "shuffle:elementsize=2+zlib:level=4 | kept    | replaced",
                "zlib:level=4                       | kept    | replaced",
                "lz4                                | kept    | replaced",
                "bz2:level=9                        | kept    | replaced",
                "lzf                                | replaced| replaced",
                "fletcher32                         | kept    | replaced",
                "scaleoffset:scale=3+gzip:level=4   | replaced| replaced",
                "gzip:level=4+fletcher32            | kept    | replaced",
                "gzip:level=4,strange=1             | replaced| replaced",
                "lz4:blockSize=65536                | replaced| replaced",
                "gzip:level=4+crc32c                | kept    | kept"
            })
    void codecsThatZarrDoesNotHaveAreReplaced(String codecs, String version2, String version3) throws IOException {
        List<CodecSpec> steps = CodecSpec.parse(codecs);
        for (ZarrFormat format : ZarrFormat.values()) {
            boolean kept = (format == ZarrFormat.V2 ? version2 : version3).equals("kept");
            assertEquals(
                    kept ? steps.toString() : "[" + USUAL + "]",
                    adopted(format, foreign(steps)).toString(),
                    format + " " + codecs);
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void aTranspositionIsKeptIfTheVersionHasIt(ZarrFormat format) throws IOException {
        CodecSpec reversed = V2Codecs.reversed(3);
        assertEquals(
                "[" + reversed + ", " + USUAL + "]",
                adopted(format, foreign(List.of(reversed, CodecSpec.of("lzf")))).toString());
        CodecSpec mixed = CodecSpec.of("transpose").with("order", List.of(1L, 0L, 2L));
        assertEquals(
                format == ZarrFormat.V2 ? "[" + USUAL + "]" : "[" + mixed + ", " + USUAL + "]",
                adopted(format, foreign(List.of(mixed, CodecSpec.of("lzf")))).toString());
    }

    @Test
    void codecsOfZarrAreKeptByEachVersion() throws IOException {
        for (List<CodecSpec> codecs : Specs.shared().values()) {
            for (ZarrFormat from : ZarrFormat.values()) {
                ArraySpec spec = store(from).resolve(foreign(codecs));
                for (ZarrFormat to : ZarrFormat.values()) {
                    assertEquals(spec, store(to).rules().adopt(spec), from + " to " + to);
                }
            }
        }
    }

    @Test
    void shardsAreKeptInVersion3Only() {
        ArraySpec spec = foreign(List.of()).toBuilder()
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 10)))
                .build();
        assertEquals(spec, store(ZarrFormat.V3).rules().adopt(spec));
        assertEquals(
                spec.toBuilder().shards(null).build(),
                store(ZarrFormat.V2).rules().adopt(spec));
    }

    @Test
    void aTypeThatTheVersionDoesNotHaveIsRefusedByResolve() {
        ArraySpec spec =
                Specs.cube(Specs.RECORD).codecs(List.of(CodecSpec.of("lzf"))).build();
        ChunkStore store = store(ZarrFormat.V3);
        assertEquals(spec, store.rules().adopt(spec));
        assertThrows(StoreException.class, () -> store.resolve(store.rules().adopt(spec)));
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void attributesOfGroupsAreKeptOrRefused(ZarrFormat format) throws IOException {
        Map<String, Object> attributes = Map.of("a", 1L, "b", List.of(1.5, "x"), "c", Map.of("d", true));
        GroupSpec group = GroupSpec.of(attributes);
        assertEquals(group, store(format).rules().resolveGroup("", group, Map.of()));
        assertThrows(
                StoreException.class,
                () -> store(format).rules().resolveGroup("", GroupSpec.of(Map.of("a", new byte[3])), Map.of()));
    }
}
