package dev.rechunker.bench.jmh;

import dev.rechunker.copy.BoxCopier;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Copies of {@link CopyLimit#BYTES} bytes between layouts with different fast axes, such as C and Fortran order. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TransposeBenchmark {
    private static final int ROWS = 1024;

    private final BoxCopier copier = new BoxCopier(2);
    private final ByteBuffer source = ByteBuffer.allocateDirect(CopyLimit.BYTES);
    private final ByteBuffer target = ByteBuffer.allocateDirect(CopyLimit.BYTES);

    /** The size of an element in bytes. */
    @Param({"1", "2", "4", "8", "16", "32"})
    public int width;

    private long[] extents = {};
    private long[] rowsFast = {};
    private long[] columnsFast = {};

    /** Sets up a matrix of 1024 rows. */
    @Setup
    public void layOut() {
        long columns = CopyLimit.BYTES / ((long) ROWS * width);
        extents = new long[] {ROWS, columns};
        columnsFast = new long[] {columns * width, width};
        rowsFast = new long[] {width, (long) ROWS * width};
    }

    /** Transposes the matrix. */
    @Benchmark
    public ByteBuffer transpose() {
        copier.copy(source, 0, columnsFast, target, 0, rowsFast, extents, width, 1);
        return target;
    }
}
