package dev.rechunker.exec;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The events of a run for the JDK's flight recorder.
 *
 * <p>Without a recording none of these classes is initialized, because the first one starts the recorder, which takes
 * longer than a small copy.
 */
final class Events {
    private Events() {}

    /** An event with a duration. */
    interface Span {
        /** Ends the event. */
        void end();
    }

    /** Begins an event if there is a recording. {@return the event, or one without effect} */
    static Span begin(Supplier<? extends Event> event) {
        if (!FlightRecorder.isInitialized()) {
            return () -> {};
        }
        Event begun = event.get();
        begun.begin();
        return begun::commit;
    }

    /** Records the end of a task if there is a recording. */
    static void taskEnded(String array, String stage, LongAdder done) {
        if (FlightRecorder.isInitialized()) {
            new Task(array, stage, done.sum()).commit();
        }
    }

    /** A stage, or one block of it. */
    @Name("dev.rechunker.Stage")
    @Label("Stage")
    @Category("Rechunker")
    @Description("A stage of a copy, or one block of it, from its first task to its last")
    @StackTrace(false)
    static final class Stage extends Event {
        @Label("Array")
        final String array;

        @Label("Stage")
        final String stage;

        @Label("Tasks")
        final long tasks;

        @Label("Lanes")
        final int lanes;

        @Label("Memory")
        @DataAmount
        final long memory;

        Stage(String array, String stage, long tasks, dev.rechunker.plan.Stage.Memory memory) {
            this.array = array;
            this.stage = stage;
            this.tasks = tasks;
            this.lanes = memory.lanes();
            this.memory = memory.total();
        }
    }

    /** The end of a task. Tasks overlap, so there is no event for their duration. */
    @Name("dev.rechunker.Task")
    @Label("Task")
    @Category("Rechunker")
    @Description("The last write unit of a task has been written")
    @StackTrace(false)
    static final class Task extends Event {
        @Label("Array")
        final String array;

        @Label("Stage")
        final String stage;

        @Label("Tasks Done")
        final long done;

        private Task(String array, String stage, long done) {
            this.array = array;
            this.stage = stage;
            this.done = done;
        }
    }

    /** A wait until memory for tasks is free. */
    @Name("dev.rechunker.MemoryWait")
    @Label("Wait for Memory")
    @Category("Rechunker")
    @Description("Tasks wait until others have released their memory")
    @StackTrace(false)
    static final class MemoryWait extends Event {
        @Label("Memory")
        @DataAmount
        final long bytes;

        MemoryWait(long bytes) {
            this.bytes = bytes;
        }
    }

    /** A wait of a thread for a free place in the ring. */
    @Name("dev.rechunker.PlaceWait")
    @Label("Wait for a Place")
    @Category("Rechunker")
    @Description("The next read waits until a write unit that it begins has a place in the ring")
    @StackTrace(false)
    static final class PlaceWait extends Event {
        @Label("Stage")
        final String stage;

        PlaceWait(String stage) {
            this.stage = stage;
        }
    }
}
