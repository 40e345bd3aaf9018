package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Copies of datasets: variables, their coordinates, and arrays that have other axes or none. */
class DatasetTest {
    private static final Map<String, ArraySpec> ARRAYS = Map.of(
            "ssh", with("grid_mapping", "crs", spec(Shape.of(6, 4, 5), Shape.of(1, 4, 5), "time", "lat", "lon")),
            "time", with("bounds", "time_bnds", spec(Shape.of(6), Shape.of(1), "time")),
            "lat", spec(Shape.of(4), Shape.of(1), "lat"),
            "lon", spec(Shape.of(5), Shape.of(3), "lon"),
            "time_bnds", spec(Shape.of(6, 2), Shape.of(1, 2), "time", "nv"),
            "crs", spec(Shape.of(), Shape.of()));

    private static ArraySpec spec(Shape shape, Shape chunks, String... names) {
        return ArraySpec.builder(ChunkGrid.regular(shape, chunks), DataType.INT32)
                .dimensionNames(List.of(names))
                .build();
    }

    private static ArraySpec with(String attribute, String value, ArraySpec spec) {
        return spec.toBuilder().attributes(Map.of(attribute, value)).build();
    }

    private static MemoryStore dataset() throws IOException {
        MemoryStore store = MemoryStore.builder().name("sea").build();
        store.writeGroup("", Map.of());
        for (Map.Entry<String, ArraySpec> array : ARRAYS.entrySet()) {
            Data.of(array.getValue()).write(store, array.getKey());
        }
        Data.of(spec(Shape.of(6), Shape.of(6), "time")).write(store, "other");
        return store;
    }

    private static ArraySpec specOf(ChunkStore store, String path) throws IOException {
        return ((ChunkStore.ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static Shape chunks(ChunkStore store, String path) throws IOException {
        return specOf(store, path).chunks().chunkShape();
    }

    private static Shape shards(ChunkStore store, String path) throws IOException {
        return specOf(store, path).shards().orElseThrow().chunkShape();
    }

    private static MemoryStore copy(Rechunker.Job job, MemoryStore target) throws Exception {
        job.verify().execute();
        for (Map.Entry<String, ArraySpec> array : ARRAYS.entrySet()) {
            assertArrayEquals(Data.of(array.getValue()).elements(), target.elements(array.getKey()), array.getKey());
        }
        return target;
    }

    @Test
    void otherAxesHaveChunksOfAtMostTheAxis() {
        ArraySpec bounds = spec(Shape.of(36, 2), Shape.of(36, 2), "lat", "nv");
        assertEquals(
                Shape.of(18, 2),
                ChunkRule.parse("...=18")
                        .chunks("lat_bnds", bounds)
                        .orElseThrow()
                        .chunkShape());
        ArraySpec growing = bounds.toBuilder().unlimitedAxes(Set.of(1)).build();
        assertEquals(
                Shape.of(18, 18),
                ChunkRule.parse("...=18")
                        .chunks("lat_bnds", growing)
                        .orElseThrow()
                        .chunkShape());
        assertEquals(
                Shape.of(36, 18),
                ChunkRule.parse("nv=18")
                        .chunks("lat_bnds", bounds)
                        .orElseThrow()
                        .chunkShape(),
                "an axis that is named has what it is given");
    }

    /** A group may declare lengths from before its arrays were joined or cut. */
    @Test
    void dimensionsAreAsLongAsTheArrays() throws Exception {
        MemoryStore source = dataset();
        source.writeGroup(
                "",
                GroupSpec.EMPTY.withDimensions(List.of(
                        new Dimension("time", 1, true), new Dimension("lat", 4, false), new Dimension("z", 3, false))),
                true);
        MemoryStore target = new MemoryStore();
        Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .region("time=1:4")
                .execute();
        assertEquals(
                List.of(new Dimension("time", 3, true), new Dimension("lat", 4, false), new Dimension("z", 3, false)),
                ((ChunkStore.GroupNode) target.node("").orElseThrow()).spec().dimensions());
    }

    private static MemoryStore copied(ChunkRule rule) throws Exception {
        MemoryStore target = new MemoryStore();
        return copy(Rechunker.from(dataset()).to(target).chunks(rule).maxMem("1MB"), target);
    }

    private static MemoryStore copied(String chunks) throws Exception {
        return copied(ChunkRule.parse(chunks));
    }

    private static MemoryStore sharded(String chunks, String shards) throws Exception {
        MemoryStore target = new MemoryStore();
        return copy(
                Rechunker.from(dataset())
                        .to(target)
                        .chunks(chunks)
                        .maxMem("1MB")
                        .shards(shards),
                target);
    }

    private static void assertRefused(String message, Rechunker.Job job) {
        String said = String.valueOf(
                assertThrows(IllegalArgumentException.class, job::plan).getMessage());
        assertTrue(said.contains(message), said);
    }

    // ------------------------------------------------------------------ names of axes

    @Test
    void chunksByNameApplyWhereAnArrayHasTheAxis() throws Exception {
        MemoryStore target = copied("time=3, lat=2");
        assertEquals(Shape.of(3, 2, 5), chunks(target, "ssh"));
        assertEquals(Shape.of(3), chunks(target, "time"));
        assertEquals(Shape.of(2), chunks(target, "lat"));
        assertEquals(Shape.of(3, 2), chunks(target, "time_bnds"));
        assertEquals(Shape.of(), chunks(target, "crs"));
    }

    @Test
    void aNameThatNoArrayHasIsRefusedWithTheNamesThereAre() throws Exception {
        Rechunker.To to = Rechunker.from(dataset()).to(new MemoryStore());
        String there = "[tme], but the axes of the arrays in sea are called [lat, lon, time, nv]";
        assertRefused("chunks names " + there, to.chunks("tme=3").maxMem("1MB"));
        assertRefused("shards names " + there, to.chunks("time=3").maxMem("1MB").shards("tme=6"));
        assertRefused(
                "chunks names " + there,
                to.chunks(ChunkRule.parse("tme=3, lat=2")).maxMem("1MB"));
        assertRefused(
                "chunks names [lon]",
                to.chunks(ChunkRule.named("time*", "lon=2").orElseKeep()).maxMem("1MB"));
    }

    @Test
    void anAxisThatOneArrayDoesNotHaveIsRefused() throws Exception {
        Rechunker.To to = Rechunker.from(dataset().at("lat")).to(new MemoryStore());
        assertRefused(
                "chunks names [time], but the axes of the array are called [lat]",
                to.chunks("time=3").maxMem("1MB"));
    }

    @Test
    void aPatternOfSkippedArraysThatMatchesNothingIsRefused() throws IOException {
        MemoryStore store = dataset();
        Data.of(spec(Shape.of(6), Shape.of(6))).write(store, "g/inner");
        Rechunker.Job job =
                Rechunker.from(store).to(new MemoryStore()).chunks("keep").maxMem("1MB");
        assertRefused(
                "skip names [nothere], but the arrays and groups in sea are [crs, g, lat, lon, other, ssh, time, time_bnds]",
                job.skip("crs, nothere, g/*, g"));
        job.skip("g, g/inner, l*").plan();
        assertRefused(
                "skip names [lat], but sea#other is one array",
                Rechunker.from(store.at("other"))
                        .to(new MemoryStore())
                        .chunks("keep")
                        .maxMem("1MB")
                        .only()
                        .skip("lat"));
    }

    // ------------------------------------------------------------------ shards

    @Test
    void shardsByNameApplyWhereAnArrayHasTheAxis() throws Exception {
        MemoryStore target = sharded("time=2, lat=2", "time=4, lat=4");
        assertEquals(Shape.of(4, 4, 5), shards(target, "ssh"));
        assertEquals(Shape.of(4), shards(target, "time"));
        assertEquals(Shape.of(4), shards(target, "lat"));
        assertTrue(specOf(target, "lon").shards().isEmpty());
        assertTrue(specOf(target, "crs").shards().isEmpty());
    }

    @Test
    void shardsAreFittedToWholeChunks() throws Exception {
        assertEquals(Shape.of(4, 4, 5), shards(sharded("time=2, lat=2", "time=3, lat=3"), "ssh"));
        MemoryStore bySize = sharded("time=1, lat=1, lon=2", "100B");
        assertEquals(Shape.of(3, 2, 4), shards(bySize, "ssh"), "96 bytes");
        assertTrue(specOf(bySize, "time").shards().isEmpty());
        assertEquals(Shape.of(1, 1, 2), shards(sharded("time=1, lat=1, lon=2", "1B"), "ssh"));
        assertEquals(Shape.of(6, 1, 2), shards(sharded("time=2, lat=1, lon=2", "time=-1, ...=50B"), "ssh"), "48 bytes");
    }

    // ------------------------------------------------------------------ coordinates

    @Test
    void coordinatesComeInOneChunk() throws Exception {
        for (String general : List.of("auto", "time=2, ...=3", "20B", "ssh")) {
            MemoryStore target = general.equals("ssh")
                    ? copied(ChunkRule.named("ssh", "2, 2, 2").orElse(ChunkRule.parse("auto")))
                    : copied(general);
            assertEquals(Shape.of(4), chunks(target, "lat"), general);
            assertEquals(Shape.of(5), chunks(target, "lon"), general);
        }
        assertEquals(Shape.of(6), chunks(copied("lat=2"), "time"));
    }

    @Test
    void coordinatesKeepTheirChunksIfThatIsAskedFor() throws Exception {
        assertEquals(Shape.of(1), chunks(copied("keep"), "time"));
        assertEquals(Shape.of(1), chunks(copied("lat=2, ...=keep"), "time"));
        assertEquals(Shape.of(1), chunks(copied(ChunkRule.named("ssh", "auto").orElseKeep()), "time"));
        assertEquals(Shape.of(2), chunks(copied(ChunkRule.named("time", "2").orElse(ChunkRule.parse("auto"))), "time"));
    }

    // ------------------------------------------------------------------ appending

    private static MemoryStore times(ArraySpec spec, int... values) throws IOException {
        MemoryStore store = MemoryStore.builder().name("times").build();
        store.writeGroup("", Map.of());
        Data.of(spec, (position, element) -> {
                    ByteBuffer.wrap(element).order(spec.byteOrder()).putInt(values[(int) position]);
                })
                .write(store, "time");
        return store;
    }

    private static ArraySpec time(int length, Map<String, Object> attributes) {
        return spec(Shape.of(length), Shape.of(2), "time").toBuilder()
                .attributes(attributes)
                .build();
    }

    private static Rechunker.Job append(MemoryStore source, MemoryStore target) {
        return Rechunker.from(source).into(target).append("time").maxMem("1MB");
    }

    @Test
    void coordinatesThatTheTargetHasAreNotAppendedAgain() throws Exception {
        MemoryStore target = times(time(3, Map.of()), 10, 11, 12);
        append(times(time(2, Map.of()), 13, 14), target).execute();
        Rechunker.Job again = append(times(time(2, Map.of()), 15, 11), target);
        String said =
                String.valueOf(assertThrows(StoreException.class, again::plan).getMessage());
        assertTrue(said.contains("times#time has the value 11, which times#time has, too"), said);
        assertTrue(said.contains("allowDuplicates()"), said);
        again.allowDuplicates().execute();
        assertEquals(Shape.of(7), specOf(target, "time").shape());
    }

    @Test
    void attributesThatMeanTheSameMayDiffer() throws Exception {
        MemoryStore target = times(
                time(2, Map.of("units", "days since 2000-01-01 00:00:00", "calendar", "proleptic_gregorian")), 1, 2);
        append(
                        times(
                                time(
                                        1,
                                        Map.of(
                                                "units", "days since 2000-01-01",
                                                "calendar", "PROLEPTIC_GREGORIAN",
                                                "scale_factor", 1.0)),
                                3),
                        target)
                .execute();
        assertEquals(Shape.of(3), specOf(target, "time").shape());
        Rechunker.Job other = append(
                times(time(1, Map.of("units", "days since 2000-01-01 12:00", "calendar", "proleptic_gregorian")), 4),
                target);
        assertThrows(StoreException.class, other::plan);
    }

    @Test
    void missingValuesThatMarkOnlyNanAreAlike() throws Exception {
        ArraySpec none = spec(Shape.of(2), Shape.of(2), "time").toBuilder()
                .dataType(DataType.FLOAT32)
                .fillValue(FillValue.UNDEFINED)
                .build();
        ArraySpec nan = none.toBuilder()
                .missingValue(FillValue.of((byte) 0, (byte) 0, (byte) 0xc0, (byte) 0x7f))
                .build();
        MemoryStore source = times(none, 1, 2);
        MemoryStore target = times(nan, 3, 4);
        append(source, target).execute();
        assertEquals(Shape.of(4), specOf(target, "time").shape());
    }

    // ------------------------------------------------------------------ one variable

    @Test
    void aVariableBringsWhatDescribesIt() throws Exception {
        MemoryStore target = new MemoryStore();
        copy(Rechunker.from(dataset().at("ssh")).to(target).chunks("2, 4, 5").maxMem("1MB"), target);
        assertEquals(List.of("crs", "lat", "lon", "ssh", "time", "time_bnds"), target.children(""));
        assertEquals(Shape.of(2, 4, 5), chunks(target, "ssh"));
        assertEquals(Shape.of(4), chunks(target, "lat"));
    }

    /** Attributes have names in place of paths, as all arrays are in one group then. */
    @Test
    void pathsInAttributesAreFollowed() throws Exception {
        MemoryStore store = MemoryStore.builder().name("sea").build();
        Map<String, Object> attributes = Map.of(
                "coordinates", "/lat ../grid/lon /nowhere/x ../../../out",
                "grid_mapping", "/grid/crs: /lat ../grid/lon",
                "cell_measures", "area: ./area");
        ArraySpec x = spec(Shape.of(3), Shape.of(3), "x");
        Data.of(x.toBuilder().attributes(attributes).build()).write(store, "model/v");
        for (String path : List.of("lat", "grid/lon", "grid/lat", "model/area")) {
            Data.of(x).write(store, path);
        }
        Data.of(spec(Shape.of(), Shape.of())).write(store, "grid/crs");
        MemoryStore target = new MemoryStore();
        Rechunker.from(store.at("model/v"))
                .to(target)
                .chunks("3")
                .maxMem("1MB")
                .verify()
                .execute();
        assertEquals(List.of("area", "crs", "lat", "lon", "v"), target.children(""));
        assertEquals(
                Map.of(
                        "coordinates", "lat lon /nowhere/x ../../../out",
                        "grid_mapping", "crs: lat lon",
                        "cell_measures", "area: area"),
                specOf(target, "v").attributes());
    }

    /** Names are searched in the group of the array that names them, then in the groups above. */
    @Test
    void namesInAttributesOfAnyFormAreFound() throws Exception {
        MemoryStore store = MemoryStore.builder().name("sea").build();
        store.writeGroup("", Map.of("title", "all"));
        store.writeGroup("g", Map.of("title", "part"));
        Map<String, Object> attributes = Map.of(
                "grid_mapping",
                "crs: east north other: lat",
                "cell_measures",
                "area: cells volume: nowhere",
                "ancillary_variables",
                "quality",
                "coordinates",
                "../crs / . day");
        ArraySpec ssh = spec(Shape.of(6, 4), Shape.of(1, 4), "time", "x").toBuilder()
                .attributes(attributes)
                .build();
        Data.of(ssh).write(store, "g/ssh");
        Data.of(with("formula_terms", "a: depth area: nowhere", spec(Shape.of(4), Shape.of(4), "x")))
                .write(store, "x");
        for (String name : List.of("g/crs", "other", "east", "g/day", "area", "volume", "unused", "g/unused")) {
            Data.of(spec(Shape.of(), Shape.of())).write(store, name);
        }
        for (String name : List.of("north", "cells", "g/cells", "quality", "depth", "time")) {
            Data.of(spec(Shape.of(4), Shape.of(4), "x")).write(store, name);
        }
        MemoryStore target = new MemoryStore();
        Rechunker.from(store.at("g/ssh"))
                .to(target)
                .chunks("2, 4")
                .maxMem("1MB")
                .execute();
        assertEquals(
                List.of("cells", "crs", "day", "depth", "east", "north", "other", "quality", "ssh", "x"),
                target.children(""));
        assertEquals(
                Map.of("title", "part"), ((ChunkStore.GroupNode) target.node("").orElseThrow()).attributes());
    }

    @Test
    void aRegionOfAVariableIsOneOfItsCoordinates() throws Exception {
        MemoryStore target = new MemoryStore();
        Rechunker.from(dataset().at("ssh"))
                .to(target)
                .chunks("keep")
                .maxMem("1MB")
                .region("1:3, :, 2:4")
                .verify()
                .execute();
        assertEquals(Shape.of(2, 4, 2), specOf(target, "ssh").shape());
        assertEquals(Shape.of(2, 2), specOf(target, "time_bnds").shape());
        assertEquals(Shape.of(4), specOf(target, "lat").shape());
    }

    @Test
    void onlyTheVariableIsCopiedIfThatIsAskedForOrItsPlaceIsNamed() throws Exception {
        MemoryStore only = new MemoryStore();
        Rechunker.from(dataset().at("ssh"))
                .to(only)
                .chunks("2, 4, 5")
                .maxMem("1MB")
                .only()
                .execute();
        assertEquals(Shape.of(2, 4, 5), chunks(only, ""));
        MemoryStore named = new MemoryStore();
        Rechunker.from(dataset().at("ssh"))
                .to(named.at("a"))
                .chunks("2, 4, 5")
                .maxMem("1MB")
                .execute();
        assertEquals(List.of("a"), named.children(""));
    }
}
