package dev.rechunker.bench.jmh;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Problem.ReaderMemory;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.Problem.WriterMemory;
import dev.rechunker.plan.Resources;
import dev.rechunker.resource.CostModel;
import java.util.Optional;
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

/** Planning, without any data. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlannerBenchmark {
    /** The name of the problem; see {@link #choose}. */
    @Param({"maps", "coprime", "six-axes", "six-axes-petabyte", "petabyte", "petabyte-coprime"})
    public String kind = "maps";

    /** The memory bound in bytes. */
    @Param({"250000000", "4000000000"})
    public long maxMem;

    /** The cost model; if requests are slow, spills can be rearranged in several copies. */
    @Param({"ssd", "hdd"})
    public String model = "ssd";

    @SuppressWarnings("NullAway.Init")
    private Problem problem;

    /** Creates a problem: from 1 GB with three axes to 2 PB, and six axes with coprime chunks. */
    @Setup
    public void choose() {
        problem = switch (kind) {
            case "maps" -> problem(Shape.of(600, 720, 1440), Shape.of(5, 720, 1440), Shape.of(600, 72, 72));
            case "coprime" -> problem(Shape.of(1000, 1000, 250), Shape.of(100, 100, 25), Shape.of(99, 97, 26));
            case "six-axes" ->
                problem(
                        Shape.of(40, 30, 20, 128, 512, 512),
                        Shape.of(1, 1, 20, 32, 128, 128),
                        Shape.of(10, 30, 1, 16, 100, 100));
            case "six-axes-petabyte" ->
                problem(
                        Shape.of(200, 100, 30, 1000, 1000, 1000),
                        Shape.of(7, 5, 3, 64, 64, 64),
                        Shape.of(9, 4, 5, 50, 60, 70));
            case "petabyte" ->
                problem(Shape.of(100_000, 100_000, 100_000), Shape.of(64, 1024, 1024), Shape.of(1000, 100, 100));
            default -> problem(Shape.of(100_003, 99_991, 100_019), Shape.of(251, 256, 257), Shape.of(199, 211, 223));
        };
    }

    /** {@return a problem with elements of 2 bytes whose chunks are read whole} */
    private static Problem problem(Shape shape, Shape source, Shape target) {
        return new Problem(
                ChunkGrid.regular(shape, source),
                ChunkGrid.regular(shape, target),
                2,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(2 * source.elements(), 1 << 16, 0),
                WriterMemory.NONE,
                Optional.empty(),
                true,
                Optional.empty(),
                0);
    }

    /** Plans for two threads, with spills allowed. */
    @Benchmark
    public CopyPlan plan() {
        return new Planner().plan(problem, new Resources(maxMem, 2, true, CostModel.parse(model)));
    }
}
