package dev.rechunker.io.hdf5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Enumerations, named types and bit fields survive a copy to HDF5, and to Zarr or N5 and back. */
class NamedTypesTest {
    @TempDir
    Path directory;

    private static List<String> copy(ChunkStore from, ChunkStore to) throws Exception {
        try (from;
                to) {
            return Rechunker.from(from).to(to).chunks("keep").maxMem("32MB").execute().losses().stream()
                    .filter(loss -> loss.kind() != Loss.Kind.LAYOUT)
                    .map(Loss::sentence)
                    .toList();
        }
    }

    /** {@return what is said of types in a store, by the path of the node} */
    private static Map<String, String> types(ChunkStore store) throws IOException {
        try (store) {
            Map<String, String> types = new TreeMap<>();
            add(store, "", types);
            return types;
        }
    }

    private static void add(ChunkStore store, String path, Map<String, String> types) throws IOException {
        ChunkStore.Node node = store.node(path).orElseThrow();
        if (node instanceof ChunkStore.ArrayNode array) {
            types.put(
                    path,
                    array.spec().dataType() + " " + array.spec().typeHints()
                            + new TreeMap<>(array.spec().attributeTypes()));
            return;
        }
        types.put(path, new TreeMap<>(((ChunkStore.GroupNode) node).spec().attributeTypes()).toString());
        for (String child : store.children(path)) {
            add(store, path.isEmpty() ? child : path + "/" + child, types);
        }
    }

    private static Map<String, String> typesOfFile() {
        String level = "{\"HIGH\":300,\"LOW\":-5}";
        Map<String, String> expected = new TreeMap<>();
        expected.put("", "{first=text null-padded utf-8 5 as text, second=text null-padded utf-8 5 as text}");
        expected.put(
                "big",
                "int32 {names={\"A\":1,\"B\":300}, type.name=types/big}{named=int32 {\"A\":1,\"B\":300} as types/big}");
        expected.put("flags", "bool {type.name=flag}{}");
        expected.put("g", "{levels=int16 " + level + " as ../types/level[2]}");
        expected.put(
                "g/named",
                "int16 {names=" + level + ", type.name=../types/level}{named=int16 " + level
                        + " as ../types/level, unnamed=int16 " + level + "}");
        expected.put("numbers", "uint16 {type.name=number}{}");
        expected.put("pairs", "record12 {type.name=pair}{}");
        expected.put("types", "{}");
        expected.put("unnamed", "int16 {names=" + level + "}{}");
        return expected;
    }

    @Test
    void typesAreKept() throws Exception {
        Path file = Fixtures.resource("hdf5/types.h5", directory);
        assertEquals(typesOfFile(), types(Hdf5.open(file)));
        assertEquals(List.of(), copy(Hdf5.open(file), Hdf5.create(directory.resolve("copy.h5"))));
        assertEquals(typesOfFile(), types(Hdf5.open(directory.resolve("copy.h5"))));
    }

    @Test
    void typesComeBackFromOtherFormats() throws Exception {
        Path file = Fixtures.resource("hdf5/types.h5", directory);
        for (ZarrFormat format : ZarrFormat.values()) {
            Path zarr = directory.resolve(format + ".zarr");
            Path back = directory.resolve(format + ".h5");
            assertEquals(List.of(), copy(Hdf5.open(file), Zarr.create(zarr, format)));
            assertEquals(List.of(), copy(Zarr.open(zarr), Hdf5.create(back)));
            assertEquals(typesOfFile(), types(Hdf5.open(back)));
        }
        Path n5 = directory.resolve("x.n5");
        copy(Hdf5.open(file), N5.create(n5));
        copy(N5.open(n5), Hdf5.create(directory.resolve("n5.h5")));
        assertEquals(
                typesOfFile().get("g/named"),
                types(Hdf5.open(directory.resolve("n5.h5"))).get("g/named"));
    }

    private static Map<String, String> detailsOfFile() {
        Map<String, String> expected = new TreeMap<>();
        expected.put("", "{}");
        expected.put("bits16", "uint16 {type.bits=16 bits from bit 0}{}");
        expected.put("bits32", "uint32 {type.bits=12 bits from bit 2}{}");
        expected.put("bits64", "uint64 {type.bits=64 bits from bit 0}{}");
        expected.put("bits8", "uint8 {type.bits=8 bits from bit 0}{}");
        String names = "{\\\"LOW\\\":-5,\\\"HIGH\\\":300}";
        String inner =
                "{\\\"tagged\\\":{\\\"type.tag\\\":\\\"what\\\"},\\\"space\\\":{\\\"hdf5.string\\\":\\\"space-padded"
                        + " utf-8\\\"}}";
        expected.put(
                "records",
                "record31 {type.fields={\"level\":{\"names\":\"" + names + "\"},\"cube\":{\"names\":\"" + names
                        + "\"},\"bits\":{\"type.bits\":\"8 bits from bit 0\"},\"inner\":{\"type.fields\":\"" + inner
                        + "\"}}}{}");
        expected.put("tagged", "raw5 {type.tag=a tag}{}");
        return expected;
    }

    @Test
    void detailsAreKept() throws Exception {
        Path file = Fixtures.resource("hdf5/details.h5", directory);
        assertEquals(detailsOfFile(), types(Hdf5.open(file)));
        assertEquals(List.of(), copy(Hdf5.open(file), Hdf5.create(directory.resolve("copy.h5"))));
        assertEquals(detailsOfFile(), types(Hdf5.open(directory.resolve("copy.h5"))));
        for (ZarrFormat format : ZarrFormat.values()) {
            Path zarr = directory.resolve(format + ".zarr");
            copy(Hdf5.open(file), Zarr.create(zarr, format));
            assertEquals(List.of(), copy(Zarr.open(zarr), Hdf5.create(directory.resolve(format + ".h5"))));
            Map<String, String> back = types(Hdf5.open(directory.resolve(format + ".h5")));
            assertTrue(back.size() >= 6, back::toString);
            back.forEach((path, type) -> assertEquals(detailsOfFile().get(path), type));
        }
    }

    @Test
    void netcdfHasNoBitFields() throws Exception {
        Path file = Fixtures.resource("hdf5/details.h5", directory);
        List<String> losses = copy(Hdf5.open(file), Hdf5.createNetcdf4(directory.resolve("x.nc")));
        assertTrue(
                losses.contains(file + "#bits8: the detail \"bits\" of its type is not kept: 8 bits from bit 0"),
                losses::toString);
        assertEquals("uint8 {}{}", types(Hdf5.open(directory.resolve("x.nc"))).get("bits8"));
    }

    @Test
    void netcdfKeepsNamesOfEnumerationsOnly() throws Exception {
        Path file = Fixtures.resource("hdf5/types.h5", directory);
        List<String> losses = copy(Hdf5.open(file), Hdf5.createNetcdf4(directory.resolve("x.nc")));
        assertEquals(
                List.of(
                        file + "#flags: the name of its type is not kept: flag",
                        file + "#numbers: the name of its type is not kept: number"),
                losses.stream()
                        .filter(loss -> loss.contains("name of its type"))
                        .toList());
        Map<String, String> types = types(Hdf5.open(directory.resolve("x.nc")));
        assertEquals(
                "int32 {names={\"A\":1,\"B\":300}, type.name=big_1}{named=int32 {\"A\":1,\"B\":300} as big_1[1]}",
                types.get("big"),
                "not below the group");
        assertEquals(
                "int16 {names={\"HIGH\":300,\"LOW\":-5}, type.name=level}{named=int16 {\"HIGH\":300,\"LOW\":-5} as"
                        + " level[1], unnamed=int16[1]}",
                types.get("g/named"));
    }

    /** A name that is not free, or leads out of the file, becomes another one. */
    @Test
    void namesThatAreTakenBecomeOthers() throws IOException {
        ArraySpec.Builder spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(2), Shape.of(2)), DataType.INT8);
        Map<String, String> names = new TreeMap<>();
        names.put("a", "a");
        names.put("b", "../../t");
        names.put("c", "a/t");
        names.put("d", "g");
        names.put("e", "t/t");
        names.put("f", "");
        names.put("h", "new/deep/t");
        names.put("i", "new");
        Path file = directory.resolve("taken.h5");
        try (ChunkStore store = Hdf5.create(file)) {
            store.writeGroup("g", GroupSpec.EMPTY, false);
            for (Map.Entry<String, String> array : names.entrySet()) {
                Data.of(spec.hints(Map.of(ArraySpec.TYPE_NAME_HINT, array.getValue()))
                                .build())
                        .write(store, array.getKey());
            }
            Data.of(spec.dataType(DataType.INT16)
                            .hints(Map.of(ArraySpec.TYPE_NAME_HINT, "t"))
                            .build())
                    .write(store, "j");
            store.finish(false);
        }
        Map<String, String> found = new TreeMap<>();
        types(Hdf5.open(file)).forEach((path, type) -> {
            if (type.contains("type.name")) {
                found.put(path, type.replaceAll(".*type.name=([^,}]*).*", "$1"));
            }
        });
        assertEquals("{a=a_1, b=t, c=t, d=g_1, e=t, f=type, h=new/deep/t, i=new_1, j=t_1}", found.toString());
    }

    @Test
    void typesThatNothingHasAreLeftOut() throws Exception {
        Path file = Fixtures.resource("hdf5/types.h5", directory);
        try (ChunkStore from = Hdf5.open(file);
                ChunkStore to = Hdf5.create(directory.resolve("one.h5"))) {
            StoreLocation array = to.at("sub/x");
            Rechunker.from(from.at("g/named"))
                    .to(array)
                    .chunks("keep")
                    .maxMem("32MB")
                    .execute();
        }
        Map<String, String> types = types(Hdf5.open(directory.resolve("one.h5")));
        assertEquals(List.of("", "sub", "sub/x", "types"), new ArrayList<>(types.keySet()));
        assertEquals(typesOfFile().get("g/named"), types.get("sub/x"));
    }

    @Test
    void namesOfAttributesThatDoNotFitAreLeftOut() throws IOException {
        Path file = directory.resolve("attributes.h5");
        try (ChunkStore store = Hdf5.create(file)) {
            GroupSpec group = GroupSpec.of(Map.of("x", "longer"))
                    .withAttributeTypes(Map.of("x", AttributeType.of("text null-padded ascii 3 as t", Shape.of())));
            store.writeGroup("", group, false);
            store.finish(false);
        }
        assertEquals("{={x=text null-padded ascii 6}}", types(Hdf5.open(file)).toString());
    }

    /** h5dump prints the same types, by name, and h5diff finds no difference. */
    @Test
    @ReferenceTest
    void hdf5SeesTheSameTypes() throws Exception {
        for (String name : List.of("types", "details")) {
            Path file = Fixtures.resource("hdf5/" + name + ".h5", directory);
            Path copy = directory.resolve("copy-" + name + ".h5");
            copy(Hdf5.open(file), Hdf5.create(copy));
            assertEquals(dump(file), dump(copy));
            ReferencePrograms.run(directory, List.of("h5diff", file.toString(), copy.toString()));
            Path again = directory.resolve("again-" + name + ".h5");
            ReferencePrograms.run(directory, List.of("h5repack", copy.toString(), again.toString()));
            assertEquals(dump(file), dump(again));
        }
    }

    private List<String> dump(Path file) throws Exception {
        ReferencePrograms.run(directory, List.of("h5dump", file.toString()));
        List<String> lines = Files.readAllLines(directory.resolve("reference.log"));
        return lines.subList(1, lines.size());
    }
}
