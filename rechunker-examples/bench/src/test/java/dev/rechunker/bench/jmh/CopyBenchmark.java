package dev.rechunker.bench.jmh;

import dev.rechunker.copy.BoxCopier;
import dev.rechunker.copy.StridedCopy;
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

/** Moving {@link CopyLimit#BYTES} bytes from one layout into another; {@link CopyLimit} is the same without layouts. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CopyBenchmark {
    private static final int UNITS = 16;

    private final BoxCopier copier = new BoxCopier(3);
    private final ByteBuffer source = ByteBuffer.allocateDirect(CopyLimit.BYTES);
    private final ByteBuffer target = ByteBuffer.allocateDirect(4 * CopyLimit.BYTES);

    /** Bytes per element. */
    @Param({"1", "2", "4", "8"})
    public int width;

    /** Elements that lie together on both sides. */
    @Param({"1", "3", "16", "256", "4096"})
    public int run;

    private long[] rows = {};
    private long[] dense = {};
    private long[] apart = {};
    private long[] dealt = {};
    private long[] dealtFrom = {};
    private long[] dealtTo = {};

    /** Rows of {@code run} elements, which are dense in the source and three rows apart in the target. */
    @Setup
    public void layOut() {
        long row = (long) width * run;
        rows = new long[] {CopyLimit.BYTES / row, run};
        dense = StridedCopy.denseStrides(rows, width);
        apart = new long[] {3 * row, width};
        dealt = new long[] {UNITS, CopyLimit.BYTES / row / UNITS, run};
        dealtFrom = new long[] {row, UNITS * row, width};
        dealtTo = StridedCopy.denseStrides(dealt, width);
    }

    /** From rows side by side to rows apart: how a chunk is scattered into write units. */
    @Benchmark
    public ByteBuffer scatter() {
        copier.copy(source, 0, dense, target, 0, apart, rows, width, 1);
        return target;
    }

    /** The other way round. */
    @Benchmark
    public ByteBuffer gather() {
        copier.copy(target, 0, apart, source, 0, dense, rows, width, 1);
        return source;
    }

    /** From long rows to 16 units that get a part of each: how a chunk is scattered into smaller ones. */
    @Benchmark
    public ByteBuffer deal() {
        copier.copy(source, 0, dealtFrom, target, 0, dealtTo, dealt, width, 1);
        return target;
    }

    /** With the bytes of each element reversed. */
    @Benchmark
    public ByteBuffer swap() {
        copier.copy(source, 0, dense, target, 0, apart, rows, width, width);
        return target;
    }
}
