package dev.rechunker.cli;

import dev.rechunker.Estimate;
import dev.rechunker.PlannedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.InfeasiblePlanException;
import java.io.IOException;
import java.io.PrintWriter;

/** Plans without any store. */
final class PlanCommand extends Command {
    private final Arg<String> shape =
            required(String.class, "--shape", "SHAPE", "The array, such as 8901,720,1440; \"\" for a scalar.");
    private final Arg<String> sourceChunks =
            required(String.class, "--source-chunks", "CHUNKS", "What it is in; -1 is the whole axis.");
    private final Arg<String> targetChunks =
            required(String.class, "--target-chunks", "CHUNKS", "What it is wanted in; -1 is the whole axis.");
    private final Arg<Integer> itemSize = required(int.class, "--item-size", "BYTES", "Bytes per element.");
    private final BoundOption maxMem = new BoundOption(this);
    private final ThreadsOption threads = new ThreadsOption(this);
    private final Arg<Boolean> noSpill =
            flag("--no-spill", "Write no temporary copy, however often the source has to be read.");
    private final Arg<Boolean> compressed =
            flag("--compressed", "Source chunks are compressed: one is read and decoded whole.");
    private final ProfileOption profile = new ProfileOption(this);
    private final Arg<Boolean> json = flag("--json", "Print one line of JSON.");
    private final PageOption page = new PageOption(this);

    PlanCommand() {
        super(
                "plan",
                "Plan a copy without any store, from numbers alone.",
                "The stores are taken to be uncompressed, where any bytes of a chunk can be read without the rest;"
                        + " see --compressed. What a codec needs besides is not known here: copy --dry-run counts it.");
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        try {
            PlannedCopy plan = plan();
            page.write(() -> plan.toHtml());
            out.print(json.isGiven() ? Json.line(PlanJson.of(plan)) + "\n" : plan.explain());
        } catch (InfeasiblePlanException e) {
            if (json.isGiven()) {
                out.println(Json.line(PlanJson.of(e)));
            }
            throw new UsageException(e);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        } finally {
            out.flush();
        }
        return Rechunk.DONE;
    }

    private int itemSize() {
        return itemSize.given();
    }

    private PlannedCopy plan() {
        if (itemSize() <= 0) {
            throw new UsageException("--item-size is " + itemSize() + "; an element has at least 1 byte");
        }
        Shape array = Shape.of(Numbers.parse("--shape", shape.given()));
        ChunkGrid source = grid("--source-chunks", array, sourceChunks.given());
        ChunkGrid target = grid("--target-chunks", array, targetChunks.given());
        Estimate estimate = Estimate.of(source, target, itemSize())
                .threads(threads.number())
                .costModel(profile.model());
        estimate = noSpill.isGiven() ? estimate.noSpill() : estimate;
        return (compressed.isGiven() ? estimate.compressed() : estimate).plan(maxMem.size());
    }

    private static ChunkGrid grid(String option, Shape array, String text) {
        long[] extents = Numbers.parse(option, text);
        if (extents.length != array.rank()) {
            throw new UsageException(option + " (" + text + ") has " + extents.length + " axes, but --shape " + array
                    + " has " + array.rank());
        }
        for (int axis = 0; axis < extents.length; axis++) {
            if (extents[axis] == -1) {
                extents[axis] = Math.max(1, array.extent(axis));
            } else if (extents[axis] <= 0) {
                throw new UsageException(option + " (" + text + ") has " + extents[axis] + " on axis " + axis
                        + "; write a positive number, or -1 for the whole axis of " + array.extent(axis));
            }
        }
        return ChunkGrid.regular(array, Shape.of(extents));
    }
}
