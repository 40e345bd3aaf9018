package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work of a walk through nested groups grows with their number, not with its square. */
class DeepGroupsTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void readsGrowWithTheNumberOfLevels() throws IOException {
        long one = readsOfWalk(150);
        long two = readsOfWalk(300);
        assertTrue(two < 2.5 * one, one + " reads for 150 levels, " + two + " for 300");
    }

    /** {@return the number of reads of a walk through groups, in each of which is one more, and a second empty one} */
    private long readsOfWalk(int levels) throws IOException {
        String name = levels + ".h5";
        try (ChunkStore store = Hdf5.create(directory.resolve(name))) {
            String path = "";
            for (int level = 0; level < levels; level++) {
                path += level == 0 ? "g" : "/g";
                store.writeGroup(path + "/z", Map.of());
            }
            store.finish(false);
        }
        AtomicLong reads = new AtomicLong();
        try (ChunkStore store = Hdf5Store.open(counting(KeyStore.class, new DirectoryKeys(directory), reads), name)) {
            long before = reads.get();
            int depth = visit(store, "");
            assertEquals(levels + 1, depth);
            return reads.get() - before;
        }
    }

    /** {@return the number of levels below a group, which is visited as a copy does it} */
    private static int visit(ChunkStore store, String path) throws IOException {
        assertTrue(store.node(path).orElseThrow() instanceof GroupNode);
        store.omissions(path);
        int deepest = 0;
        for (String child : store.children(path)) {
            deepest = Math.max(deepest, 1 + visit(store, path.isEmpty() ? child : path + "/" + child));
        }
        return deepest;
    }

    /** {@return an object that counts what is opened and read through it} */
    private static <T> T counting(Class<T> type, T of, AtomicLong reads) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            reads.addAndGet(List.of("open", "read").contains(method.getName()) ? 1 : 0);
            try {
                Object result = method.invoke(of, args);
                return result instanceof Optional<?> found && found.orElse(null) instanceof ByteSource source
                        ? Optional.of(counting(ByteSource.class, source, reads))
                        : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
