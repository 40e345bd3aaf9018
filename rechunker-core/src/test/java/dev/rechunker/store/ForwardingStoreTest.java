package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** A decorator forwards whatever it does not override, so that no new method of an interface can be forgotten. */
class ForwardingStoreTest {
    private static final List<Class<?>> OPTIONAL =
            List.of(FormatRules.class, Updatable.class, Resumable.class, Joinable.class, Durable.class);

    /** Conveniences that call other methods of the interface. */
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
        assertForwards(new ForwardingStore.Reader(fake(ArrayReader.class)) {}, ArrayReader.class);
    }

    @Test
    void everyMethodOfAWriterIsForwarded() throws Exception {
        assertForwards(new ForwardingStore.Writer(fake(ArrayWriter.class)) {}, ArrayWriter.class);
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
    void whatTheOtherStoreCannotDoIsRefused() {
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
            // The store itself stands for the rules, so asking for them need not ask the other store.
            assertTrue(called.contains(name) || name.equals("rules"), () -> method + " is not forwarded: " + called);
        }
    }

    private ForwardingStore forwarding(Class<ChunkStore> type) {
        return new ForwardingStore(fake(type)) {};
    }

    private static @Nullable Object call(Object target, Method method) throws ReflectiveOperationException {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            arguments[i] = type == String.class ? "text" : type == boolean.class ? (Object) true : null;
        }
        return method.invoke(target, arguments);
    }

    /** {@return an object of an interface that has every optional interface, and notes which methods are called} */
    private <T> T fake(Class<T> type) {
        List<Class<?>> types = new ArrayList<>(OPTIONAL);
        types.add(type);
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), types.toArray(Class<?>[]::new), (proxy, method, arguments) -> {
                    called.add(method.getName());
                    boolean returnsAbility = List.of("updatable", "resumable", "joinable", "durable")
                            .contains(method.getName());
                    return method.getName().equals("rules")
                            ? proxy
                            : returnsAbility ? Optional.of(proxy) : answer(method.getReturnType());
                }));
    }

    private static @Nullable Object answer(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        return type == long.class ? (Object) 0L : null;
    }
}
