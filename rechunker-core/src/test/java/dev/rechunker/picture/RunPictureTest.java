package dev.rechunker.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.picture.RunPicture.Fact;
import dev.rechunker.picture.RunPicture.Moment;
import dev.rechunker.picture.RunPicture.Unit;
import dev.rechunker.plan.NumberText;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Pictures of runs of any duration are legible, and their curves are to scale. */
class RunPictureTest {
    private static RunPicture picture(List<Moment> moments, long maxMem) {
        return RunPicture.of(moments, List.of(), maxMem, maxMem / 2, List.of());
    }

    private static Drawing drawn(List<Moment> moments, long maxMem) {
        Drawing drawing = Drawing.parse(picture(moments, maxMem).svg());
        drawing.assertLegible();
        assertTrue(drawing.elements() < 300);
        return drawing;
    }

    @Test
    void runsOfAnyLengthAreLegible() {
        Cases.check(300, cases -> {
            List<Moment> moments = new ArrayList<>();
            long count = cases.between(0, 512);
            double unit = Math.pow(10, (double) cases.between(-6, 4));
            double speed = Math.pow(10, (double) cases.between(0, 12));
            for (int i = 0; i < count; i++) {
                String stage = i < count / 2 ? "split" : "merge";
                moments.add(new Moment(i * unit, stage, i * speed * unit, i * speed * unit / 3, i * 1000));
            }
            drawn(moments, cases.between(1, 1L << cases.between(1, 60)));
        });
    }

    /** Reads 100 bytes per second for half of the time, then nothing; the bound is twice the memory in use. */
    @Test
    void curvesAreToScale() {
        List<Moment> moments = List.of(
                new Moment(0, "copy", 0, 0, 500),
                new Moment(5, "copy", 500, 0, 500),
                new Moment(10, "copy", 500, 0, 500));
        Drawing drawing = drawn(moments, 1000);
        List<double[]> read = points(drawing, "read", 0);
        List<double[]> zero = points(drawing, "ghost", 0);
        double bottom = zero.get(0)[1];
        double middle = (zero.get(0)[0] + zero.get(1)[0]) / 2;
        for (double[] point : read) {
            boolean first = point[0] < middle - 0.2;
            boolean second = point[0] > middle + 0.2;
            assertTrue(!first || point[1] < bottom - 100, "something is read at first");
            assertTrue(!second || Math.abs(point[1] - bottom) < 0.11, "nothing is read later");
        }
        double bound = points(drawing, "bound", 0).get(0)[1];
        double held =
                points(drawing, "task", 0).stream().mapToDouble(p -> p[1]).min().orElseThrow();
        double floor = points(drawing, "ghost", 1).get(0)[1];
        assertEquals(2.0, (floor - bound) / (floor - held), 0.02, "the bound is twice as high as the memory in use");
    }

    /** {@return the points of a path of a style} */
    private static List<double[]> points(Drawing drawing, String style, int number) {
        List<double[]> points = new ArrayList<>();
        Element path = drawing.elements("path").stream()
                .filter(element -> element.getAttribute("class").equals(style))
                .skip(number)
                .findFirst()
                .orElseThrow();
        for (String point : path.getAttribute("d").replace("Z", "").split("[ML]")) {
            if (!point.isEmpty()) {
                String[] xy = point.strip().split(" ");
                points.add(new double[] {Double.parseDouble(xy[0]), Double.parseDouble(xy[1])});
            }
        }
        return points;
    }

    @Test
    void factsHaveUnits() {
        List<Fact> facts = List.of(
                new Fact("bytes", 2_490_000_000.0, Unit.BYTES),
                new Fact("tasks", 1234, Unit.COUNT),
                new Fact("time", 3725, Unit.SECONDS));
        List<Moment> moments = List.of(new Moment(0, "", 0, 0, 0));
        Drawing page = Drawing.parse(
                RunPicture.of(moments, facts, 10, 10, List.of("a < b")).html());
        List<String> cells =
                page.elements("td").stream().map(Element::getTextContent).toList();
        assertEquals(List.of("bytes", "2.49 GB", "tasks", "1,234", "time", "1 h 2 min"), cells);
        assertEquals("a < b", page.elements("li").get(0).getTextContent());
    }

    @Test
    void numbersAreRounded() {
        assertEquals("0 ms", NumberText.seconds(0));
        assertEquals("40 µs", NumberText.seconds(40e-6));
        assertEquals("4.2 µs", NumberText.seconds(4.22e-6));
        assertEquals("31.25 ms", NumberText.seconds(0.03125));
        assertEquals("0.36 s", NumberText.seconds(0.357));
        assertEquals("2.24 s", NumberText.seconds(2.2411));
        assertEquals("10.3 s", NumberText.seconds(10.29));
        assertEquals("2 min 33 s", NumberText.seconds(153.2));
        assertEquals("59 min 29 s", NumberText.seconds(3569));
        assertEquals("1 h 0 min", NumberText.seconds(3599));
        assertEquals("148 h", NumberText.seconds(148 * 3600 + 49 * 60));
        assertEquals("701,792", NumberText.count(701_792));
        assertEquals("4.40×10¹²", NumberText.count(4.4e12));
        assertEquals("1 task", NumberText.count(1, "task"));
        assertEquals("once", NumberText.times(1.001));
        assertEquals("1.08×", NumberText.times(1.08));
        assertEquals("14×", NumberText.times(14));
        assertEquals("50 MB", NumberText.bytes(50_000_000));
        assertEquals("every 2nd cut", NumberText.every(2, "cut"));
    }
}
