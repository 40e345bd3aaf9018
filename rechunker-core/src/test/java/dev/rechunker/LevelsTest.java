package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ArrayPlan.PlannedLevel;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.reduce.Method;
import dev.rechunker.reduce.ReferenceReduction;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Levels of arrays. */
class LevelsTest {
    private static final int CASES = Integer.getInteger("rechunker.levels", 1_200);

    private static final List<DataType> TYPES = List.of(
            DataType.UINT8,
            DataType.UINT16,
            DataType.INT16,
            DataType.FLOAT32,
            DataType.INT64,
            DataType.COMPLEX64,
            DataType.bytes(3));

    /** Each level is the exact reduction of the one before, whatever the plan, and within maxMem. */
    @Test
    void levelsAreReductionsOfTheLevelBefore() {
        int[] made = {0};
        int[] fused = {0};
        int[] givenUp = {0};
        Cases.check(CASES, cases -> {
            Random random = cases.random();
            DataType type = TYPES.get(random.nextInt(TYPES.size()));
            Shape shape = cases.shape(2 + random.nextInt(3));
            ArraySpec spec = cases.spec(cases.grid(shape), type);
            if (random.nextInt(3) == 0) {
                spec = spec.toBuilder().missingValue(spec.fillValue()).build();
            }
            Data data = Data.of(spec, cases.seed());
            MemoryStore source = MemoryStore.builder()
                    .granularity(cases.oneOf(Granularity.values()))
                    .build();
            data.write(source, "", random.nextBoolean() ? i -> true : i -> i % 3 != 0);
            List<Method> possible = Arrays.stream(Method.values())
                    .filter(one -> one.obstacle(type).isEmpty())
                    .toList();
            Method method = possible.get(random.nextInt(possible.size()));
            int[] factors = new int[shape.rank()];
            for (int axis = 0; axis < factors.length; axis++) {
                factors[axis] = (int) cases.between(1, 3);
            }
            factors[random.nextInt(factors.length)] = 2;
            String text = Arrays.stream(factors).mapToObj(Integer::toString).collect(Collectors.joining(","));
            Levels levels = Levels.by(text).method(method.text()).count((int) cases.between(2, 4));
            MemoryStore target = MemoryStore.builder()
                    .granularity(cases.oneOf(Granularity.values()))
                    .paddedEdges(random.nextBoolean())
                    .parts(random.nextInt(3) == 0)
                    .build();
            ChunkGrid wanted = cases.regularGrid(shape);
            ChunkRule rule = (path, s) -> Optional.of(ChunkGrid.regular(s.shape(), wanted.chunkShape()));
            CountingStore counted = new CountingStore(new StrictStore(target).allowMissing());
            Rechunker.Chunked job = Rechunker.from(source).to(counted).chunks(rule);
            boolean spill = random.nextInt(10) == 0; // planning a temporary copy takes longer
            double share = random.nextInt(20) == 0 ? 0.1 : 1 + 20 * random.nextDouble() * random.nextDouble();
            long most = (long) (share * (spec.bytes() + 500));
            Plan plan;
            try {
                plan = plan(job, most, spill, levels, cases);
            } catch (InfeasiblePlanException e) {
                most = e.minimumMemory();
                plan = plan(job, most, spill, levels, cases);
            }
            Report report = plan.execute();
            assertTrue(report.measuredMemory() <= most, plan.explain());
            if (plan.arrays().get(0).path().isEmpty()) {
                return; // nothing can be reduced
            }
            if (plan.arrays().stream().flatMap(array -> array.levels().stream()).anyMatch(PlannedLevel::isInSamePass)) {
                fused[0]++;
                if (cases.seed() % 2 == 1 && !counted.reads("0").isEmpty()) {
                    givenUp[0]++;
                }
            }
            byte[] before = elements(target, "0");
            ArraySpec above = spec(target, "0");
            for (int level = 1; level < plan.arrays().size(); level++) {
                int[] step = factors.clone();
                for (int axis = 0; axis < step.length; axis++) {
                    step[axis] = above.shape().extent(axis) == 1 ? 1 : step[axis];
                }
                ReferenceReduction expected = new ReferenceReduction(above, method, step);
                above = spec(target, Integer.toString(level));
                assertEquals(expected.shape(), above.shape(), plan.explain());
                byte[] reduced = elements(target, Integer.toString(level));
                assertArrayEquals(expected.of(before), reduced, plan.explain());
                before = reduced;
                made[0]++;
            }
        });
        assertTrue(made[0] > CASES, () -> "only " + made[0]);
        assertTrue(fused[0] > CASES / 5, () -> "only " + fused[0] + " were made in the same pass");
        assertTrue(givenUp[0] < fused[0] / 20, () -> givenUp[0] + " of " + fused[0] + " were given up");
    }

    private static Plan plan(Rechunker.Chunked job, long most, boolean spill, Levels levels, Cases cases)
            throws IOException {
        Rechunker.Job bounded = job.maxMem(ByteSize.of(Math.max(1, most)))
                .threads(1 + (int) (cases.seed() % 3))
                .levels(levels);
        bounded = cases.seed() % 2 == 0 ? bounded.verify() : bounded;
        return (spill ? bounded : bounded.noSpill()).plan();
    }

    private static byte[] elements(MemoryStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    private static ArraySpec spec(MemoryStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return reader.spec();
        }
    }

    private static MemoryStore image(Map<String, Shape> arrays, String... names) throws IOException {
        MemoryStore store = new MemoryStore();
        for (Map.Entry<String, Shape> array : arrays.entrySet()) {
            Shape shape = array.getValue();
            ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, shape), DataType.UINT8)
                    .dimensionNames(names.length == shape.rank() ? List.of(names) : List.of())
                    .fillValue(FillValue.zero(1))
                    .build();
            Data.of(spec).write(store, array.getKey());
        }
        return store;
    }

    private static List<String> shapes(MemoryStore source, Levels levels) throws IOException {
        Plan plan = Rechunker.from(source)
                .to(new MemoryStore())
                .chunks(ChunkRule.keep())
                .maxMem("100MB")
                .levels(levels)
                .plan();
        return plan.arrays().stream()
                .map(array -> array.path() + " " + array.target().shape())
                .toList();
    }

    @Test
    void axesOfSpaceAreHalvedUntilTheLargestFits() throws Exception {
        assertEquals(
                List.of("0 (3, 100, 61)", "1 (3, 50, 31)", "2 (3, 25, 16)"),
                shapes(
                        image(Map.of("", Shape.of(3, 100, 61)), "c", "y", "x"),
                        Levels.auto().until(30)));
        assertEquals(
                List.of("0 (9, 8, 7)", "1 (5, 4, 4)"),
                shapes(image(Map.of("", Shape.of(9, 8, 7))), Levels.auto().count(2)));
        assertEquals(
                List.of("0 (9, 8, 7)", "1 (9, 4, 3)", "2 (5, 2, 1)"),
                shapes(
                        image(Map.of("", Shape.of(9, 8, 7))),
                        Levels.by("1,2,3", "2,2,3").count(3)));
        assertEquals(
                List.of("0 (9, 8, 7)", "1 (9, 2, 7)"),
                shapes(
                        image(Map.of("", Shape.of(9, 8, 7)), "a", "b", "c"),
                        Levels.by("b=4").count(2)));
    }

    @Test
    void levelsThatExistAreReplaced() throws Exception {
        MemoryStore source = image(Map.of(
                "img/s0", Shape.of(40, 40), "img/s1", Shape.of(10, 10), "img/s2", Shape.of(3, 3), "one", Shape.of(8)));
        assertEquals(
                List.of("img/0 (40, 40)", "img/1 (20, 20)", "one (8)"),
                shapes(source, Levels.auto().until(20)));
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        MemoryStore source = image(Map.of("", Shape.of(40, 40)), "y", "x");
        for (String text : List.of("0", "40", "some", "auto:0", "auto:x")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Rechunker.from(source)
                            .to(new MemoryStore())
                            .chunks(ChunkRule.keep())
                            .maxMem("1MB")
                            .option("levels", text),
                    text);
        }
        for (String text : List.of("", "1,1", "2,", "x=2,3", "x=2,x=2", "2000,2000", "-2")) {
            assertThrows(IllegalArgumentException.class, () -> Levels.by(text), text);
        }
        assertThrows(IllegalArgumentException.class, () -> Levels.auto().method("average"));
        IllegalArgumentException unknown =
                assertThrows(IllegalArgumentException.class, () -> shapes(source, Levels.by("z=2, x=2")));
        assertTrue(String.valueOf(unknown.getMessage()).contains("[z]"), unknown::getMessage);
        assertTrue(String.valueOf(unknown.getMessage()).contains("[y, x]"), unknown::getMessage);
        MemoryStore line = image(Map.of("", Shape.of(40)), "x");
        assertThrows(
                IllegalArgumentException.class, () -> shapes(line, Levels.auto().count(2)));
        assertThrows(
                IllegalArgumentException.class,
                () -> Rechunker.from(source)
                        .into(image(Map.of("", Shape.of(40, 40)), "y", "x"))
                        .maxMem("1MB")
                        .levels(2)
                        .plan());
    }

    @Test
    void processesCannotShareLevels() throws Exception {
        MemoryStore source = image(Map.of("", Shape.of(40, 40)), "y", "x");
        Plan plan = Rechunker.from(source)
                .to(new MemoryStore())
                .chunks(ChunkRule.keep())
                .maxMem("1MB")
                .levels(2)
                .plan();
        RefusedException refused =
                assertThrows(RefusedException.class, () -> SharedRun.of(plan).description());
        assertTrue(String.valueOf(refused.getMessage()).contains("without levels"), refused::getMessage);
    }

    /** {@return the part of an image from one time to another, with its levels} */
    private static MemoryStore pyramid(MemoryStore image, long first, long count) throws Exception {
        MemoryStore pyramid = new MemoryStore();
        Rechunker.from(image)
                .to(pyramid)
                .chunks(2, 8, 8)
                .maxMem("1MB")
                .region(Region.of(new long[] {first, 0, 0}, Shape.of(count, 40, 36)))
                .levels(3)
                .execute();
        return pyramid;
    }

    @Test
    void levelsAreAppendedToThoseOfTheTarget() throws Exception {
        MemoryStore image = image(Map.of("", Shape.of(7, 40, 36)), "t", "y", "x");
        MemoryStore all = pyramid(image, 0, 7);
        MemoryStore target = pyramid(image, 0, 3);
        MemoryStore added = pyramid(image, 3, 4);
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> Rechunker.from(image)
                        .into(target)
                        .append("t")
                        .maxMem("1MB")
                        .levels(3)
                        .plan());
        assertTrue(String.valueOf(refused.getMessage()).contains("append that group"), refused::getMessage);
        Rechunker.from(added).into(target).append("t").maxMem("1MB").execute();
        for (String level : List.of("0", "1", "2")) {
            assertEquals(spec(all, level).shape(), spec(target, level).shape());
            assertArrayEquals(elements(all, level), elements(target, level));
        }
    }
}
