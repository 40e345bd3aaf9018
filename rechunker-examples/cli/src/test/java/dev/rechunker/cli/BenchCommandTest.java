package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import dev.rechunker.bench.Limit;
import dev.rechunker.bench.Reads;
import dev.rechunker.bench.Result;
import dev.rechunker.bench.Result.Sample;
import dev.rechunker.bench.Result.ToolResult;
import dev.rechunker.bench.Workload;
import dev.rechunker.bench.Workloads;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
    @TempDir
    Path temp = Path.of("");

    @Test
    void printsFigures() {
        Cli cli = Cli.run(
                "bench", "duacs-s", "--scale", "0.01", "--runs", "1", "--no-peers", "--dir", temp.toString(), "--json");
        assertEquals(0, cli.status(), cli.err());
        JsonObject workload = cli.json().getAsJsonArray("workloads").get(0).getAsJsonObject();
        assertEquals("duacs-s", workload.get("workload").getAsString());
        assertEquals("[1,720,1440]", workload.get("shape").toString());
        assertTrue(workload.get("limitSeconds").getAsDouble() > 0, cli.out());
        JsonObject tool = workload.getAsJsonArray("tools").get(0).getAsJsonObject();
        assertTrue(tool.get("ratio").getAsDouble() > 1, cli.out());
        assertTrue(tool.get("equal").getAsBoolean(), cli.out());
        assertEquals(1, tool.get("readsPerChunk").getAsDouble(), 1e-9);
        assertTrue(cli.json().getAsJsonObject("machine").get("processors").getAsInt() > 0);
    }

    @Test
    void tableHasMediansAndFailures() {
        Limit slow = new Limit(2, 1, 1, 0.5, OptionalDouble.empty(), OptionalDouble.of(50_000));
        Limit fast = new Limit(1, 0.5, 0.5, 0.25, OptionalDouble.empty(), OptionalDouble.of(70_000));
        List<Sample> samples = List.of(
                new Sample(6, OptionalLong.of(300_000_000), Optional.of(new Reads(1_000_000, 250, 4096)), 1.5),
                new Sample(2.2, OptionalLong.empty(), Optional.empty(), 1.1));
        ToolResult ran = new ToolResult("rechunk", "", samples, true, "", Optional.empty());
        ToolResult failed = new ToolResult("other", "", List.of(), false, "status 1,\n disk full", Optional.empty());
        Workload workload = new Workloads().find(List.of("duacs")).get(0);
        String table = BenchTable.of(new Result(workload, 2, 1000, List.of(slow, fast), List.of(ran, failed)));
        assertEquals("""
                duacs: float32 (600, 720, 1440), chunks (5, 720, 1440) to (600, 72, 72), 2.49 GB (1.00 kB stored), \
                bound 250 MB, 2 threads
                  limit 3.00 s: decode 1.50, encode 0.75, spill 0.75; file copy 0.38 s; 60000 files created/s
                                    time   ratio peak memory        read   from disk       calls   reads
                  rechunk         4.10 s    1.30      300 MB     1.00 MB     4.10 kB         250       -
                  other failed: status 1, disk full

                """, table);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ducas",
                "duacs --scale=0",
                "duacs --runs=0",
                "duacs --threads=-1",
                "duacs --stop-after=0",
                "duacs --storage=40MB/s"
            })
    void refusesWhatMakesNoSense(String options) {
        Cli cli = Cli.run(("bench " + options).split(" "));
        assertEquals(2, cli.status(), cli.err());
        assertTrue(cli.err().startsWith("rechunk: "), cli.err());
    }
}
