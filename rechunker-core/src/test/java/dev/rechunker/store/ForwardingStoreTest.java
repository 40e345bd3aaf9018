package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A decorator forwards all methods that it does not override, including those added to the interfaces later. */
class ForwardingStoreTest {
    private static final List<Class<?>> OPTIONAL = List.of(
            FormatRules.class,
            Updatable.class,
            Resumable.class,
            Joinable.class,
            Durable.class,
            ChunkStore.VariableLength.class);

    /** Methods that return an optional interface. */
    private static final Set<String> ABILITIES = Set.of(
            "updatable", "resumable", "joinable", "durable", "variableLength", "encoded", "encodedChunks", "parts");

    private static final WriteTraits TRAITS = WriteTraits.PLAIN
            .withEncoded(WriteTraits.EncodedTraits.of("fake"))
            .withEncodedChunks(WriteTraits.EncodedTraits.of("fake"))
            .withParts(WriteTraits.PartTraits.of(ChunkGrid.regular(Shape.of(1), Shape.of(1))));

    /** Default methods that call other methods of the interface. */
    private static final Set<String> CONVENIENCES = Set.of("at", "writeGroup/2");

    private final Set<String> called = new LinkedHashSet<>();

    @Test
    void everyMethodOfAStoreIsForwarded() throws Exception {
        assertForwards(forwarding(ChunkStore.class), ChunkStore.class);
        for (Class<?> ability : OPTIONAL) {
            assertForwards(forwarding(ChunkStore.class), ability);
        }
    }

    @Test
    void everyMethodOfAReaderIsForwarded() throws Exception {
        ArrayReader reader = new ForwardingStore.Reader(
                fake(ArrayReader.class, ArrayReader.EncodedSource.class, ArrayReader.EncodedChunks.class)) {};
        assertForwards(reader, ArrayReader.class);
        assertForwards(reader, ArrayReader.EncodedSource.class);
        assertForwards(reader, ArrayReader.EncodedChunks.class);
        assertSame(reader, reader.encoded().orElseThrow());
        assertSame(reader, reader.encodedChunks().orElseThrow());
    }

    @Test
    void everyMethodOfAWriterIsForwarded() throws Exception {
        ArrayWriter writer = new ForwardingStore.Writer(fake(
                ArrayWriter.class,
                ArrayWriter.PartTarget.class,
                ArrayWriter.EncodedTarget.class,
                ArrayWriter.ChunkTarget.class)) {};
        assertForwards(writer, ArrayWriter.class);
        assertForwards(writer, ArrayWriter.PartTarget.class);
        assertForwards(writer, ArrayWriter.EncodedTarget.class);
        assertForwards(writer, ArrayWriter.ChunkTarget.class);
        assertSame(writer, writer.parts().orElseThrow());
        assertSame(writer, writer.encoded().orElseThrow());
    }

    @Test
    void aWriterHasTheAbilitiesThatItsOwnTraitsDeclare() {
        ArrayWriter writer =
                new ForwardingStore.Writer(
                        fake(ArrayWriter.class, ArrayWriter.PartTarget.class, ArrayWriter.EncodedTarget.class)) {
                    @Override
                    public WriteTraits traits() {
                        return WriteTraits.PLAIN;
                    }
                };
        assertEquals(Optional.empty(), writer.parts());
        assertEquals(Optional.empty(), writer.encoded());
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "update", "resume", "join"})
    void everyWriterComesFromOneMethod(String way) throws Exception {
        List<String> opened = new ArrayList<>();
        ForwardingStore store = new ForwardingStore(fake(ChunkStore.class)) {
            @Override
            protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
                opened.add(path);
                return super.openWriter(path, opening);
            }
        };
        for (Class<?> type : List.of(ChunkStore.class, Updatable.class, Resumable.class, Joinable.class)) {
            for (Method method : type.getMethods()) {
                if (method.getName().equals(way)) {
                    call(store, method);
                }
            }
        }
        assertEquals(List.of("text"), opened);
    }

    @Test
    void unsupportedOperationsAreRefused() {
        ForwardingStore store = new ForwardingStore(new ReadOnly()) {};
        for (Class<?> ability : OPTIONAL.subList(1, OPTIONAL.size())) {
            for (Method method : ability.getMethods()) {
                Exception thrown = assertThrows(InvocationTargetException.class, () -> call(store, method));
                assertTrue(thrown.getCause() instanceof UnsupportedOperationException, method::toString);
            }
        }
        assertEquals(Optional.empty(), store.updatable());
        assertEquals(Optional.empty(), store.resumable());
        assertEquals(Optional.empty(), store.joinable());
        assertEquals(Optional.empty(), store.durable());
        assertEquals(Optional.empty(), store.variableLength());
    }

    private static final class ReadOnly extends ReadOnlyStore {
        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public String identity() {
            return "nothing";
        }

        @Override
        public Optional<Node> node(String path) {
            return Optional.empty();
        }

        @Override
        public ArrayReader openReader(String path) throws IOException {
            throw new StoreException("nothing");
        }
    }

    private void assertForwards(Closeable forwarding, Class<?> type) throws Exception {
        for (Method method : type.getMethods()) {
            String name = method.getName();
            if (Modifier.isStatic(method.getModifiers())
                    || method.isBridge()
                    || name.equals("descriptor")
                    || CONVENIENCES.contains(name)
                    || CONVENIENCES.contains(name + "/" + method.getParameterCount())) {
                continue;
            }
            called.clear();
            call(forwarding, method);
            // A store stands for its rules, a writer asks its own traits.
            boolean answers = name.equals("rules") || (type == ArrayWriter.class && ABILITIES.contains(name));
            assertTrue(called.contains(name) || answers, () -> method + " is not forwarded: " + called);
        }
    }

    private ForwardingStore forwarding(Class<ChunkStore> type) {
        return new ForwardingStore(fake(type)) {};
    }

    private static @Nullable Object call(Object target, Method method) throws ReflectiveOperationException {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            arguments[i] = argument(type);
        }
        return method.invoke(target, arguments);
    }

    private static @Nullable Object argument(Class<?> type) {
        if (type == boolean.class) {
            return true;
        }
        return type == String.class ? "text" : type == int.class ? (Object) 1 : type == long.class ? (Object) 1L : null;
    }

    /** {@return an object that has every optional interface, and records which methods are called} */
    private <T> T fake(Class<T> type, Class<?>... more) {
        List<Class<?>> types = new ArrayList<>(type == ChunkStore.class ? OPTIONAL : List.of(more));
        types.add(type);
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), types.toArray(Class<?>[]::new), (proxy, method, arguments) -> {
                    called.add(method.getName());
                    if (ABILITIES.contains(method.getName())) {
                        return Optional.of(proxy);
                    }
                    return method.getName().equals("rules") ? proxy : answer(method.getReturnType());
                }));
    }

    private static @Nullable Object answer(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == WriteTraits.class) {
            return TRAITS;
        }
        return type == long.class ? (Object) 0L : null;
    }
}
