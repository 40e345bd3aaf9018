package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a group whose names a format does not allow are left out and listed as losses; the others are copied. */
class NamesTest {
    private static final ArraySpec SPEC = ArraySpec.builder(ChunkGrid.regular(Shape.of(4), Shape.of(2)), DataType.INT8)
            .build();

    @TempDir
    Path directory;

    private static Plan plan(ChunkStore source, ChunkStore target) throws IOException {
        return Rechunker.from(source).to(target).chunks("keep").maxMem("1MB").plan();
    }

    private static MemoryStore holding(String... paths) throws IOException {
        MemoryStore store = MemoryStore.builder().name("source").build();
        for (String path : paths) {
            Data.of(SPEC).write(store, path);
        }
        return store;
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5"})
    void directoriesWithForbiddenNamesAreListed(String format) throws Exception {
        Path place = directory.resolve("source");
        try (ChunkStore store = create(format, place)) {
            store.writeGroup("", Map.of());
            Data.of(SPEC).write(store, "ok");
            Data.of(SPEC).write(store, "obs");
        }
        Files.move(place.resolve("obs"), place.resolve("obs\\t"));
        try (ChunkStore source = format.equals("n5") ? N5.open(place) : Zarr.open(place);
                ChunkStore target = Zarr.create(directory.resolve("target"))) {
            assertEquals(List.of("obs\\t", "ok"), source.children(""));
            Plan plan = plan(source, target);
            assertEquals(1, Loss.sentences(plan.losses()).size(), Loss.sentences(plan.losses())::toString);
            String loss = Loss.sentences(plan.losses()).get(0);
            assertTrue(loss.startsWith(source.at("obs\\t") + ": is not understood, and left out: "), loss);
            assertTrue(loss.contains("must not contain a backslash or a control character"), loss);
            assertThrows(
                    StoreException.class,
                    () -> Rechunker.from(source)
                            .to(target)
                            .chunks("keep")
                            .maxMem("1MB")
                            .strict()
                            .plan());
            plan.execute();
            Data.of(SPEC).check(target, "ok");
        }
    }

    /** Keras, NWB and others have such names. */
    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5", "hdf5"})
    void namesWithColonsAreKept(String format) throws Exception {
        MemoryStore source = holding("dense/kernel:0", "Name: name");
        Path place = directory.resolve(format.equals("hdf5") ? "t.h5" : "target");
        try (ChunkStore target = format.equals("hdf5") ? Hdf5.create(place) : create(format, place)) {
            Plan plan = plan(source, target);
            assertEquals(List.of(), Loss.sentences(plan.losses()));
            plan.execute();
        }
        try (ChunkStore again = Stores.open(place)) {
            Data.of(SPEC).check(again, "dense/kernel:0");
            Data.of(SPEC).check(again, "Name: name");
        }
    }

    /** Only buckets and zip files can contain such names. */
    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5"})
    void directoriesThatNoPathCanNameAreListed(String format) throws Exception {
        Path place = directory.resolve("source");
        try (ChunkStore store = create(format, place)) {
            store.writeGroup("", Map.of());
            Data.of(SPEC).write(store, "ok");
        }
        Path zip = directory.resolve("source.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = place.relativize(file).toString();
                for (String name : List.of("ok", ".", "..", "", "x/", "y/../y", "z/a\\b")) {
                    if (name.equals("ok") || key.startsWith("ok/")) {
                        out.putNextEntry(new ZipEntry(key.replaceFirst("^ok/", Matcher.quoteReplacement(name + "/"))));
                        Files.copy(file, out);
                    }
                }
            }
        }
        try (ZipKeys keys = ZipKeys.open(zip);
                ChunkStore source = format.equals("n5") ? N5.open(keys) : Zarr.open(keys);
                ChunkStore target = Zarr.create(directory.resolve("target"))) {
            Plan plan = plan(source, target);
            TreeSet<String> losses = new TreeSet<>(Loss.sentences(plan.losses()));
            String backslash = source.at("z/a\\b") + ": is not understood, and left out: ";
            assertTrue(losses.removeIf(loss -> loss.startsWith(backslash)), losses::toString);
            TreeSet<String> expected = new TreeSet<>();
            for (String where : List.of(": \"\"", ": \".\"", ": \"..\"", "#x: \"\"", "#y: \"..\"")) {
                expected.add(source.at("") + where.replace(": ", ": the contents of ")
                        + " are left out: no path in a store can lead there");
            }
            assertEquals(expected, losses);
            plan.execute();
            Data.of(SPEC).check(target, "ok");
        }
    }

    private static ChunkStore create(String format, Path place) {
        return switch (format) {
            case "zarr2" -> Zarr.create(place, ZarrFormat.V2);
            case "zarr3" -> Zarr.create(place, ZarrFormat.V3);
            case "n5" -> N5.create(place);
            default -> Hdf5.create(place);
        };
    }

    @Test
    void namesThatTheTargetReservesAreLeftOut() throws Exception {
        List<String> everywhere = List.of("a\\b", "a\u0001b", ".rechunker-run", ".rechunker-tmp-1");
        List<String> zarr = List.of(
                "g/zarr.json", "g/.zarray", "g/.zgroup", "g/.zattrs", "g/.rechunker-consolidated", ".zmetadata/deep");
        List<String> n5 = List.of("g/attributes.json");
        MemoryStore source = holding(Stream.of(List.of("ok", "g/ok"), everywhere, zarr, n5)
                .flatMap(List::stream)
                .toArray(String[]::new));
        for (String format : List.of("zarr2", "zarr3", "n5", "hdf5")) {
            TreeSet<String> expected = new TreeSet<>();
            if (!format.equals("hdf5")) {
                expected.addAll(everywhere);
                expected.addAll(format.equals("n5") ? n5 : zarr);
            }
            try (ChunkStore target = create(format, directory.resolve(format))) {
                Plan plan = plan(source, target);
                TreeSet<String> left = new TreeSet<>();
                for (String loss : Loss.sentences(plan.losses())) {
                    if (loss.contains(": cannot be stored in " + target.at("") + ", and is left out: ")) {
                        left.add(loss.substring("source#".length(), loss.indexOf(": cannot be stored")));
                    }
                }
                expected.remove(".zmetadata/deep");
                if (format.startsWith("zarr")) {
                    expected.add(".zmetadata");
                }
                assertEquals(expected, left, format);
                plan.execute();
                for (String path : source.children("g")) {
                    if (!expected.contains("g/" + path)) {
                        Data.of(SPEC).check(target, "g/" + path);
                    }
                }
            }
        }
    }

    /** A name may end with a line separator, where {@code $} in a regular expression also matches before the end. */
    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5", "hdf5"})
    void namesMayEndWithALineSeparator(String format) throws Exception {
        MemoryStore source = holding("g/\u2028", "\u2028/g", "g/a\u2028");
        try (ChunkStore target = create(format, directory.resolve("target"))) {
            Plan plan = plan(source, target);
            assertEquals(List.of(), Loss.sentences(plan.losses()));
            plan.execute();
            for (String path : List.of("g/\u2028", "\u2028/g", "g/a\u2028")) {
                Data.of(SPEC).check(target, path);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zarr2", "zarr3", "n5"})
    void aTargetWithAForbiddenNameIsRefused(String format) throws Exception {
        MemoryStore source = holding("");
        try (ChunkStore target = create(format, directory.resolve("target"))) {
            for (String name : List.of("a\\b", format.equals("n5") ? "attributes.json" : "zarr.json")) {
                assertThrows(
                        StoreException.class,
                        () -> Rechunker.from(source)
                                .to(target.at(name))
                                .chunks("keep")
                                .maxMem("1MB")
                                .plan());
            }
        }
        assertTrue(Files.notExists(directory.resolve("target")));
    }

    @Test
    void arraysWithoutAxesAreLeftOutOfGroupsInN5() throws Exception {
        MemoryStore source = holding("v");
        Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.INT8)
                        .build())
                .write(source, "crs");
        try (ChunkStore target = N5.create(directory.resolve("target"))) {
            Plan plan = plan(source, target);
            assertTrue(
                    Loss.sentences(plan.losses()).stream()
                            .anyMatch(loss -> loss.startsWith("source#crs: cannot be stored in")
                                    && loss.endsWith("N5 has no arrays without axes")),
                    Loss.sentences(plan.losses())::toString);
            plan.execute();
            Data.of(SPEC).check(target, "v");
            assertEquals(List.of("v"), target.children(""));
        }
    }
}
