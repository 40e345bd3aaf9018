package dev.rechunker.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.picture.PlanPicture.PlannedArray;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.NumberText;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Pictures of plans of every kind are well-formed, legible and small, and have the numbers of the plan. */
class PlanPictureTest {
    private static final int MOST_ELEMENTS = 400;

    private static Problem problem(ChunkGrid source, ChunkGrid target, int itemSize, boolean anyBytes) {
        if (anyBytes) {
            return Problem.uncompressed(source, target, itemSize);
        }
        long chunkBytes = source.largestChunk().elements() * itemSize;
        return new Problem(
                source,
                target,
                itemSize,
                Problem.Reading.WHOLE_CHUNKS,
                new Problem.ReaderMemory(chunkBytes, 100, 10),
                new Problem.WriterMemory(50, 10),
                Optional.empty(),
                false,
                Optional.empty(),
                1000);
    }

    private static CopyPlan plan(Problem problem, long maxMem, boolean spill) {
        return new Planner().plan(problem, new Resources(maxMem, 3, spill, CostModel.SSD));
    }

    private static CopyPlan plan(Shape shape, Shape source, Shape target, long maxMem) {
        ChunkGrid from = ChunkGrid.regular(shape, source);
        return plan(problem(from, ChunkGrid.regular(shape, target), 4, false), maxMem, true);
    }

    private static Drawing drawn(CopyPlan plan) {
        return Drawing.parse(PlanPicture.of(plan).svg());
    }

    private static void check(CopyPlan plan) {
        String svg = PlanPicture.of(plan).svg();
        assertEquals(svg, PlanPicture.of(plan).svg(), "drawn twice");
        Drawing drawing = Drawing.parse(svg);
        drawing.assertLegible();
        assertTrue(drawing.elements() <= MOST_ELEMENTS, () -> drawing.elements() + " elements");
        assertTrue(svg.length() < 100_000, () -> svg.length() + " characters");
        assertTrue(drawing.says(plan.strategy().name()) || plan.stages().isEmpty());
        for (Stage stage : plan.stages()) {
            assertTrue(drawing.says(NumberText.count(stage.tasks(), "task")), svg);
        }
        if (!plan.stages().isEmpty()) {
            assertTrue(drawing.says(NumberText.count(plan.problem().source().count(), "chunk")), svg);
            assertTrue(drawing.says(NumberText.count(plan.problem().target().count(), "write unit")), svg);
            assertTrue(drawing.says("projected " + NumberText.bytes(plan.projectedMemory())), svg);
            assertTrue(
                    drawing.says("maxMem " + NumberText.bytes(plan.resources().maxMem())), svg);
        }
        for (CopyPlan.Alternative other : plan.alternatives()) {
            assertTrue(drawing.says(other.strategy().name()), svg);
            assertTrue(drawing.says(NumberText.seconds(other.cost().seconds())), svg);
        }
        if (plan.strategy() instanceof Strategy.Spill spill) {
            double pieces = 1;
            for (int axis = 0; axis < spill.slabs().rank(); axis++) {
                pieces *= spill.slabs().axis(axis).pieces(spill.windows().axis(axis));
            }
            assertTrue(drawing.says(NumberText.count(pieces, "piece")), svg);
            assertEquals(
                    spill.residentBytes() > 0, drawing.says(NumberText.bytes(spill.residentBytes()) + " of "), svg);
        }
    }

    @Test
    void plansOfEveryKindAreLegible() {
        Set<String> strategies = new TreeSet<>();
        Cases.check(400, cases -> {
            Shape shape = cases.shape();
            boolean anyBytes = cases.random().nextBoolean();
            ChunkGrid source = cases.grid(shape);
            ChunkGrid target = cases.random().nextInt(8) == 0 ? source : cases.regularGrid(shape);
            Problem problem = problem(source, target, cases.oneOf(1, 4, 16), anyBytes);
            long bound = 2_000 + (long) (cases.random().nextDouble() * (double) (problem.bytes() * 2 + 4_000));
            CopyPlan plan;
            try {
                plan = plan(problem, bound, cases.random().nextBoolean());
            } catch (InfeasiblePlanException e) {
                return;
            }
            strategies.add(plan.strategy().name());
            check(plan);
        });
        assertTrue(strategies.containsAll(Set.of("CopyEncoded", "Spill", "Sweep", "Window")), strategies::toString);
    }

    @Test
    void cutsAreLeftOutOfHugeGrids() {
        CopyPlan plan = plan(
                Shape.of(1L << 28, 500, 4_000_000),
                Shape.of(1000, 50, 10_000),
                Shape.of(7777, 500, 100),
                60_000_000_000L);
        check(plan);
        Drawing drawing = drawn(plan);
        assertTrue(drawing.says("only every "), "notes say what is left out");
    }

    @Test
    void eachCopyOfASpillIsDrawnWithItsBlocks() {
        Problem maps = problem(
                ChunkGrid.regular(Shape.of(250_000, 1_000, 1_000), Shape.of(1, 1_000, 1_000)),
                ChunkGrid.regular(Shape.of(250_000, 1_000, 1_000), Shape.of(250_000, 5, 5)),
                4,
                false);
        CopyPlan plan = new Planner().plan(maps, new Resources(250_000_000, 2, true, CostModel.HDD));
        Strategy.Spill spill = (Strategy.Spill) plan.strategy();
        assertEquals(2, spill.copies().size(), plan::explain);
        Drawing drawing = drawn(plan);
        drawing.assertLegible();
        for (Strategy.Copy copy : spill.copies()) {
            String size = NumberText.bytes(4.0 * copy.blocks().largestChunk().elements());
            long count = copy.blocks().count();
            assertTrue(
                    drawing.says(
                            count == 1
                                    ? size + " at once"
                                    : NumberText.count(count, "block") + " of " + size + ", one at a time"),
                    plan::explain);
        }
    }

    @Test
    void partOfASpillInMemoryIsLabelled() {
        CopyPlan plan = plan(Shape.of(600, 720, 1440), Shape.of(5, 720, 1440), Shape.of(600, 72, 72), 1_250_000_000);
        assertTrue(plan.strategy() instanceof Strategy.Spill spill && spill.residentBytes() > 0, plan::explain);
        PlannedArray array = new PlannedArray("", List.of("time", "lat", "lon"), plan);
        Drawing drawing =
                Drawing.parse(PlanPicture.of("", List.of(array), List.of()).svg());
        drawing.assertLegible();
        assertTrue(drawing.says("memory and temporary files"));
        assertTrue(drawing.says(" of 2.49 GB in memory"));
        assertTrue(plan.explain().contains(" exist at once, and another 938 MB in memory\n"), plan::explain);
    }

    @Test
    void axesThatAreNotDrawnAreNoted() {
        CopyPlan plan = plan(
                Shape.of(10, 3, 100, 2000, 2000),
                Shape.of(1, 1, 1, 2000, 2000),
                Shape.of(1, 3, 20, 256, 256),
                200_000_000L);
        check(plan);
        Drawing drawing = drawn(plan);
        assertTrue(drawing.says("axis 0 (10) is not drawn: chunks of 1 on both sides"));
        assertTrue(drawing.says("axis 1 (3) is not drawn: chunks of 1 become 3"));
        assertTrue(drawing.says("axis 4: 2,000"));
    }

    @Test
    void factorOfBytesReadMoreThanOnceIsShown() {
        Shape shape = Shape.of(100, 100, 100);
        Problem problem = problem(
                ChunkGrid.regular(shape, Shape.of(1, 100, 100)),
                ChunkGrid.regular(shape, Shape.of(100, 10, 10)),
                4,
                false);
        CopyPlan plan = plan(problem, 900_000, false);
        double factor = plan.cost().bytesRead() / (double) problem.bytes();
        assertTrue(factor > 2);
        assertTrue(drawn(plan).says("each byte " + NumberText.times(factor)));
    }

    @Test
    void emptyArrayHasNothingToDo() {
        CopyPlan plan = plan(Shape.of(0, 10), Shape.of(5, 5), Shape.of(2, 10), 1_000_000);
        check(plan);
        assertTrue(drawn(plan).says("nothing to do"));
    }

    // ------------------------------------------------------------------ names and several arrays

    private static final CopyPlan CUBE = plan(Shape.of(30, 20, 10), Shape.of(5, 20, 10), Shape.of(30, 4, 4), 20_000);

    @Test
    void namesAreEscapedAndCut() {
        String name = "</text><script>alert(\"&\")</script>\u0001\uD800" + "x".repeat(300);
        List<String> axes = List.of("t".repeat(200), "<y>", "\u0000");
        PlannedArray array = new PlannedArray(name, new ArrayList<>(axes), CUBE);
        PlanPicture picture = PlanPicture.of(name, List.of(array), List.of(name));
        Drawing drawing = Drawing.parse(picture.svg());
        drawing.assertLegible();
        assertTrue(drawing.says("</text><script>alert(\"&\")</script>\uFFFD\uFFFDxxx"));
        assertTrue(drawing.says("<y> 20"));
        assertEquals(List.of(), drawing.elements("script"));
        Drawing page = Drawing.parse(picture.html());
        assertEquals(1, page.elements("script").size(), "its own");
        assertEquals(1, page.elements("li").size());
        assertTrue(page.elements("li").get(0).getTextContent().startsWith("</text><script>"));
    }

    @Test
    void largestArrayIsDrawnAndOthersHaveALine() {
        List<PlannedArray> arrays = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            CopyPlan plan = plan(Shape.of(30, 20, i), Shape.of(5, 20, 10), Shape.of(30, 4, 4), 200_000);
            arrays.add(new PlannedArray("array-" + i, List.of(), plan));
        }
        PlanPicture picture = PlanPicture.of("a to b", arrays, List.of());
        Drawing drawing = Drawing.parse(picture.svg());
        drawing.assertLegible();
        assertTrue(drawing.says("array array-20"));
        assertFalse(drawing.says("array-19"));
        assertTrue(drawing.says("… and 19 smaller arrays, not drawn"));
        List<Element> cells = Drawing.parse(picture.html()).elements("td");
        assertEquals("array-19", cells.get(0).getTextContent());
        assertEquals("45.6 kB", cells.get(1).getTextContent());
        assertEquals("45,600 bytes", ((Element) cells.get(1).getFirstChild()).getAttribute("title"));
        assertEquals(19 * 8, cells.size());
    }

    @Test
    void pageOfManyArraysIsBounded() {
        List<PlannedArray> arrays = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            arrays.add(new PlannedArray("group/with/a/long/path/array-" + i, List.of(), CUBE));
        }
        String page = PlanPicture.of("a to b", arrays, List.of()).html();
        assertTrue(page.length() < 120_000, () -> page.length() + " characters");
        assertTrue(page.contains("… and 9,799 smaller arrays, 235 MB in all"), page);
    }

    @Test
    void groupWithoutArraysHasAPage() {
        PlanPicture picture = PlanPicture.of("a to b", List.of(), List.of());
        Drawing.parse(picture.svg()).assertLegible();
        assertTrue(picture.html().contains("nothing to do: there are no arrays"));
    }

    @Test
    void pageLoadsNothing() {
        String page = PlanPicture.of("a", List.of(new PlannedArray("", List.of(), CUBE)), List.of())
                .html();
        Drawing.parse(page);
        String rest = page.replace("http://www.w3.org/2000/svg", "").replaceAll("url\\(#[a-z-]+\\)", "");
        for (String loads : List.of("http:", "https:", "src=", "href", "url(", "@import", "<link")) {
            assertFalse(rest.contains(loads), loads);
        }
        assertTrue(page.contains("default-src 'none'"));
        assertTrue(page.contains(Svg.escape(CUBE.explain())), "explain() is in the page");
    }
}
