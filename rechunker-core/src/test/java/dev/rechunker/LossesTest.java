package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.store.UnsupportedArrayException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Metadata that a copy between formats cannot keep is adapted and listed, or refused. */
class LossesTest {
    private static final List<CodecSpec> ODD = CodecSpec.parse("odd:level=1");
    private static final List<CodecSpec> USUAL = CodecSpec.parse("usual");

    private static final ArraySpec SPEC = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(8, 6), Shape.of(2, 6)), DataType.INT16)
            .shards(ChunkGrid.regular(Shape.of(8, 6), Shape.of(4, 6)))
            .codecs(ODD)
            .dimensionNames(List.of("y", "x"))
            .fillValue(FillValue.of((byte) 7, (byte) 0))
            .attributes(Map.of("owner", Map.of("name", "me"), "units", "m"))
            .hints(Map.of("other.layout", "strange", ArraySpec.NAMES_HINT, "{\"low\":1}"))
            .build();

    /** A store with one codec, without shards and dimension names, with one fill value and only texts as attributes. */
    private static final class PoorStore extends ForwardingStore {
        PoorStore() {
            super(new MemoryStore());
        }

        @Override
        public ArraySpec adopt(ArraySpec foreign) {
            boolean known = foreign.codecs().isEmpty() || foreign.codecs().equals(USUAL);
            return foreign.toBuilder()
                    .shards(null)
                    .codecs(known ? foreign.codecs() : USUAL)
                    .build();
        }

        @Override
        public ArraySpec resolve(ArraySpec wanted) throws StoreException {
            if (!wanted.codecs().isEmpty() && !wanted.codecs().equals(USUAL)) {
                throw new StoreException("poor cannot hold the codecs " + wanted.codecs());
            }
            if (wanted.shards().isPresent()) {
                throw new StoreException("poor has no shards");
            }
            if (wanted.dataType().equals(DataType.COMPLEX64)) {
                throw new UnsupportedArrayException("poor has no complex numbers");
            }
            return wanted.toBuilder()
                    .dimensionNames(List.of())
                    .fillValue(FillValue.zero(wanted.dataType().itemSize()))
                    .attributes(texts(wanted.attributes()))
                    .hints(Map.of())
                    .build();
        }

        @Override
        public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) {
            return GroupSpec.of(texts(group.attributes()));
        }

        private static Map<String, @Nullable Object> texts(Map<String, ? extends @Nullable Object> attributes) {
            Map<String, @Nullable Object> texts = new LinkedHashMap<>(attributes);
            texts.values().removeIf(value -> !(value instanceof String));
            return texts;
        }
    }

    /** A store that cannot read some nodes and some attributes of other nodes. */
    private static final class OddStore extends ForwardingStore {
        OddStore(ChunkStore delegate) {
            super(delegate);
        }

        @Override
        public Optional<Node> node(String path) throws IOException {
            if (path.endsWith("names")) {
                throw new StoreException("odd#" + path + " has texts of variable length");
            }
            return super.node(path);
        }

        @Override
        public List<String> omissions(String path) {
            return path.endsWith("a") || path.endsWith("c")
                    ? List.of("the attribute \"ref\" is a reference, and is left out")
                    : List.of();
        }
    }

    private static MemoryStore holding(String path) throws IOException {
        MemoryStore store = MemoryStore.builder().name("source").build();
        Data.of(SPEC).write(store, path);
        return store;
    }

    private static Rechunker.Job job(StoreLocation source, ChunkStore target) {
        return Rechunker.from(source).to(target).chunks("keep").maxMem("1MB");
    }

    private static ArraySpec specOf(ChunkStore store, String path) throws IOException {
        return ((ChunkStore.ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private static String message(Rechunker.Job job) {
        return String.valueOf(assertThrows(StoreException.class, job::plan).getMessage());
    }

    @Test
    void unsupportedMetadataIsAdaptedAndListed() throws Exception {
        MemoryStore source = holding("a");
        source.writeGroup("", Map.of("title", "sea", "nested", List.of(1L)));
        PoorStore target = new PoorStore();
        Plan plan = job(source.at(""), target).plan();
        List<String> ofArray = List.of(
                "source#a: the shards become none instead of (4, 6)",
                "source#a: the codecs become [usual] instead of [odd{level=1}]",
                "source#a: the fill value becomes 0x0000 instead of 0x0700",
                "source#a: the dimension names become none instead of [y, x]",
                "source#a: the names of its values are not kept: {\"low\":1}",
                "source#a: the attribute \"owner\" is not kept");
        assertEquals(ofArray, Loss.sentences(plan.arrays().get(0).losses()));
        assertEquals(
                "source: the attribute \"nested\" is not kept",
                Loss.sentences(plan.losses()).get(0));
        assertEquals(
                ofArray,
                Loss.sentences(plan.losses())
                        .subList(1, Loss.sentences(plan.losses()).size()));
        Loss.sentences(plan.losses())
                .forEach(loss -> assertTrue(plan.explain().contains("\n  " + loss + "\n"), plan::explain));
        Report report = plan.execute();
        assertEquals(Loss.sentences(plan.losses()), Loss.sentences(report.losses()));
        assertEquals(Map.of("units", "m"), specOf(target, "a").attributes());
        assertEquals(
                Optional.of(new ChunkStore.GroupNode(GroupSpec.of(Map.of("title", "sea")), false)), target.node(""));
        assertArrayEquals(source.elements("a"), Data.readAll(target.openReader("a")));
    }

    @Test
    void undefinedFillValueWrittenAsZeroIsNoLoss() throws Exception {
        ArraySpec undefined = ArraySpec.builder(SPEC.chunks(), DataType.INT16).build();
        MemoryStore source = MemoryStore.builder().name("source").build();
        Data.of(undefined).write(source, "");
        assertEquals(
                List.of(),
                Loss.sentences(
                        job(source.at(""), new PoorStore()).strict().execute().losses()));
    }

    @Test
    void strictCopyWithLossesIsRefused() throws Exception {
        MemoryStore source = holding("a");
        PoorStore poor = new PoorStore();
        String message = message(job(source.at("a"), poor).strict(Loss.Kind.LAYOUT));
        assertTrue(
                message.startsWith("not everything of source#a can be kept in memory, and the copy is strict: "),
                message);
        for (String loss : Loss.sentences(job(source.at("a"), poor).plan().losses())) {
            assertTrue(message.contains(loss), message);
        }
        assertTrue(poor.node("").isEmpty());
        Report report = job(source.at("a"), new MemoryStore()).strict().execute();
        assertEquals(List.of(), Loss.sentences(report.losses()));
    }

    @Test
    void requestedCodecsAndFormatsAreNeverReplaced() throws Exception {
        MemoryStore source = holding("a");
        assertEquals(
                "source#a: poor cannot hold the codecs [strange]",
                message(job(source.at("a"), new PoorStore()).codec("strange")));
        assertEquals(
                "source#a: poor has no shards",
                message(job(source.at("a"), new PoorStore()).shards("4, 6")));
        ArrayPlan plan = job(source.at("a"), new PoorStore())
                .codec("usual")
                .plan()
                .arrays()
                .get(0);
        assertTrue(
                Loss.sentences(plan.losses()).stream().noneMatch(loss -> loss.contains("codecs")),
                Loss.sentences(plan.losses())::toString);
        assertEquals(
                List.of(),
                job(source.at("a"), new PoorStore())
                        .codec("none")
                        .plan()
                        .arrays()
                        .get(0)
                        .target()
                        .codecs());
    }

    @Test
    void unsupportedNodesOfGroupAreLeftOut() throws Exception {
        MemoryStore memory = holding("deep/a");
        Data.of(SPEC).write(memory, "deep/names");
        OddStore source = new OddStore(memory);
        MemoryStore target = new MemoryStore();
        Rechunker.Job job = job(source.at(""), target);
        List<String> losses = List.of(
                "source#deep/a: the attribute \"ref\" is a reference, and is left out",
                "source#deep/names: is not understood, and left out: odd#deep/names has texts of variable length");
        assertEquals(losses, Loss.sentences(job.execute().losses()));
        assertTrue(target.node("deep/names").isEmpty());
        assertArrayEquals(memory.elements("deep/a"), target.elements("deep/a"));
        String message = message(job.overwrite().strict());
        losses.forEach(loss -> assertTrue(message.contains(loss), message));
        assertEquals(
                "odd#deep/names has texts of variable length",
                message(job(source.at("deep/names"), new MemoryStore())));
    }

    @Test
    void numbersAreComparedByValue() throws Exception {
        ForwardingStore doubles = new ForwardingStore(new MemoryStore()) {
            @Override
            public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) {
                Map<String, @Nullable Object> changed = new LinkedHashMap<>(group.attributes());
                changed.replaceAll((name, value) -> switch (name) {
                    case "one" -> 1.0;
                    case "list" -> List.of(1L, 2.5, Map.of("a", 3L));
                    case "text" -> 5L;
                    case "zero" -> 0L;
                    default -> value;
                });
                return GroupSpec.of(changed);
            }
        };
        MemoryStore source = MemoryStore.builder().name("source").build();
        source.writeGroup(
                "", Map.of("one", 1, "list", List.of(1, 2.5f, Map.of("a", 3)), "text", "5", "nan", Double.NaN));
        assertEquals(
                List.of("source: the attribute \"text\" becomes 5 instead of \"5\""),
                Loss.sentences(job(source.at(""), doubles).plan().losses()));
        source.writeGroup("", Map.of("one", 1, "zero", -0.0));
        assertEquals(
                List.of("source: the attribute \"zero\" becomes 0 instead of -0.0"),
                Loss.sentences(job(source.at(""), doubles).plan().losses()));
    }

    @Test
    void dataTypeIsNeverChanged() throws Exception {
        ForwardingStore wide =
                new ForwardingStore(MemoryStore.builder().name("wide").build()) {
                    @Override
                    public ArraySpec resolve(ArraySpec wanted) {
                        return wanted.toBuilder()
                                .dataType(DataType.INT32)
                                .fillValue(FillValue.zero(4))
                                .build();
                    }
                };
        assertEquals(
                "source#a is int16 (8, 6), but wide would store it as int32 (8, 6)",
                message(job(holding("a").at("a"), wide)));
    }

    @Test
    void hierarchyIsArrangedByTheTarget() throws Exception {
        MemoryStore memory = new MemoryStore();
        ForwardingStore target = new ForwardingStore(memory) {
            @Override
            public StoreLocation arrange(StoreLocation source) {
                return source.resolve("inner");
            }
        };
        MemoryStore source = holding("outer/inner/a");
        Plan plan = job(source.at("outer"), target).plan();
        assertEquals("a", plan.arrays().get(0).path());
        plan.execute();
        assertArrayEquals(source.elements("outer/inner/a"), memory.elements("a"));
    }

    @Test
    void arrayInOneLargeChunkGetsSmallerOnes() throws Exception {
        Shape large = Shape.of(50_000, 50_000);
        ArraySpec contiguous = ArraySpec.builder(ChunkGrid.regular(large, large), DataType.INT16)
                .build();
        ChunkStore source =
                new ForwardingStore(MemoryStore.builder().name("source").build()) {
                    @Override
                    public Optional<Node> node(String path) {
                        return Optional.of(new ArrayNode(contiguous));
                    }

                    @Override
                    public dev.rechunker.store.ArrayReader openReader(String path) throws IOException {
                        MemoryStore small = MemoryStore.of(
                                ArraySpec.builder(ChunkGrid.regular(Shape.of(1, 1), Shape.of(1, 1)), DataType.INT16)
                                        .build(),
                                new byte[2]);
                        return new Reader(small.openReader("")) {
                            @Override
                            public ArraySpec spec() {
                                return contiguous;
                            }
                        };
                    }
                };
        String message = message(job(source.at(""), new MemoryStore()));
        assertTrue(message.startsWith("source: "), message);
        assertTrue(
                message.endsWith(
                        "; name smaller chunks than (50000, 50000), such as \"auto\" or \"100MB\", for it alone"
                                + " with ChunkRule.named(...)"),
                message);
        assertTrue(Rechunker.from(source)
                        .to(new MemoryStore())
                        .chunks("auto")
                        .maxMem("1GB")
                        .plan()
                        .tasks()
                > 0);
    }

    @Test
    void arraysOfUnsupportedTypesAreLeftOutOfGroups() throws Exception {
        MemoryStore source = holding("deep/a");
        ArraySpec complex = ArraySpec.builder(SPEC.chunks(), DataType.COMPLEX64).build();
        Data.of(complex).write(source, "deep/c");
        PoorStore target = new PoorStore();
        String loss = "source#deep/c: cannot be stored in " + target.at("")
                + ", and is left out: source#deep/c: poor has no complex numbers";
        Plan plan = job(new OddStore(source).at(""), target).plan();
        assertEquals(
                List.of(loss),
                Loss.sentences(plan.losses()).stream()
                        .filter(l -> l.startsWith("source#deep/c: "))
                        .toList());
        assertEquals(
                List.of("deep/a"), plan.arrays().stream().map(ArrayPlan::path).toList());
        assertTrue(Loss.sentences(plan.losses()).contains(loss), Loss.sentences(plan.losses())::toString);
        String message = message(job(source.at(""), target).strict());
        assertTrue(message.contains(loss), message);
        assertEquals("source#deep/c: poor has no complex numbers", message(job(source.at("deep/c"), target)));
    }
}
