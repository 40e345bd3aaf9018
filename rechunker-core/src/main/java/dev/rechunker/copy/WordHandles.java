package dev.rechunker.copy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Handles that access words of 2, 4 and 8 bytes of a buffer or an array at any offset, in native byte order.
 *
 * <p>Unlike the methods of {@link ByteBuffer}, they are not virtual calls. Loops therefore keep their speed when heap,
 * direct and read-only buffers are used in one process.
 */
final class WordHandles {
    static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.nativeOrder());
    static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    static final VarHandle ARRAY_SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());
    static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    static final VarHandle ARRAY_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private WordHandles() {}
}
