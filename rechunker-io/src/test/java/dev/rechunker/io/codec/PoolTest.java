package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoolTest {
    private final Set<Object> alive = new HashSet<>();

    private Object create() {
        Object object = new Object();
        alive.add(object);
        return object;
    }

    private void free(Object object) {
        assertTrue(alive.remove(object), "freed twice");
    }

    @Test
    void keepsAsManyObjectsAsWereInUseAtOnce() {
        Pool<Object> pool = new Pool<>(this::create, this::free);
        List<Object> taken = List.of(pool.take(), pool.take(), pool.take());
        taken.forEach(pool::giveBack);
        assertEquals(3, alive.size());
        pool.close();
        assertEquals(0, alive.size());
    }

    @Test
    void poolThatKeepsFewKeepsOneIfNoneIsInUse() {
        Pool<Object> pool = Pool.keepingFew(this::create, this::free);
        Random random = new Random(1);
        List<Object> taken = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            if (taken.isEmpty() || random.nextInt(8) > taken.size()) {
                taken.add(pool.take());
            } else {
                pool.giveBack(taken.remove(random.nextInt(taken.size())));
            }
            assertTrue(alive.size() <= 2 * taken.size() + 1, alive.size() + " for " + taken.size());
        }
        taken.forEach(pool::giveBack);
        assertEquals(1, alive.size());
        Object kept = alive.iterator().next();
        assertSame(kept, pool.take());
        pool.close();
        pool.giveBack(kept);
        assertEquals(0, alive.size());
    }
}
