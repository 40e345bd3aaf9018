package dev.rechunker.resource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Working memory of one thread. It is handed out from front to back; what was handed out since a mark is returned at
 * once.
 *
 * <p>A codec declares in advance how much it takes at most. The plan includes that memory, and the engine provides it.
 * Taking more is a defect of the codec, not of the data. Not for use by two threads at once.
 */
public final class Scratch {
    private final ByteBuffer memory;
    private int used;

    /** Creates a scratch over the remaining bytes of a buffer, which must not be used otherwise meanwhile. */
    public Scratch(ByteBuffer memory) {
        this.memory = memory.slice();
    }

    /** {@return a scratch with direct memory of its own, for tests and for tools that run outside a plan} */
    public static Scratch allocate(int bytes) {
        return new Scratch(ByteBuffer.allocateDirect(bytes));
    }

    /**
     * {@return the next {@code bytes} bytes, little-endian, with undefined content}
     *
     * @throws IllegalStateException if fewer bytes are left
     */
    public ByteBuffer take(long bytes) {
        if (bytes < 0 || bytes > available()) {
            throw new IllegalStateException(bytes + " bytes of scratch memory were requested, but only " + available()
                    + " of " + memory.capacity() + " are left: a codec takes more than it declared");
        }
        ByteBuffer taken = memory.slice(used, (int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        used += (int) bytes;
        return taken;
    }

    /** {@return the number of bytes that are left} */
    public int available() {
        return memory.capacity() - used;
    }

    /** {@return a mark, for {@link #release}} */
    public int mark() {
        return used;
    }

    /** Takes back everything that was handed out since a mark. */
    public void release(int mark) {
        if (mark < 0 || mark > used) {
            throw new IllegalArgumentException("mark " + mark + " is not between 0 and " + used);
        }
        used = mark;
    }
}
