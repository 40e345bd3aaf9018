package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests which codecs there are, and which formats have them. */
class CodecTableTest {
    private static String names(List<CodecInfo> codecs) {
        return codecs.stream().map(CodecInfo::name).sorted().collect(Collectors.joining(" "));
    }

    private static List<CodecInfo> where(Predicate<CodecInfo> condition) {
        return Codecs.all().stream().filter(condition).toList();
    }

    @Test
    void formatsHaveTheirCodecs() {
        assertEquals(
                "adler32 astype bitround blosc bytes bz2 cast_value crc32 crc32c delta fixedscaleoffset fletcher32 gzip"
                        + " jenkins_lookup3 json2 lz4 lz4block lzma packbits quantize scale_offset shuffle transpose"
                        + " zarr3.packbits zlib zstd",
                String.join(" ", Codecs.names()));
        assertEquals(
                "adler32 astype bitround blosc bz2 crc32 crc32c delta fixedscaleoffset fletcher32 gzip jenkins_lookup3"
                        + " json2 lz4 lzma packbits quantize shuffle zlib zstd",
                names(where(CodecInfo::isInNumcodecs)));
        assertEquals(
                "blosc cast_value crc32c gzip scale_offset transpose zarr3.packbits zstd",
                names(where(CodecInfo::isInZarr3)));
        assertEquals(
                "blosc bz2 gzip lz4block lzma zlib zstd",
                names(where(codec -> codec.n5().isPresent())));
        assertEquals(
                "blosc gzip hdf5.bitshuffle hdf5.fletcher32 hdf5.lz4 hdf5.lzf hdf5.nbit hdf5.scaleoffset hdf5.shuffle hdf5.szip zstd",
                names(where(codec -> codec.hdf5().isPresent())));
    }

    @Test
    void filtersOfHdf5HaveDifferentNumbers() {
        List<Integer> ids = Codecs.all().stream()
                .flatMap(codec -> codec.hdf5().stream())
                .map(Hdf5Filter::id)
                .toList();
        assertEquals(Set.copyOf(ids).size(), ids.size());
    }

    @Test
    void codecsOfHdf5OnlyAreInNoOtherFormat() {
        List<CodecInfo> own = where(CodecInfo::isOnlyInHdf5);
        assertFalse(own.isEmpty());
        for (CodecInfo codec : own) {
            assertTrue(codec.hdf5().isPresent(), codec.name());
            assertFalse(codec.isInNumcodecs() || codec.isInZarr3() || codec.n5().isPresent(), codec.name());
            assertFalse(Codecs.isSupported(codec.name()));
        }
    }

    /** Each codec takes its options one by one, and refuses those that it does not know. */
    @Test
    void unknownOptionsAreRefused() {
        for (CodecInfo codec : Codecs.all()) {
            CodecSpec spec = CodecSpec.of(codec.name()).with("no such setting", 1);
            assertThrows(
                    CodecException.class,
                    () -> Codecs.chain(List.of(spec), Chunks.line(DataType.FLOAT32, 100)),
                    codec.name());
        }
    }
}
