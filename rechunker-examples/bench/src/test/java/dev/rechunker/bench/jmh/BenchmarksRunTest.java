package dev.rechunker.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs with every parameter. */
class BenchmarksRunTest {
    @Test
    void eachBenchmarkRunsBriefly() throws RunnerException {
        System.setProperty("jmh.ignoreLock", "true");
        Options moment = new OptionsBuilder()
                .include("dev\\.rechunker\\.bench\\.jmh\\..*")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        Collection<RunResult> results = new Runner(moment).run();
        TreeSet<String> run = new TreeSet<>();
        for (RunResult result : results) {
            String benchmark = result.getParams().getBenchmark();
            run.add(benchmark.substring("dev.rechunker.bench.jmh.".length()));
            assertTrue(result.getPrimaryResult().getScore() > 0, benchmark);
        }
        assertEquals(
                new TreeSet<>(List.of(
                        "CodecBenchmark.decode",
                        "CodecBenchmark.encode",
                        "CopyBenchmark.divide",
                        "CopyBenchmark.gather",
                        "CopyBenchmark.scatter",
                        "CopyBenchmark.swap",
                        "CopyLimit.arraycopy",
                        "CopyLimit.bulk",
                        "PlannerBenchmark.plan",
                        "ShuffleBenchmark.shuffle",
                        "ShuffleBenchmark.unshuffle",
                        "TransposeBenchmark.transpose",
                        "UnchunkedReadBenchmark.channel",
                        "UnchunkedReadBenchmark.dataset")),
                run);
    }
}
