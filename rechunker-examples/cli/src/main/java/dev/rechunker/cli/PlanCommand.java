package dev.rechunker.cli;

import dev.rechunker.Estimate;
import dev.rechunker.PlannedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.InfeasiblePlanException;
import java.io.IOException;
import java.io.PrintWriter;

/** The command {@code plan}, which plans a copy without stores. */
final class PlanCommand extends Command {
    private final Arg<String> shape = required(
            String.class, "--shape", "SHAPE", "The shape of the array, such as 8901,720,1440; \"\" for a scalar.");
    private final Arg<String> sourceChunks =
            required(String.class, "--source-chunks", "CHUNKS", "The chunks of the source; -1 is the whole axis.");
    private final Arg<String> targetChunks =
            required(String.class, "--target-chunks", "CHUNKS", "The chunks of the target; -1 is the whole axis.");
    private final Arg<Integer> itemSize =
            required(int.class, "--item-size", "BYTES", "The number of bytes per element.");
    private final BoundOption maxMem = new BoundOption(this);
    private final ThreadsOption threads = new ThreadsOption(this);
    private final Arg<Boolean> noSpill =
            flag("--no-spill", "Plan without temporary files, even if the source must then be read several times.");
    private final Arg<Boolean> compressed =
            flag("--compressed", "The source is compressed, so that chunks can only be read whole.");
    private final ProfileOption profile = new ProfileOption(this);
    private final Arg<Boolean> json = flag("--json", "Print the plan as one line of JSON.");
    private final PageOption page = new PageOption(this);

    PlanCommand() {
        super(
                "plan",
                "Plan a copy from numbers alone, without reading a store.",
                "Stores are assumed to be uncompressed, so that any bytes of a chunk can be read; see --compressed."
                        + " The memory of codecs is not counted; copy --dry-run counts it.");
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        try {
            PlannedCopy plan = plan();
            page.write(() -> plan.toHtml());
            out.print(json.isGiven() ? JsonLine.of(PlanJson.of(plan)) + "\n" : plan.explain());
        } catch (InfeasiblePlanException e) {
            if (json.isGiven()) {
                out.println(JsonLine.of(PlanJson.of(e)));
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
            throw new UsageException("--item-size is " + itemSize() + "; it must be at least 1");
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
