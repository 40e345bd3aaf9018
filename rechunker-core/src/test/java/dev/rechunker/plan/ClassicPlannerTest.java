package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.io.Resources;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Comparison with the plans of Rechunker 0.5.3, the classic planner. With the same bound for one thread, our plans are
 * never worse in bytes, operations and spill. A plan of the classic planner for N bytes moves 2 N bytes without and 4 N
 * with its intermediate copy.
 */
class ClassicPlannerTest {
    /**
     * The problems that the classic planner refuses rightly: the bound is below a target chunk, or the input is
     * invalid.
     */
    private static final Set<String> RIGHTLY_REFUSED = Set.of(
            "seed-duacs-f4-100e6",
            "seed-twopass-64000000",
            "err-tgt-too-big",
            "err-ndim-tgt",
            "deg-chunk0",
            "deg-itemsize0");

    /** The problem whose 12 million chunks of 32 bytes the classic planner would write in one task; ours takes two. */
    private static final String TINY_CHUNKS = "rand-009";

    private record Row(
            String name, String shape, String source, String target, int itemSize, long maxMem, List<String> fields) {
        Problem problem() {
            Shape extents = dims(shape);
            return Problem.uncompressed(
                    ChunkGrid.regular(extents, dims(source)), ChunkGrid.regular(extents, dims(target)), itemSize);
        }

        String field(int column) {
            return column < fields.size() ? fields.get(column) : "";
        }
    }

    @Test
    void singleStagePlansAreNoBetterThanOurs() throws IOException {
        List<String> worse = new ArrayList<>();
        int answered = 0;
        for (Row row : rows("rechunker_0.5.3_single.tsv", 5)) {
            if (RIGHTLY_REFUSED.contains(row.name)) {
                assertThrows(RuntimeException.class, () -> plan(row), row.name);
                continue;
            }
            CopyPlan plan = plan(row);
            answered++;
            if (!row.field(13).isEmpty() || row.name.equals(TINY_CHUNKS)) {
                continue;
            }
            boolean intermediate = row.field(11).equals("True");
            compare(row, plan, intermediate ? 1 : 0, Double.parseDouble(row.field(12)), worse);
        }
        assertTrue(worse.isEmpty(), worse.size() + "\n" + String.join("\n", worse));
        assertEquals(296, answered);
    }

    /** The comparison of one quantity: how many of our plans have less, and the ratios to the classic planner. */
    private static final class Comparison {
        private final List<Double> less = new ArrayList<>();

        void add(double classic, double ours) {
            if (ours < classic) {
                less.add(classic / ours);
            }
        }

        String row(String what) {
            less.sort(null);
            double median = less.get(less.size() / 2);
            return String.format(
                    Locale.ROOT, "| %s | %d | %,.1f | %,.1f |", what, less.size(), median, less.get(less.size() - 1));
        }
    }

    @Test
    void documentedImprovementsAreCurrent() throws IOException {
        Comparison bytes = new Comparison();
        Comparison operations = new Comparison();
        int equal = 0;
        int both = 0;
        int onlyOurs = 0;
        int refused = 0;
        for (Row row : rows("rechunker_0.5.3_single.tsv", 5)) {
            if (RIGHTLY_REFUSED.contains(row.name)) {
                refused++;
            } else if (!row.field(13).isEmpty()) {
                onlyOurs++;
            } else {
                CopyPlan plan = plan(row);
                double classicBytes = plan.problem().bytes() * (row.field(11).equals("True") ? 4.0 : 2.0);
                double classicOperations = Double.parseDouble(row.field(12));
                double ourBytes = plan.cost().bytesRead() + plan.cost().bytesWritten();
                double ourOperations = plan.cost().operations();
                bytes.add(classicBytes, ourBytes);
                operations.add(classicOperations, ourOperations);
                boolean fewerBytes = ourBytes < classicBytes;
                boolean fewerOperations = ourOperations < classicOperations;
                both += fewerBytes && fewerOperations ? 1 : 0;
                equal += fewerBytes || fewerOperations ? 0 : 1;
            }
        }
        String table = String.join(
                "\n",
                "| rows | number | median | most |",
                "|---|---|---|---|",
                bytes.row("fewer bytes"),
                operations.row("fewer operations"),
                "| fewer of both | " + both + " | | |",
                "| the same of both | " + equal + " | | |",
                "| a plan where the classic finds none | " + onlyOurs + " | | |",
                "| rightly refused by both | " + refused + " | | |");
        String page = Files.readString(Path.of("..", "docs", "algorithm.md"));
        assertTrue(page.contains(table), () -> "docs/algorithm.md should say\n" + table);
    }

    private static CopyPlan plan(Row row) {
        return new Planner().plan(row.problem(), new dev.rechunker.plan.Resources(row.maxMem, 1, true, CostModel.SSD));
    }

    private static void compare(Row row, CopyPlan plan, int spills, double operations, List<String> worse) {
        double bytes = plan.problem().bytes();
        Cost cost = plan.cost();
        if (plan.projectedMemory() > row.maxMem) {
            worse.add(row.name + ": memory " + plan.projectedMemory() + " > " + row.maxMem);
        }
        if (cost.bytesRead() + cost.bytesWritten() > bytes * (2 + 2 * spills) * (1 + 1e-12)) {
            worse.add(row.name + ": bytes " + (cost.bytesRead() + cost.bytesWritten()) / bytes + " N, classic "
                    + (2 + 2 * spills) + " N, " + plan.explain());
        }
        if (cost.operations() > operations) {
            worse.add(row.name + ": operations " + cost.operations() + ", classic " + operations + ", "
                    + plan.strategy());
        }
        if (cost.spillBytes() > spills * bytes) {
            worse.add(row.name + ": spill");
        }
    }

    private static List<Row> rows(String file, int maxMemColumn) throws IOException {
        List<Row> rows = new ArrayList<>();
        List<String> lines = Resources.readLines(Resources.getResource("oracle/" + file), StandardCharsets.UTF_8);
        for (String line : lines.subList(1, lines.size())) {
            String[] f = line.split("\t", -1);
            rows.add(new Row(
                    f[0], f[1], f[2], f[3], Integer.parseInt(f[4]), Long.parseLong(f[maxMemColumn]), List.of(f)));
        }
        return rows;
    }

    private static Shape dims(String text) {
        return text.isEmpty() || text.equals("-")
                ? Shape.of()
                : Shape.of(Arrays.stream(text.split("x"))
                        .mapToLong(Long::parseLong)
                        .toArray());
    }
}
