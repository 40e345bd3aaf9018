package dev.rechunker.job;

import com.google.common.io.Closer;
import dev.rechunker.exec.FusedLevels;
import dev.rechunker.exec.Retrying;
import dev.rechunker.memory.Workspace;
import dev.rechunker.store.ArrayWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The open arrays of the levels that are made while the first one is written, and their memory. */
final class FusedWriting implements Closeable {
    private final RunContext context;
    private final List<ArrayWriter> writers = new ArrayList<>();
    private final List<Workspace> places = new ArrayList<>();
    private final FusedLevels levels;

    /** Opens the array of a level. */
    @FunctionalInterface
    interface Opening {
        /** {@return a writer of a new array} */
        ArrayWriter open(int array) throws IOException;
    }

    /**
     * Opens the arrays. Their memory is part of what is reserved for the first level.
     *
     * @param opening opens the array of a level
     */
    FusedWriting(RunContext context, ArrayCopies copies, Fusion fusion, Opening opening) throws IOException {
        this.context = context;
        List<FusedLevels.Target> targets = new ArrayList<>();
        try {
            for (Fusion.Level level : fusion.levels()) {
                JobArray array = context.plan().arrays().get(level.array());
                ArrayWriter writer = opening.open(level.array());
                writers.add(writer);
                long segment = Workspace.segmentBytes(level.unitBytes());
                Workspace memory = context.recycler().take(level.bytes(), segment, 0, 1);
                places.add(memory);
                targets.add(new FusedLevels.Target(
                        Retrying.writer(copies.concurrent(writer, array), context.attempts()),
                        level.reducer(),
                        memory));
            }
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
        this.levels = new FusedLevels(targets, context.plan().options().get(Option.KEEP_EMPTY), context.monitor());
    }

    FusedLevels levels() {
        return levels;
    }

    /** Makes the levels exist that were not given up; {@return their number} */
    int commit() throws IOException {
        int made = levels.made();
        for (ArrayWriter writer : writers.subList(0, made)) {
            context.attempts().run(writer::commit);
        }
        return made;
    }

    @Override
    public void close() throws IOException {
        places.forEach(context.recycler()::leave);
        places.clear();
        Closer closer = Closer.create();
        writers.forEach(closer::register);
        writers.clear();
        closer.close();
    }
}
