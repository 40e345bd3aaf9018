package dev.rechunker.exec;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final int ITEM = Integer.BYTES;
    private static final int WINDOWS = 5;

    private final List<Unit> begun = new ArrayList<>();

    /** {@return a stage with windows of two units, each from one chunk, and a ring for all of them} */
    private static Stage stage(Stage.Kind kind) {
        return stage(kind, WINDOWS);
    }

    /** {@return such a stage with a ring for some windows} */
    private static Stage stage(Stage.Kind kind, int ringWindows) {
        Shape shape = Shape.of(WINDOWS, 8);
        Stage.Memory memory =
                new Stage.Memory(1, 0, 0, 0, ringWindows * 8L * ITEM, 4 * ITEM, Workspace.MAX_BUFFER, 0, 0, 0);
        return new Stage(
                "copy",
                kind,
                ChunkGrid.regular(shape, Shape.of(1, 8)),
                ChunkGrid.regular(shape, Shape.of(1, 4)),
                ChunkGrid.regular(shape, Shape.of(1, 4)),
                null,
                false,
                Odometer.naturalOrder(2),
                memory);
    }

    private static ReadPlan reads(Stage stage) {
        return new ReadPlan(stage, ITEM, Region.whole(stage.windows().counts()), 0, WINDOWS);
    }

    private static Admission admission(Stage stage, ReadPlan reads) {
        Region all = Region.whole(stage.windows().counts());
        Steps steps = new Steps(new Strategy.Window(stage.windows()), stage, 0, all, 0, TaskLog.none(), false);
        Workspace workspace = new Workspace(stage.memory().workspaceBytes(), Workspace.MAX_BUFFER, 0);
        return new Admission(steps, reads, ITEM, workspace);
    }

    /** Admits reads until one has to wait; {@return that read, or null if all were admitted} */
    private ReadPlan.@Nullable Read admitAll(Admission admission, ReadPlan reads, ReadPlan.Read first) {
        ReadPlan.@Nullable Read read = first;
        while (read != null) {
            Receivers receivers = admission.admit(read);
            if (receivers == null) {
                return read;
            }
            assertTrue(receivers.countElements(read.part().elements(), true));
            begun.addAll(receivers.countInUnits());
            admission.remove(receivers);
            read = reads.next();
        }
        return null;
    }

    private static void store(Admission admission, Unit unit) {
        assertEquals(unit.region.start(1) == 4, admission.countDownStep(unit));
        if (unit.region.start(1) == 4) {
            assertTrue(admission.countDownWindow(unit.window));
        }
        admission.remove(unit);
    }

    /** The plan counts the memory of the write units of two windows that are assembled from parts. */
    @Test
    void noMoreThanTwoWindowsOfPartsAreOpen() {
        Stage stage = stage(Stage.Kind.PARTS);
        ReadPlan reads = reads(stage);
        Admission admission = admission(stage, reads);

        ReadPlan.@Nullable Read waiting = admitAll(admission, reads, requireNonNull(reads.next()));
        for (int open = Stage.OPEN_WINDOWS; open < WINDOWS; open++) {
            assertEquals(open, requireNonNull(waiting).region().start(0));
            assertEquals(2 * open, begun.size());
            store(admission, begun.get(2 * (open - Stage.OPEN_WINDOWS)));
            assertNull(admission.admit(waiting), "the first window has another unit");
            store(admission, begun.get(2 * (open - Stage.OPEN_WINDOWS) + 1));
            waiting = admitAll(admission, reads, waiting);
        }
        assertNull(waiting);
    }

    @Test
    void otherWindowsAreOpenedWhileTheRingHasPlaces() {
        Stage stage = stage(Stage.Kind.DIRECT);
        ReadPlan reads = reads(stage);
        Admission admission = admission(stage, reads);
        assertNull(admitAll(admission, reads, requireNonNull(reads.next())));
        assertEquals(2 * WINDOWS, begun.size());
        assertFalse(admission.countDownStep(begun.get(0)));
    }

    /** A unit takes the place of the one that was stored before it, and no other. */
    @Test
    void unitsWaitForTheirPlaces() {
        Stage stage = stage(Stage.Kind.DIRECT, 1);
        ReadPlan reads = reads(stage);
        Admission admission = admission(stage, reads);
        ReadPlan.@Nullable Read waiting = admitAll(admission, reads, requireNonNull(reads.next()));
        for (int unit = 0; unit < 2 * WINDOWS - 2; unit++) {
            assertEquals(unit + 2, begun.size());
            assertNull(admission.admit(requireNonNull(waiting)), "no place is free");
            store(admission, begun.get(unit));
            waiting = admitAll(admission, reads, waiting);
        }
        assertNull(waiting);
        assertEquals(
                List.of(0L, 4L * ITEM),
                begun.stream().map(unit -> unit.place).distinct().toList());
    }
}
