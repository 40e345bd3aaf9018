package dev.rechunker.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
    private final Workloads workloads = new Workloads();

    private static List<String> names(List<Workload> workloads) {
        return workloads.stream().map(Workload::name).toList();
    }

    @Test
    void groupsConsistOfTheirWorkloads() {
        assertEquals(6, workloads.find(List.of(Workloads.STANDARD)).size());
        assertEquals(
                List.of("duacs", "duacs-half", "duacs-double"), names(workloads.find(List.of("doubling", "duacs"))));
        for (String name : workloads.names()) {
            assertFalse(workloads.find(List.of(name)).isEmpty(), name);
        }
    }

    @Test
    void unknownNameListsAllNames() {
        String refusal =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> workloads.find(List.of("ducas")))
                        .getMessage());
        assertTrue(refusal.contains("\"ducas\"; there are"), refusal);
        assertTrue(refusal.contains("duacs-60mb"), refusal);
    }

    @Test
    void tinyIsTwoMillionChunks() {
        Workload split = workloads.find(List.of("tiny-split")).get(0);
        assertEquals(2_000_000, split.grid().count());
        assertEquals(8192, split.chunks().elements() * split.input().type().itemSize());
    }

    @Test
    void scalesOneAxisAndTheBound() {
        Workload maps = workloads.find(List.of("duacs")).get(0);
        assertEquals(maps, maps.scaled(1));
        Workload half = maps.scaled(0.5);
        assertEquals(Shape.of(300, 720, 1440), half.input().shape());
        assertEquals(Shape.of(5, 720, 1440), half.input().chunks());
        assertEquals(Shape.of(300, 72, 72), half.chunks());
        assertEquals(125_000_000, half.maxMem().bytes());

        Workload planes = workloads.find(List.of("twopass")).get(0).scaled(0.01);
        assertEquals(Shape.of(4, 40, 4000), planes.input().shape());
        assertEquals(Shape.of(1, 40, 4000), planes.input().chunks());
        assertEquals(Shape.of(4, 20, 2000), planes.chunks());
    }
}
