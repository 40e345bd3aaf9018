package dev.rechunker.resource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Working memory of one thread, handed out front to back and returned by going back to a mark.
 *
 * <p>A codec declares beforehand how much it takes at most, the plan counts it, and the engine passes it in; asking for
 * more is a defect of the codec, not of the data. Not for use by two threads at once.
 */
public final class Scratch {
    private final ByteBuffer memory;
    private int used;

    /** Creates a scratch over the whole of a buffer, which nobody else uses meanwhile. */
    public Scratch(ByteBuffer memory) {
        this.memory = memory.slice();
    }

    /** {@return a scratch of its own direct memory, for tests and tools that run outside a plan} */
    public static Scratch allocate(int bytes) {
        return new Scratch(ByteBuffer.allocateDirect(bytes));
    }

    /**
     * {@return the next {@code bytes} bytes, little-endian, with whatever is in them}
     *
     * @throws IllegalStateException if so much is not left
     */
    public ByteBuffer take(long bytes) {
        if (bytes < 0 || bytes > available()) {
            throw new IllegalStateException(bytes + " bytes of scratch asked for, but only " + available() + " of "
                    + memory.capacity() + " are left: more is used than was declared");
        }
        ByteBuffer taken = memory.slice(used, (int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        used += (int) bytes;
        return taken;
    }

    /** {@return the number of bytes not handed out} */
    public int available() {
        return memory.capacity() - used;
    }

    /** {@return the place to go back to with {@link #release}} */
    public int mark() {
        return used;
    }

    /** Takes back everything handed out since the mark. */
    public void release(int mark) {
        if (mark < 0 || mark > used) {
            throw new IllegalArgumentException("mark " + mark + " is not between 0 and " + used);
        }
        used = mark;
    }
}
