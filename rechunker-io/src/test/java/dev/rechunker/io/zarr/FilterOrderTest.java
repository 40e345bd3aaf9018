package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The byte order of a filter's types and that of {@code bytes} can differ. The chunks are those of zarr-python 3.1. */
class FilterOrderTest {
    private static final int[] WRITTEN = {1, 3, 6, 10, 15, 1000};

    @TempDir
    Path place = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "<u4, little, 0100000002000000030000000400000005000000d9030000",
        "<u4, big, 0000000100000002000000030000000400000005000003d9",
        ">u4, little, 0000000100000002000000030000000400000005000003d9",
        ">u4, big, 0000000100000002000000030000000400000005000003d9", // written by this library
    })
    void numbersAreThoseThatWereWritten(String type, String endian, String chunk) throws IOException {
        Files.createDirectories(place.resolve("c"));
        Files.write(place.resolve("c/0"), HexFormat.of().parseHex(chunk));
        Files.writeString(place.resolve("zarr.json"), """
                {"zarr_format": 3, "node_type": "array", "shape": [6], "data_type": "uint32",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [6]}},
                 "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
                 "fill_value": 0, "attributes": {},
                 "codecs": [{"name": "numcodecs.delta", "configuration": {"dtype": "%s"}},
                            {"name": "bytes", "configuration": {"endian": "%s"}}]}
                """.formatted(type, endian));
        try (ChunkStore store = Zarr.open(place);
                ArrayReader reader = store.openReader("")) {
            ArraySpec spec = reader.spec();
            ByteBuffer elements = ByteBuffer.allocate(24).order(spec.byteOrder());
            Scratch scratch =
                    new Scratch(ByteBuffer.allocate((int) reader.traits().scratchBytes()));
            reader.read(Region.whole(spec.shape()), elements, scratch);
            elements.clear();
            for (int expected : WRITTEN) {
                assertEquals(expected, elements.getInt());
            }
        }
    }
}
