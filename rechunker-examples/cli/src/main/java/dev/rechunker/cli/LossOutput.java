package dev.rechunker.cli;

import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the target of a copy does not keep, as people and programs read it. */
final class LossOutput {
    private LossOutput() {}

    /**
     * Prints what is left behind as warnings, and what is only stored in another way if that is asked for.
     *
     * @param err standard error
     * @param verbose whether losses of layout are printed
     * @return the exit status of a copy that is done: whether whole arrays are left behind
     */
    static int print(PrintWriter err, Report report, boolean verbose) {
        boolean incomplete = false;
        for (Loss loss : report.losses()) {
            if (loss.kind() == Loss.Kind.LAYOUT) {
                if (verbose) {
                    err.println("stored otherwise: " + Printable.of(loss.sentence()));
                }
            } else {
                err.println("warning: " + Printable.of(loss.sentence()));
                incomplete |= loss.kind() == Loss.Kind.ARRAY;
            }
        }
        err.flush();
        return incomplete ? Rechunk.INCOMPLETE : Rechunk.DONE;
    }

    /** {@return losses as data for {@link JsonLine}} */
    static List<Map<String, @Nullable Object>> json(List<Loss> losses) {
        return losses.stream().map(LossOutput::json).toList();
    }

    private static Map<String, @Nullable Object> json(Loss loss) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put(
                "kind",
                switch (loss.kind()) {
                    case LAYOUT -> "layout";
                    case METADATA -> "metadata";
                    case ARRAY -> "array";
                });
        json.put("loss", loss.sentence());
        return json;
    }
}
