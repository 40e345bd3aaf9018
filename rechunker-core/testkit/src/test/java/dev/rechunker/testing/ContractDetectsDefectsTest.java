package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.Updatable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Stores with one defect each fail exactly the tests of the contract that concern the defect. */
class ContractDetectsDefectsTest {
    @Test
    void correctStorePasses() throws Exception {
        assertFailures(() -> new Broken() {});
    }

    @Test
    void elementsAtWrongPositions() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    boolean read(ArrayReader reader, Region region, ByteBuffer target, Scratch scratch)
                            throws IOException {
                        int start = target.position();
                        int end = target.limit();
                        boolean found = reader.read(region, target, scratch);
                        if (end - start > 4) {
                            byte first = target.get(start);
                            target.put(start, target.get(end - 1));
                            target.put(end - 1, first);
                        }
                        return found;
                    }
                },
                "arrayIsInvisibleBeforeCommit",
                "existingArraysAreUpdatedIfTheStoreIsUpdatable",
                "edges",
                "everyItemSize",
                "groups",
                "manyThreadsReadAtOnce",
                "manyThreadsWriteAtOnceIfDeclared",
                "overwritingRemovesAllUnits",
                "encodedUnitsAreCopiedIfOffered",
                "encodedChunksAreCopiedIfOffered",
                "unitsNever",
                "attributesAndNamesAreKept",
                "fillValueIsKept",
                "existingNodesAreNotOverwritten",
                "writtenElementsAreReadBack",
                "noArrayExistsWithoutCommit",
                "writingUnitsAgainChangesNothing",
                "writingDoesNotChangeBuffers");
    }

    @Test
    void missingChunksReadAsFound() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    boolean read(ArrayReader reader, Region region, ByteBuffer target, Scratch scratch)
                            throws IOException {
                        reader.read(region, target, scratch);
                        return true;
                    }
                },
                "existingArraysAreUpdatedIfTheStoreIsUpdatable",
                "overwritingRemovesAllUnits",
                "encodedUnitsAreCopiedIfOffered",
                "encodedChunksAreCopiedIfOffered",
                "unitsNever",
                "fillValueIsKept",
                "noArrayExistsWithoutCommit",
                "writingDoesNotChangeBuffers");
    }

    @Test
    void visibleBeforeTheCommit() throws Exception {
        assertFailures(
                () -> new Broken() {
                    private final List<String> created = new ArrayList<>();

                    @Override
                    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
                        created.add(path);
                        return super.create(path, spec, overwrite);
                    }

                    @Override
                    public Optional<Node> node(String path) throws IOException {
                        Optional<Node> node = super.node(path);
                        boolean early = node.isEmpty() && created.contains(path);
                        return early ? Optional.of(new ArrayNode(SPEC)) : node;
                    }
                },
                "closedWritersRefuse",
                "arrayIsInvisibleBeforeCommit",
                "overwritingRemovesAllUnits",
                "noArrayExistsWithoutCommit");
    }

    @Test
    void overwritesWithoutRequest() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
                        return super.create(path, spec, true);
                    }
                },
                "existingNodesAreNotOverwritten");
    }

    @Test
    void changesTheCallersBuffer() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    void write(ArrayWriter writer, Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                        ByteBuffer same = data.duplicate();
                        writer.write(unit, data, scratch);
                        same.put(same.position(), (byte) ~same.get(same.position()));
                    }
                },
                "writingDoesNotChangeBuffers");
    }

    @Test
    void doesNotResolveItsOwnSpec() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public ArraySpec adopt(ArraySpec foreign) {
                        return foreign.toBuilder()
                                .codecs(CodecSpec.parse("usual"))
                                .build();
                    }

                    @Override
                    public List<String> omissions(String path) {
                        return List.of("something is left out");
                    }
                },
                "ownArraysHaveNoOmissions",
                "ownSpecsAreAdoptedUnchanged");
    }

    @Test
    void isAlwaysVacant() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public boolean isVacant(String path) {
                        return true;
                    }
                },
                "vacantPlacesHaveNothing");
    }

    @Test
    void worksAfterClosing() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    void close(ArrayReader reader) {}
                },
                "closedReadersRefuse");
    }

    @Test
    void takesMoreScratchThanDeclared() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    void write(ArrayWriter writer, Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                        scratch.take(1);
                        writer.write(unit, data, scratch);
                    }
                },
                "closedReadersRefuse",
                "arrayIsInvisibleBeforeCommit",
                "existingArraysAreUpdatedIfTheStoreIsUpdatable",
                "readTraitsAreKnownBeforeWritingOrNotAtAll",
                "edges",
                "everyItemSize",
                "groups",
                "manyThreadsReadAtOnce",
                "manyThreadsWriteAtOnceIfDeclared",
                "ownArraysHaveNoOmissions",
                "optionalInterfaces",
                "overwritingRemovesAllUnits",
                "paths",
                "stores",
                "arrayIsFoundAtItsPath",
                "traits",
                "encodedUnitsAreCopiedIfOffered",
                "encodedChunksAreCopiedIfOffered",
                "unitsNever",
                "attributesAndNamesAreKept",
                "fillValueIsKept",
                "existingNodesAreNotOverwritten",
                "writtenElementsAreReadBack",
                "noArrayExistsWithoutCommit",
                "writingUnitsAgainChangesNothing",
                "vacantPlacesHaveNothing",
                "writingDoesNotChangeBuffers");
    }

    @Test
    void declaresMoreThanItCan() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public Capabilities capabilities() {
                        return Capabilities.ofHierarchy()
                                .withConcurrentWriters(true)
                                .withAtomicPublish(true);
                    }
                },
                "undeclaredWritesAreRefused",
                "optionalInterfaces");
    }

    @Test
    void losesAnOptionalInterface() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public Optional<Updatable> updatable() {
                        return node("some/where").isPresent() ? Optional.empty() : super.updatable();
                    }

                    @Override
                    public Optional<Node> node(String path) {
                        try {
                            return super.node(path);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                },
                "optionalInterfaces",
                "existingArraysAreUpdatedIfTheStoreIsUpdatable");
    }

    @Test
    void sharesItsIdentity() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public String identity() {
                        return "here";
                    }
                },
                "stores");
    }

    @Test
    void forgetsAttributes() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
                        super.writeGroup(path, GroupSpec.EMPTY, overwrite);
                    }
                },
                "groups");
        assertFailures(
                () -> new Broken() {
                    @Override
                    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
                        ArraySpec less = spec.toBuilder().attributes(Map.of()).build();
                        return super.create(path, less, overwrite);
                    }
                },
                "attributesAndNamesAreKept");
    }

    @Test
    void doesNotSortChildren() throws Exception {
        assertFailures(
                () -> new Broken() {
                    @Override
                    public List<String> children(String path) throws IOException {
                        List<String> names = new ArrayList<>(super.children(path));
                        names.sort(String.CASE_INSENSITIVE_ORDER.reversed());
                        return names;
                    }
                },
                "children",
                "groups");
    }

    private static final ArraySpec SPEC = Cases.of(1).spec();

    /** A correct store with methods that a defect can override. */
    private abstract static class Broken extends ForwardingStore {
        Broken() {
            super(new MemoryStore());
        }

        boolean read(ArrayReader reader, Region region, ByteBuffer target, Scratch scratch) throws IOException {
            return reader.read(region, target, scratch);
        }

        void write(ArrayWriter writer, Region unit, ByteBuffer data, Scratch scratch) throws IOException {
            writer.write(unit, data, scratch);
        }

        void close(ArrayReader reader) throws IOException {
            reader.close();
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            return new Reader(super.openReader(path)) {
                @Override
                public boolean read(Region region, ByteBuffer target, Scratch scratch) throws IOException {
                    return Broken.this.read(delegate(), region, target, scratch);
                }

                @Override
                public void close() throws IOException {
                    Broken.this.close(delegate());
                }
            };
        }

        @Override
        public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
            return new Writer(super.create(path, spec, overwrite)) {
                @Override
                public void write(Region unit, ByteBuffer data, Scratch scratch) throws IOException {
                    Broken.this.write(delegate(), unit, data, scratch);
                }
            };
        }
    }

    /** Runs the contract separately, so that its failures do not fail this test. */
    private static final class Contract extends ChunkStoreContract {
        private final Supplier<? extends ChunkStore> made;

        Contract(Supplier<? extends ChunkStore> made) {
            this.made = made;
        }

        @Override
        protected ChunkStore createStore() {
            return made.get();
        }
    }

    /** Asserts that exactly the tests fail whose names start with one of these prefixes. */
    private static List<Method> clauses() {
        List<Method> clauses = new ArrayList<>();
        for (Class<?> type = ChunkStoreContract.class; type != Object.class; type = type.getSuperclass()) {
            clauses.addAll(List.of(type.getDeclaredMethods()));
        }
        return clauses;
    }

    private static void assertFailures(Supplier<? extends ChunkStore> made, String... names) throws Exception {
        TreeSet<String> failed = new TreeSet<>();
        TreeSet<String> expected = new TreeSet<>(List.of(names));
        for (Method test : clauses()) {
            if (test.isAnnotationPresent(Test.class)) {
                try {
                    test.invoke(new Contract(made));
                } catch (InvocationTargetException e) {
                    String name = test.getName();
                    failed.add(expected.stream()
                            .filter(name::startsWith)
                            .findFirst()
                            .orElse(name));
                }
            }
        }
        assertEquals(expected, failed);
    }
}
