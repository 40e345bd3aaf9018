package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private static Attempts.Operation<Integer> failingOnce() {
        AtomicInteger calls = new AtomicInteger();
        return () -> {
            if (calls.incrementAndGet() == 1) {
                throw new IOException("told to fail once");
            }
            return calls.get();
        };
    }

    private static <T> Attempts.Operation<T> refusing() {
        return () -> {
            throw new StoreException("told to refuse");
        };
    }

    /** As if an earlier run was killed after it wrote an array and before it recorded that. */
    @Test
    void permanentFailuresAreNotRetriedButOthersAre() throws IOException {
        Attempts attempts = new Attempts(1);
        assertThrows(StoreException.class, () -> attempts.ask(refusing()));
        assertEquals(2, attempts.get(failingOnce()));
        assertEquals(1, attempts.retried());
    }

    @Test
    void nothingIsRetriedAfterAFailure() {
        Attempts attempts = new Attempts(1);
        assertThrows(StoreException.class, () -> attempts.get(refusing()));
        assertThrows(IOException.class, () -> attempts.get(failingOnce()));
        assertEquals(0, attempts.retried());
    }
}
