package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.util.Random;

/** Compares datasets of the files that make_virtual.py writes with what the HDF5 library reads. */
final class VirtualFiles {
    private VirtualFiles() {}

    static void check(ChunkStore store, String name) throws IOException {
        boolean isExternal = name.startsWith("external ");
        String path = isExternal ? name.replaceFirst(" ", "/") : "virtual/" + name;
        try (ArrayReader reader = store.openReader(path);
                ArrayReader expected = store.openReader("expected/" + name)) {
            ArraySpec spec = reader.spec();
            assertEquals(expected.spec().shape(), spec.shape());
            assertEquals(expected.spec().dataType(), spec.dataType());
            byte[] elements = Data.readAll(expected);
            assertArrayEquals(elements, Data.readAll(reader));
            if (reader.traits().granularity() == Granularity.BYTES) {
                Random random = new Random(path.hashCode());
                Data data = Data.of(
                        spec,
                        (position, element) -> System.arraycopy(
                                elements, Math.toIntExact(position * element.length), element, 0, element.length));
                for (int i = 0; i < 10; i++) {
                    data.checkParts(reader, random);
                }
            }
        }
    }
}
