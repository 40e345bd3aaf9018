package dev.rechunker.io.spark;

import dev.rechunker.run.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/** Runs ranges of tasks of one stage on an executor, and returns a receipt for each. */
final class Tasks implements FlatMapFunction<Iterator<long[]>, long[]> {
    private static final long serialVersionUID = 1L;

    /** The indices of the first task and of the end in a range, and in its receipt. */
    static final int FROM = 0;

    static final int TO = 1;

    /** The index in a receipt of the largest memory use of a task. */
    static final int HELD = 2;

    private final String id;
    private final Broadcast<String> description;
    private final int stage;

    Tasks(String id, Broadcast<String> description, int stage) {
        this.id = id;
        this.description = description;
        this.stage = stage;
    }

    @Override
    public Iterator<long[]> call(Iterator<long[]> ranges) throws IOException, InterruptedException {
        List<long[]> receipts = new ArrayList<>();
        while (ranges.hasNext()) {
            long[] range = ranges.next();
            Report report =
                    OpenRuns.OF_THIS_JVM.use(id, description.value(), run -> run.run(stage, range[FROM], range[TO]));
            receipts.add(new long[] {range[FROM], range[TO], report.measuredMemory()});
        }
        return receipts.iterator();
    }
}
