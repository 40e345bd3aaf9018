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

    private Object make() {
        Object thing = new Object();
        alive.add(thing);
        return thing;
    }

    private void free(Object thing) {
        assertTrue(alive.remove(thing), "freed twice");
    }

    @Test
    void keepsAsManyAsWereBusyAtOnce() {
        Pool<Object> pool = new Pool<>(this::make, this::free);
        List<Object> taken = List.of(pool.take(), pool.take(), pool.take());
        taken.forEach(pool::give);
        assertEquals(3, alive.size());
        pool.close();
        assertEquals(0, alive.size());
    }

    @Test
    void aThriftyOneKeepsOneWhenNobodyIsBusy() {
        Pool<Object> pool = Pool.thrifty(this::make, this::free);
        Random random = new Random(1);
        List<Object> taken = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            if (taken.isEmpty() || random.nextInt(8) > taken.size()) {
                taken.add(pool.take());
            } else {
                pool.give(taken.remove(random.nextInt(taken.size())));
            }
            assertTrue(alive.size() <= 2 * taken.size() + 1, alive.size() + " for " + taken.size());
        }
        taken.forEach(pool::give);
        assertEquals(1, alive.size());
        Object kept = alive.iterator().next();
        assertSame(kept, pool.take());
        pool.close();
        pool.give(kept);
        assertEquals(0, alive.size());
    }
}
