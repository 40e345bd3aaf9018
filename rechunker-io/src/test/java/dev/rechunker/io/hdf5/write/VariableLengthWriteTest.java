package dev.rechunker.io.hdf5.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that elements of variable length are in HDF5 and netCDF-4 files as they were, for us and for other software.
 */
class VariableLengthWriteTest {
    private static final DataType NUMBERS = DataType.sequence(DataType.INT32);
    private static final List<DataType> TYPES =
            List.of(DataType.text(), DataType.binary(), NUMBERS, DataType.sequence(DataType.FLOAT64));
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 24, 33, 0, 2, 4095, 5, 4096, 70_000};
    private static final int LONGEST = 70_000;

    @TempDir
    Path temporary;

    /** {@return the contents at a position; {@code variable.py} has the same formula} */
    private static byte[] contents(DataType type, int position) {
        int length = LENGTHS[position % LENGTHS.length];
        if (type.kind() == DataType.Kind.SEQUENCE) {
            boolean isFloat = type.detail().equals("float64");
            ByteBuffer numbers = ByteBuffer.allocate(length / 8 * 8).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; numbers.hasRemaining(); i++) {
                if (isFloat) {
                    numbers.putDouble(position + i + 0.5);
                } else {
                    numbers.putInt(position - i);
                }
            }
            return numbers.array();
        }
        byte[] bytes = new byte[length];
        if (type.kind() == DataType.Kind.BINARY) {
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) (position + i);
            }
            return bytes;
        }
        byte[] pattern = (position + (position % 3 == 0 ? "é€😀" : ":")).getBytes(StandardCharsets.UTF_8);
        Arrays.fill(bytes, (byte) 'x');
        for (int at = 0; at + pattern.length <= length; at += pattern.length) {
            System.arraycopy(pattern, 0, bytes, at, pattern.length);
        }
        return bytes;
    }

    private static void put(ByteBuffer target, byte[] contents) {
        int end = target.position() + DataType.LENGTH_SIZE + LONGEST;
        target.putInt(contents.length).put(contents).position(end);
    }

    private static byte[] elements(DataType type, Shape shape) {
        int count = (int) shape.elements();
        ByteBuffer all =
                ByteBuffer.allocate(count * (DataType.LENGTH_SIZE + LONGEST)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            put(all, contents(type, i));
        }
        return all.array();
    }

    private static ArraySpec.Builder spec(DataType type, Shape shape, Shape chunks) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("kind", type.name());
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), type.upTo(LONGEST))
                .attributes(attributes);
    }

    /** The arrays of a file by path: of every layout, with one to three axes. */
    private static Map<String, ArraySpec> arrays(boolean isNetcdf) {
        Map<String, ArraySpec> arrays = new LinkedHashMap<>();
        for (DataType type : TYPES) {
            String name = type.name().replaceAll("\\W", "_") + "_";
            arrays.put(name + "line", spec(type, Shape.of(100), Shape.of(7)).build());
            arrays.put(
                    name + "plane",
                    spec(type, Shape.of(9, 11), Shape.of(4, 5))
                            .codecs(CodecSpec.parse("shuffle+gzip"))
                            .unlimitedAxes(Set.of(0))
                            .build());
            arrays.put(
                    name + "cube",
                    spec(type, Shape.of(3, 4, 5), Shape.of(2, 3, 2))
                            .codecs(CodecSpec.parse("gzip"))
                            .build());
            arrays.put(name + "wide", spec(type, Shape.of(30), Shape.of(1000)).build());
            arrays.put(name + "scalar", spec(type, Shape.of(), Shape.of()).build());
            arrays.put(
                    name + "contiguous",
                    spec(type, Shape.of(6, 5), Shape.of(6, 5))
                            .hints(Map.of(Hdf5Names.LAYOUT_HINT, Hdf5Names.CONTIGUOUS))
                            .build());
            arrays.put(
                    name + "empty", spec(type, Shape.of(0, 3), Shape.of(4, 2)).build());
            arrays.put(
                    name + "huge",
                    spec(type, Shape.of(5), Shape.of(1_000_000))
                            .codecs(CodecSpec.parse("shuffle+gzip"))
                            .build());
            if (!isNetcdf) {
                arrays.put(
                        name + "regions",
                        spec(type, Shape.of(7, 6), Shape.of(3, 4))
                                .hints(Map.of(Hdf5Names.LAYOUT_HINT, Hdf5Names.REGIONS))
                                .build());
            }
        }
        return arrays;
    }

    /** Copies all arrays to a file, and compares it with the source. */
    private static void copy(ChunkStore target, boolean isNetcdf) throws IOException, InterruptedException {
        MemoryStore source = new MemoryStore();
        Map<String, ArraySpec> arrays = arrays(isNetcdf);
        arrays.forEach((path, spec) -> source.put(path, spec, elements(spec.dataType(), spec.shape())));
        Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("300MB")
                .verify()
                .execute();
        for (String path : arrays.keySet()) {
            MemoryStore again = new MemoryStore();
            Rechunker.from(target.at(path))
                    .to(again)
                    .chunks("keep")
                    .maxMem("300MB")
                    .execute();
            assertArrayEquals(source.elements(path), again.elements(""), path);
        }
    }

    /** Writes the units of an array that are not left out, with the scratch that the writer declares. */
    private static void write(ChunkStore target, String path, ArraySpec wanted, Set<Integer> omitted)
            throws IOException {
        ArraySpec spec = target.resolve(wanted);
        try (ArrayWriter writer = target.create(path, spec, false)) {
            Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
            for (int unit = 0; unit < spec.chunks().count(); unit++) {
                if (!omitted.contains(unit)) {
                    writer.write(
                            spec.chunks().regionAt(unit),
                            unit(spec, spec.chunks().regionAt(unit)),
                            scratch);
                }
            }
            writer.commit();
        }
    }

    private static ByteBuffer unit(ArraySpec spec, Region region) {
        ByteBuffer data = ByteBuffer.allocate((int) region.elements() * (DataType.LENGTH_SIZE + LONGEST))
                .order(ByteOrder.LITTLE_ENDIAN);
        for (long i = region.start(0); i < region.end(0); i++) {
            put(data, contents(spec.dataType(), (int) i));
        }
        return data.flip();
    }

    /** Writes arrays in which units are missing, with and without a fill value. */
    private static void writeHoles(ChunkStore target, boolean isNetcdf) throws IOException {
        for (DataType type : List.of(DataType.text(), NUMBERS)) {
            FillValue fill = FillValue.ofContents(
                    type.equals(NUMBERS)
                            ? new byte[] {7, 0, 0, 0, 8, 0, 0, 0}
                            : "fill €".getBytes(StandardCharsets.UTF_8));
            List<Map<String, String>> layouts = new ArrayList<>(List.of(Map.of()));
            if (!isNetcdf) {
                layouts.add(Map.of(Hdf5Names.LAYOUT_HINT, Hdf5Names.REGIONS));
            }
            for (Map<String, String> layout : layouts) {
                for (FillValue value : List.of(fill, FillValue.UNDEFINED, FillValue.ofContents(new byte[0]))) {
                    ArraySpec.Builder spec = spec(type, Shape.of(40), Shape.of(9))
                            .hints(layout)
                            .fillValue(value)
                            .missingValue(value.equals(fill) ? fill : FillValue.UNDEFINED);
                    Map<String, @Nullable Object> attributes = new LinkedHashMap<>(Map.of("kind", type.name()));
                    attributes.put("missing_from", 9L);
                    attributes.put("missing_to", 18L);
                    attributes.put("is_filled", value.equals(fill) ? 1L : 0L);
                    String path = (type.equals(NUMBERS) ? "holes_numbers_" : "holes_text_")
                            + layout.size()
                            + (value.isDefined() ? value.contents().length : "none");
                    write(target, path, spec.attributes(attributes).build(), Set.of(1));
                }
            }
        }
    }

    @Test
    void readsWhatItHasWritten() throws Exception {
        try (ChunkStore target = Hdf5.create(temporary.resolve("all.h5"))) {
            copy(target, false);
        }
        try (ChunkStore target = Hdf5.createNetcdf4(temporary.resolve("all.nc"))) {
            copy(target, true);
        }
    }

    @Test
    void takesWhatWasWrittenLast() throws Exception {
        try (ChunkStore target = Hdf5.create(temporary.resolve("again.h5"))) {
            ArraySpec spec = target.resolve(
                    spec(DataType.text(), Shape.of(40), Shape.of(20)).build());
            try (ArrayWriter writer = target.create("a", spec, false)) {
                Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
                for (Region unit :
                        List.of(spec.chunks().regionAt(1), spec.chunks().regionAt(0))) {
                    writer.write(spec.chunks().regionAt(0), unit(spec, unit), scratch);
                    writer.write(spec.chunks().regionAt(1), unit(spec, unit), scratch);
                }
                writer.write(spec.chunks().regionAt(1), unit(spec, spec.chunks().regionAt(1)), scratch);
                writer.commit();
            }
            MemoryStore again = new MemoryStore();
            Rechunker.from(target.at("a"))
                    .to(again)
                    .chunks("keep")
                    .maxMem("100MB")
                    .execute();
            assertArrayEquals(elements(DataType.text(), Shape.of(40)), again.elements(""));
        }
    }

    @Test
    void refusesWhatReadersWouldCutOff() throws Exception {
        try (ChunkStore target = Hdf5.create(temporary.resolve("zero.h5"))) {
            ArraySpec spec = target.resolve(ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(1), Shape.of(1)),
                            DataType.text().upTo(3))
                    .build());
            try (ArrayWriter writer = target.create("a", spec, false)) {
                Scratch scratch = Scratch.allocate((int) writer.traits().scratchBytes());
                for (byte[] wrong : new byte[][] {{3, 0, 0, 0, 'a', 0, 'b'}, {1, 0, 0, 0, (byte) 0xFF, 0, 0}}) {
                    StoreException refused = assertThrows(
                            StoreException.class,
                            () -> writer.write(spec.chunks().regionAt(0), ByteBuffer.wrap(wrong), scratch));
                    assertTrue(
                            String.valueOf(refused.getMessage()).contains(wrong[4] == 'a' ? "U+0000" : "UTF-8"),
                            refused.toString());
                }
            }
        }
    }

    @Test
    void refusesFillValuesThatReadersWouldCutOff() throws Exception {
        try (ChunkStore target = Hdf5.create(temporary.resolve("fill.h5"))) {
            ArraySpec spec = spec(DataType.text(), Shape.of(1), Shape.of(1))
                    .fillValue(FillValue.ofContents(new byte[] {'a', 0}))
                    .build();
            StoreException refused = assertThrows(StoreException.class, () -> target.resolve(spec));
            assertTrue(String.valueOf(refused.getMessage()).contains("fill value"), refused.toString());
        }
    }

    @Test
    void takesNoChecksumsOfReferences() throws Exception {
        ArraySpec spec = spec(DataType.text(), Shape.of(1), Shape.of(1))
                .codecs(CodecSpec.parse("shuffle+gzip+fletcher32"))
                .build();
        try (ChunkStore hdf5 = Hdf5.create(temporary.resolve("checksum.h5"));
                ChunkStore netcdf = Hdf5.createNetcdf4(temporary.resolve("checksum.nc"))) {
            StoreException refused = assertThrows(StoreException.class, () -> hdf5.resolve(spec));
            assertTrue(String.valueOf(refused.getMessage()).contains("fletcher32"), refused.toString());
            assertEquals(2, hdf5.rules().adopt(spec).codecs().size());
            assertEquals(List.of(), netcdf.rules().adopt(spec).codecs());
        }
    }

    @Test
    void refusesSequencesThatNetcdfDoesNotHave() throws Exception {
        try (ChunkStore target = Hdf5.createNetcdf4(temporary.resolve("complex.nc"))) {
            for (DataType number : List.of(DataType.COMPLEX64, DataType.BOOL, DataType.FLOAT16)) {
                DataType type = DataType.sequence(number);
                UnsupportedArrayException refused = assertThrows(
                        UnsupportedArrayException.class,
                        () -> target.resolve(
                                spec(type, Shape.of(1), Shape.of(1)).build()));
                assertTrue(String.valueOf(refused.getMessage()).contains(type.name()), refused.toString());
            }
        }
    }

    @Test
    void sharesCollectionsOfSmallUnits() throws Exception {
        Path file = temporary.resolve("small.h5");
        try (ChunkStore target = Hdf5.create(file)) {
            ArraySpec spec = spec(DataType.text(), Shape.of(1000), Shape.of(1)).build();
            ByteBuffer all =
                    ByteBuffer.allocate(1000 * (DataType.LENGTH_SIZE + LONGEST)).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < 1000; i++) {
                put(all, Integer.toString(i).getBytes(StandardCharsets.UTF_8));
            }
            Rechunker.from(MemoryStore.of(spec, all.array()))
                    .to(target)
                    .chunks(1)
                    .maxMem("100MB")
                    .execute();
        }
        assertTrue(file.toFile().length() < 300_000, file.toFile().length() + " bytes");
    }

    @ReferenceTest
    @Test
    void h5pyAndNetcdfReadEverything() throws Exception {
        Path hdf5 = temporary.resolve("all.h5");
        Path netcdf = temporary.resolve("all.nc");
        for (Path file : List.of(hdf5, netcdf)) {
            boolean isNetcdf = file.equals(netcdf);
            try (ChunkStore target = isNetcdf ? Hdf5.createNetcdf4(file) : Hdf5.create(file)) {
                copy(target, isNetcdf);
            }
            Path holes = temporary.resolve("holes_" + file.getFileName());
            try (ChunkStore target = isNetcdf ? Hdf5.createNetcdf4(holes) : Hdf5.create(holes)) {
                writeHoles(target, isNetcdf);
                target.finish(false);
            }
            for (Path written : List.of(file, holes)) {
                ReferencePrograms.python(temporary, "hdf5/variable.py", written.toString());
                ReferencePrograms.xarray(temporary, "hdf5/variable.py", written.toString());
                if (written.equals(hdf5)) { // h5repack damages files with fill values of variable length, also of h5py
                    Path copy = temporary.resolve("copy_" + written.getFileName());
                    ReferencePrograms.run(temporary, List.of("h5repack", written.toString(), copy.toString()));
                    ReferencePrograms.python(temporary, "hdf5/variable.py", copy.toString());
                }
                ReferencePrograms.run(temporary, List.of("h5dump", "-o", "dump.txt", written.toString()));
                if (isNetcdf) {
                    ReferencePrograms.run(temporary, List.of("ncdump", written.toString()));
                    Path again = temporary.resolve("nccopy_" + written.getFileName());
                    ReferencePrograms.run(temporary, List.of("nccopy", written.toString(), again.toString()));
                    ReferencePrograms.python(temporary, "hdf5/variable.py", again.toString());
                }
            }
            ReferencePrograms.python(temporary, "hdf5/variable.py", file.toString(), "edit");
        }
    }
}
