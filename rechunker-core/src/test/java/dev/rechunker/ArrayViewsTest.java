package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.MemorySpillStore;
import dev.rechunker.testing.StrictStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Views of arrays show the same elements as arithmetic with the index of each. */
class ArrayViewsTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    /** Random views of an array, with the position in the array of each of their elements. */
    static final class IndexModel {
        private final Random random;
        private Views views;
        private List<String> names;
        private long[] extents;
        private long[] positions;
        private int added;

        IndexModel(StoreLocation source, ArraySpec spec, Random random) {
            this.random = random;
            views = Views.of(source);
            extents = spec.shape().toArray();
            names = new ArrayList<>();
            for (int axis = 0; axis < extents.length; axis++) {
                names.add(
                        spec.dimensionNames().isEmpty()
                                ? ""
                                : spec.dimensionNames().get(axis));
            }
            positions = LongStream.range(0, spec.shape().elements()).toArray();
        }

        private String name(int axis) {
            String name = names.get(axis);
            return name.isEmpty() || random.nextInt(3) == 0 ? String.valueOf(axis) : name;
        }

        /** Keeps, of each new axis, an axis and its indices; the others are those of the view before. */
        private void show(int[] axes, long[][] indices) {
            long[] strides = new long[extents.length];
            long stride = 1;
            for (int axis = extents.length - 1; axis >= 0; axis--) {
                strides[axis] = stride;
                stride *= extents[axis];
            }
            long[] more = new long[axes.length];
            long count = 1;
            for (int axis = 0; axis < axes.length; axis++) {
                more[axis] = axes[axis] < 0 ? 1 : indices[axes[axis]].length;
                count *= more[axis];
            }
            long[] shown = new long[Math.toIntExact(count)];
            for (int i = 0; i < count; i++) {
                long rest = i;
                long at = 0;
                for (int axis = axes.length - 1; axis >= 0; axis--) {
                    if (axes[axis] >= 0) {
                        at += indices[axes[axis]][(int) (rest % more[axis])] * strides[axes[axis]];
                    }
                    rest /= more[axis];
                }
                shown[i] = positions[(int) at];
            }
            List<String> called = new ArrayList<>();
            for (int axis : axes) {
                called.add(axis < 0 ? "new" + added++ : names.get(axis));
            }
            names = called;
            extents = more;
            positions = shown;
        }

        private long[][] all() {
            return Arrays.stream(extents)
                    .mapToObj(extent -> LongStream.range(0, extent).toArray())
                    .toArray(long[][]::new);
        }

        private int[] axes() {
            int[] axes = new int[extents.length];
            Arrays.setAll(axes, axis -> axis);
            return axes;
        }

        /** Adds a step that leaves elements where they are. */
        void add(UnaryOperator<Views> step) {
            views = step.apply(views);
        }

        StoreLocation location() throws IOException {
            return views.location();
        }

        /** Adds a step. */
        void change() {
            int axis = extents.length == 0 ? -1 : random.nextInt(extents.length);
            switch (random.nextInt(5)) {
                case 0 -> transpose();
                case 1 -> select(axis);
                case 2 -> flip(axis);
                case 3 -> squeeze();
                default -> newAxis();
            }
        }

        private void transpose() {
            if (extents.length < 2) {
                return;
            }
            List<Integer> order = new ArrayList<>(Arrays.stream(axes()).boxed().toList());
            Collections.shuffle(order, random);
            views = views.transpose(order.stream().map(this::name).collect(Collectors.joining(", ")));
            show(order.stream().mapToInt(Integer::intValue).toArray(), all());
        }

        private void select(int axis) {
            if (axis < 0) {
                return;
            }
            long length = extents[axis];
            long[][] indices = all();
            String text;
            if (random.nextInt(3) == 0 && length > 0) {
                long[] list = new long[1 + random.nextInt((int) Math.min(length + 2, 9))];
                Arrays.setAll(list, i -> random.nextInt((int) length));
                indices[axis] = list;
                text = Arrays.toString(list);
            } else {
                long from = random.nextInt((int) length + 1);
                long to = from + random.nextInt((int) (length - from) + 1);
                long step = 1L + random.nextInt(4);
                boolean back = random.nextInt(3) == 0;
                if (back) {
                    indices[axis] = LongStream.range(0, (to - from + step - 1) / step)
                            .map(i -> to - 1 - i * step)
                            .toArray();
                    text = (to == 0 ? "0" : to - 1) + ":" + (from == 0 || to == 0 ? "" : from - 1) + ":-" + step;
                    if (to == 0) {
                        text = "0:0";
                    }
                } else {
                    indices[axis] = LongStream.range(0, (to - from + step - 1) / step)
                            .map(i -> from + i * step)
                            .toArray();
                    text = from + ":" + to + (step == 1 ? "" : ":" + step);
                }
            }
            views = views.select(name(axis) + "=" + text);
            show(axes(), indices);
        }

        private void flip(int axis) {
            if (axis < 0) {
                return;
            }
            long[][] indices = all();
            long last = extents[axis] - 1;
            indices[axis] = LongStream.rangeClosed(0, last).map(i -> last - i).toArray();
            views = views.flip(name(axis));
            show(axes(), indices);
        }

        private void squeeze() {
            int[] left =
                    Arrays.stream(axes()).filter(axis -> extents[axis] != 1).toArray();
            views = views.squeeze();
            show(left, all());
        }

        private void newAxis() {
            if (extents.length > 5) {
                return;
            }
            int position = random.nextInt(extents.length + 1);
            List<Integer> axes = new ArrayList<>(Arrays.stream(axes()).boxed().toList());
            axes.add(position, -1);
            views = views.newAxis("new" + added + (position == 0 ? "" : "=" + position));
            show(axes.stream().mapToInt(Integer::intValue).toArray(), all());
        }

        byte[] elements(byte[] source, int itemSize) {
            byte[] shown = new byte[positions.length * itemSize];
            for (int i = 0; i < positions.length; i++) {
                System.arraycopy(source, (int) positions[i] * itemSize, shown, i * itemSize, itemSize);
            }
            return shown;
        }
    }

    private static ArraySpec spec(Cases cases) {
        ArraySpec spec = cases.spec(cases.grid(cases.shape(cases.random().nextInt(5))), cases.dataType());
        if (cases.random().nextBoolean() && spec.shape().rank() > 0) {
            List<String> names = new ArrayList<>();
            for (int axis = 0; axis < spec.shape().rank(); axis++) {
                names.add("abcdef".substring(axis, axis + 1));
            }
            spec = spec.toBuilder().dimensionNames(names).build();
        }
        return spec;
    }

    static MemoryStore memory(Cases cases) {
        Granularity granularity = cases.oneOf(Granularity.values());
        return MemoryStore.builder()
                .granularity(granularity)
                .blockBytes(
                        granularity == Granularity.STREAM && cases.random().nextBoolean()
                                ? 1 + cases.random().nextInt(8)
                                : 0)
                .paddedEdges(cases.random().nextBoolean())
                .build();
    }

    private static LongPredicate written(Cases cases) {
        return cases.random().nextBoolean() ? unit -> true : unit -> (unit * 7 + cases.seed()) % 3 != 0;
    }

    @Test
    void compositionsShowTheElementsThatTheirIndicesMean() {
        Cases.check(4_000, cases -> {
            ArraySpec spec = spec(cases);
            Data data = Data.of(spec, cases.seed());
            MemoryStore memory = memory(cases);
            LongPredicate written = written(cases);
            data.write(memory, "a", written);
            StrictStore strict = new StrictStore(memory).allowMissing();
            IndexModel model = new IndexModel(strict.at("a"), spec, cases.random());
            for (int steps = 1 + cases.random().nextInt(5); steps > 0; steps--) {
                model.change();
            }
            StoreLocation view = model.location();
            byte[] expected = model.elements(
                    data.elements(Region.whole(spec.shape()), written),
                    spec.dataType().itemSize());
            try (ArrayReader reader = view.store().openReader(view.path())) {
                ArraySpec shown = reader.spec();
                assertEquals(
                        Optional.of(new ChunkStore.ArrayNode(shown)),
                        view.store().node(view.path()));
                assertArrayEquals(model.extents, shown.shape().toArray());
                assertArrayEquals(expected, Data.readAll(reader), () -> view + " of " + spec);
                if (reader.traits().granularity() == Granularity.BYTES
                        && shown.shape().elements() > 0) {
                    requireSameParts(reader, expected, cases.random());
                }
            }
            strict.assertClosed();
        });
    }

    private static void requireSameParts(ArrayReader reader, byte[] expected, Random random) throws IOException {
        int itemSize = reader.spec().dataType().itemSize();
        Data shown = Data.of(
                reader.spec(),
                (position, element) -> System.arraycopy(expected, (int) position * itemSize, element, 0, itemSize));
        try {
            shown.checkParts(reader, random);
        } catch (AssertionError missing) {
            if (!String.valueOf(missing.getMessage()).endsWith("is missing")) {
                throw missing;
            }
        }
    }

    @Test
    void copiesOfViewsHaveTheirElementsWithinMaxMem() {
        Map<String, Integer> strategies = new LinkedHashMap<>();
        Cases.check(1_500, cases -> {
            String strategy = copy(cases);
            strategies.merge(strategy, 1, Integer::sum);
        });
        for (String name : List.of("Window", "Sweep", "Spill")) {
            assertTrue(strategies.getOrDefault(name, 0) > 25, "too few of " + name + ": " + strategies);
        }
    }

    private static String copy(Cases cases) throws Exception {
        Random random = cases.random();
        ArraySpec spec = spec(cases);
        Data data = Data.of(spec, cases.seed());
        MemoryStore memory = memory(cases);
        LongPredicate written = written(cases);
        data.write(memory, "", written);
        StrictStore source = new StrictStore(memory).allowMissing();
        IndexModel shown = new IndexModel(source.at(""), spec, random);
        for (int steps = 1 + random.nextInt(3); steps > 0; steps--) {
            shown.change();
        }
        StoreLocation view = shown.views.location();
        MemoryStore result = MemoryStore.builder()
                .granularity(Granularity.CHUNK)
                .paddedEdges(random.nextBoolean())
                .parts(random.nextInt(3) == 0)
                .build();
        StrictStore target = new StrictStore(result);
        ChunkGrid wanted = cases.regularGrid(Shape.of(shown.extents));
        Executor executor = random.nextBoolean() ? new SerialExecutor() : new ForkJoinExecutor(1 + random.nextInt(3));
        CostModel model = random.nextBoolean() ? CostModel.SSD : SLOW_TO_READ;
        boolean spill = random.nextInt(3) > 0;
        LongFunction<Rechunker.Job> jobs = bytes -> {
            Rechunker.Job job = Rechunker.from(view)
                    .to(target)
                    .chunks((path, s) -> Optional.of(wanted))
                    .maxMem(ByteSize.of(bytes))
                    .executor(executor)
                    .costModel(model);
            return spill ? job.spill(new MemorySpillStore(64, 16)) : job.noSpill();
        };
        long least = EnginePlans.of(jobs.apply(1L << 30).plan().arrays().get(0)).minimumMemory();
        long most = least + (long) (random.nextDouble() * random.nextDouble() * 3 * (spec.bytes() + 300));
        Plan plan = jobs.apply(most).plan();
        CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
        Report report = plan.execute();
        assertTrue(report.measuredMemory() <= copy.projectedMemory(), plan::explain);
        assertTrue(copy.projectedMemory() <= most, plan::explain);
        assertArrayEquals(
                shown.elements(
                        data.elements(Region.whole(spec.shape()), written),
                        spec.dataType().itemSize()),
                result.elements(""),
                plan::explain);
        target.assertClosed();
        return copy.strategy().name();
    }

    private static MemoryStore image() throws IOException {
        MemoryStore memory = MemoryStore.builder().build();
        ArraySpec large = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(2, 4, 8, 16), Shape.of(1, 2, 4, 8)), DataType.UINT8)
                .dimensionNames(List.of("c", "z", "y", "x"))
                .attributes(Map.of("resolution", List.of(1, 2, 3, 4), "units", List.of("x", "y", "z", "")))
                .build();
        Data.of(large).write(memory, "0");
        memory.writeGroup(
                "",
                Map.of(
                        "multiscales",
                        List.of(Map.of(
                                "axes",
                                List.of(
                                        axis("c", "channel"),
                                        axis("z", "space"),
                                        axis("y", "space"),
                                        axis("x", "space")),
                                "datasets",
                                List.of(Map.of(
                                        "path",
                                        "0",
                                        "coordinateTransformations",
                                        List.of(Map.of("type", "scale", "scale", List.of(1.0, 5.0, 0.5, 0.25))))))),
                        "omero",
                        Map.of("channels", List.of("red", "green"), "rdefs", Map.of("defaultZ", 1, "defaultT", 0))));
        return memory;
    }

    private static Map<String, Object> axis(String name, String type) {
        return Map.of("name", name, "type", type);
    }

    @Test
    void metadataOfImagesFollow() throws Exception {
        StoreLocation view = Views.of(image().at(""))
                .select("c=[1], x=4::3")
                .flip("z")
                .transpose("x, y, z")
                .squeeze("c")
                .newAxis("t")
                .location();
        ChunkStore.GroupNode group =
                (ChunkStore.GroupNode) view.store().node("").orElseThrow();
        assertEquals(
                List.of(Map.of(
                        "axes",
                        List.of(axis("t", "time"), axis("x", "space"), axis("y", "space"), axis("z", "space")),
                        "datasets",
                        List.of(Map.of(
                                "path",
                                "0",
                                "coordinateTransformations",
                                List.of(
                                        Map.of("type", "scale", "scale", List.of(1.0, 0.75, 0.5, 5.0)),
                                        Map.of("type", "translation", "translation", List.of(0.0, 1.0, 0L, 0L))))))),
                group.attributes().get("multiscales"));
        assertEquals(
                Map.of("channels", List.of("green"), "rdefs", Map.of("defaultZ", 2L, "defaultT", 0)),
                group.attributes().get("omero"));
        ChunkStore.GroupNode part = (ChunkStore.GroupNode) Views.of(image().at(""))
                .select("z=2:")
                .location()
                .store()
                .node("")
                .orElseThrow();
        assertEquals(
                Map.of("channels", List.of("red", "green"), "rdefs", Map.of("defaultT", 0)),
                part.attributes().get("omero"));
        ArraySpec array = ((ChunkStore.ArrayNode) view.store().node("0").orElseThrow()).spec();
        assertEquals(List.of(3, 2, 3.0, 1L), array.attributes().get("resolution"));
        assertEquals(List.of("z", "y", "x", ""), array.attributes().get("units"));
        assertTrue(view.store().omissions("").toString().contains("axis z is reversed"));
    }

    @Test
    void groupsFollowByTheNamesOfTheirAxes() throws Exception {
        MemoryStore memory = MemoryStore.builder().build();
        array(memory, "a", Shape.of(3, 4, 5), "t", "y", "x");
        array(memory, "t", Shape.of(3), "t");
        array(memory, "y_bounds", Shape.of(4, 2), "y", "n");
        array(memory, "other", Shape.of(7), "q");
        memory.writeGroup("", Map.of());
        ChunkStore view = Views.of(memory.at(""))
                .select("y=[3,1]")
                .flip("t")
                .transpose("x, y, t")
                .newAxis("m=1")
                .location()
                .store();
        assertEquals(List.of("x", "m", "y", "t"), names(view, "a"));
        assertEquals(List.of("t"), names(view, "t"));
        assertEquals(List.of("y", "m", "n"), names(view, "y_bounds"));
        assertEquals(List.of("q", "m"), names(view, "other"));
        assertEquals(
                "select \"y=9\" is not inside of /a, which has 4 elements on axis y",
                refusal(Views.of(memory.at("")).select("y=9")));
        assertEquals(
                "flip \"k\" names [k], but the axes of " + memory.at("") + " are called [t, y, x, q, n]",
                refusal(Views.of(memory.at("")).flip("k")));
        assertEquals(
                "transpose \"x, y\" does not name [t] of /a; name all axes in their new order, or write ... for the"
                        + " others",
                refusal(Views.of(memory.at("a")).transpose("x, y")));
        assertEquals(
                "squeeze \"t\" drops axes of one element, but axis t of /a has 3; select one of them first",
                refusal(Views.of(memory.at("")).squeeze("t")));
    }

    @Test
    void arraysAreListedOnceForAllSteps() throws Exception {
        MemoryStore memory = MemoryStore.builder().build();
        array(memory, "a", Shape.of(3, 4), "t", "y");
        array(memory, "t", Shape.of(3), "t");
        memory.writeGroup("", Map.of());
        Map<String, Integer> reads = new LinkedHashMap<>();
        ChunkStore counted = new ForwardingStore(memory) {
            @Override
            public Optional<Node> node(String path) throws IOException {
                reads.merge(path, 1, Integer::sum);
                return super.node(path);
            }
        };
        Views.of(counted.at(""))
                .select("t=::2")
                .flip("y")
                .transpose("y, t")
                .newAxis("m")
                .location();
        assertEquals(Map.of("", 2, "a", 1, "t", 1), reads);
    }

    private static String refusal(Views views) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, views::location).getMessage());
    }

    private static List<String> names(ChunkStore store, String path) throws IOException {
        return ((ChunkStore.ArrayNode) store.node(path).orElseThrow()).spec().dimensionNames();
    }

    private static void array(MemoryStore store, String path, Shape shape, String... names) throws IOException {
        Data.of(ArraySpec.builder(ChunkGrid.regular(shape, shape), DataType.INT32)
                        .dimensionNames(List.of(names))
                        .build())
                .write(store, path);
    }

    @Test
    void onlyChunksWithASelectedElementAreRead() throws Exception {
        MemoryStore memory =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(100, 10), Shape.of(5, 10)), DataType.INT16)
                .build();
        Data data = Data.of(spec);
        data.write(memory, "");
        MemoryStore target = MemoryStore.builder().build();
        Report report = Rechunker.from(memory)
                .to(target)
                .chunks(3, 4)
                .maxMem("1MB")
                .select("::12, [1,0]")
                .verify()
                .execute();
        assertEquals(9, report.sourceChunkReads());
        IndexModel model = new IndexModel(memory.at(""), spec, new Random(0));
        model.show(new int[] {0, 1}, new long[][] {
            LongStream.range(0, 9).map(i -> 12 * i).toArray(), {1, 0}
        });
        assertArrayEquals(model.elements(data.elements(), 2), target.elements(""));
    }
}
