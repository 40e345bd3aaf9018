package dev.rechunker.exec;

import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Crew;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Work of a crew, each of whose threads has its own lane of memory. */
abstract class LaneWork extends CrewWork {
    final Stage stage;
    private final Workspace workspace;

    LaneWork(Stage stage, Workspace workspace) {
        this.stage = stage;
        this.workspace = workspace;
    }

    /** Works until there is no more to do, or the work has failed. Called once by each thread. */
    abstract void work(ByteBuffer lane);

    @Override
    final void work(int lane) {
        Stage.Memory memory = stage.memory();
        if (lane < memory.lanes()) {
            work(workspace.buffer(
                    memory.ringBytes() + memory.wrapBytes() + lane * memory.laneBytes(), memory.laneBytes()));
        }
    }

    /** Lets a crew do the work, of whose threads as many take part as there are lanes. */
    final void doneBy(Crew crew, Attempts attempts) throws IOException, InterruptedException {
        doneBy(crew, Math.min(crew.size(), stage.memory().lanes()), attempts);
    }
}
