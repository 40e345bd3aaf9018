package dev.rechunker.bench.jmh;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Copies of the same number of bytes in one piece, the fastest possible copy. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CopyLimit {
    static final int BYTES = 8 << 20;

    private final ByteBuffer source = ByteBuffer.allocateDirect(BYTES);
    private final ByteBuffer target = ByteBuffer.allocateDirect(BYTES);
    private final byte[] from = new byte[BYTES];
    private final byte[] to = new byte[BYTES];

    /** Copies between direct buffers. */
    @Benchmark
    public ByteBuffer bulk() {
        return target.put(0, source, 0, BYTES);
    }

    /** Copies between arrays. */
    @Benchmark
    public byte[] arraycopy() {
        System.arraycopy(from, 0, to, 0, BYTES);
        return to;
    }
}
