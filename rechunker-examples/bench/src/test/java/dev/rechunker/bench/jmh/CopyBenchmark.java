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

/** Copies of {@link CopyLimit#BYTES} bytes between different layouts; {@link CopyLimit} copies them in one piece. */
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

    /** The size of an element in bytes. */
    @Param({"1", "2", "4", "8"})
    public int width;

    /** The number of elements that are contiguous on both sides. */
    @Param({"1", "3", "16", "256", "4096"})
    public int run;

    private long[] rows = {};
    private long[] dense = {};
    private long[] apart = {};
    private long[] parts = {};
    private long[] partsFrom = {};
    private long[] partsTo = {};

    /** Sets up rows of {@code run} elements, which are dense in the source and three rows apart in the target. */
    @Setup
    public void layOut() {
        long row = (long) width * run;
        rows = new long[] {CopyLimit.BYTES / row, run};
        dense = StridedCopy.denseStrides(rows, width);
        apart = new long[] {3 * row, width};
        parts = new long[] {UNITS, CopyLimit.BYTES / row / UNITS, run};
        partsFrom = new long[] {row, UNITS * row, width};
        partsTo = StridedCopy.denseStrides(parts, width);
    }

    /** Copies from dense rows to rows that are apart, as when a chunk is scattered into write units. */
    @Benchmark
    public ByteBuffer scatter() {
        copier.copy(source, 0, dense, target, 0, apart, rows, width, 1);
        return target;
    }

    /** Copies from rows that are apart to dense rows. */
    @Benchmark
    public ByteBuffer gather() {
        copier.copy(target, 0, apart, source, 0, dense, rows, width, 1);
        return source;
    }

    /** Copies a part of each long row to each of 16 units, as when a chunk is divided into smaller ones. */
    @Benchmark
    public ByteBuffer divide() {
        copier.copy(source, 0, partsFrom, target, 0, partsTo, parts, width, 1);
        return target;
    }

    /** Copies and reverses the bytes of each element. */
    @Benchmark
    public ByteBuffer swap() {
        copier.copy(source, 0, dense, target, 0, apart, rows, width, width);
        return target;
    }
}
