package dev.rechunker.cli;

import dev.rechunker.Estimate;
import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;

/** The command {@code plan}, which plans the copy of a store, or of an array that is described by numbers. */
final class PlanCommand extends Command {
    private final Arg<String> source = argument(
            String.class,
            "0",
            "0..1",
            "SRC",
            "An array or group to be copied; without it, the plan is made from numbers.");
    private final ChunkOptions chunks = new ChunkOptions(this);
    private final Arg<String> shape =
            text("--shape", "SHAPE", "Without SRC: the shape of the array, such as 8901,720,1440; \"\" for a scalar.");
    private final Arg<String> sourceChunks =
            text("--source-chunks", "CHUNKS", "Without SRC: the chunks of the source; -1 is the whole axis.");
    private final Arg<String> targetChunks =
            text("--target-chunks", "CHUNKS", "Without SRC: the chunks of the target; -1 is the whole axis.");
    private final Arg<Integer> itemSize =
            value(int.class, "--item-size", "BYTES", "Without SRC: the number of bytes per element.");
    private final LinksOption links = new LinksOption(this);
    private final BoundOption maxMem = new BoundOption(this, BoundOption.HALF_OF_HEAP);
    private final ThreadsOption threads = new ThreadsOption(this);
    private final Arg<Boolean> noSpill =
            flag("--no-spill", "Plan without temporary files, even if the source must then be read several times.");
    private final Arg<Boolean> compressed =
            flag("--compressed", "Without SRC: the source is compressed, so that chunks can only be read whole.");
    private final ProfileOption profile = new ProfileOption(this);
    private final ExplainOption explain = new ExplainOption(this);
    private final Arg<Boolean> json = flag("--json", "Print the plan as one line of JSON.");
    private final PageOption page = new PageOption(this);

    PlanCommand() {
        super(
                "plan",
                "Plan the copy of an array or group, or of an array that is described by numbers.",
                "Reads the metadata of SRC, and writes nothing. The target is taken to be local Zarr; copy --dry-run plans"
                        + " for a certain target.",
                "From numbers, stores are assumed to be uncompressed, so that any bytes of a chunk can be read; see"
                        + " --compressed. The memory of codecs is not counted then.");
    }

    @Override
    public Integer call() throws IOException {
        PrintWriter out = out();
        try {
            if (source.value() != null) {
                requireNoNumbers();
                print(ofSource(source.given()), out);
            } else {
                chunks.requireNothing("is for the copy of SRC; without SRC, write --target-chunks");
                PlannedCopy plan = ofNumbers();
                Wording.warn(err(), plan.advice());
                page.write(() -> plan.toHtml());
                out.print(json.isGiven() ? JsonLine.of(PlanJson.of(plan)) + "\n" : explain.text(plan));
            }
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

    private void print(Plan plan, PrintWriter out) throws IOException {
        page.write(plan::toHtml);
        out.print(json.isGiven() ? JsonLine.of(PlanJson.of(plan)) + "\n" : explain.text(plan));
    }

    /** {@return the plan of a copy to a Zarr store, which is in memory so that planning leaves nothing behind} */
    private Plan ofSource(String place) throws IOException {
        StoreLocation from = Locations.existing(place, links.follow());
        try (ChunkStore target = Zarr.create(new MemoryKeys())) {
            Rechunker.Job job =
                    Rechunker.from(from).to(target).chunks(chunks.rule()).maxMem(maxMem.size());
            job = threads.isGiven() ? job.threads(threads.number()) : job;
            job = profile.isGiven() ? job.costModel(profile.model()) : job;
            Plan plan = (noSpill.isGiven() ? job.noSpill() : job).plan();
            chunks.requireUse(from);
            Wording.warn(err(), plan.advice());
            return plan;
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private void requireNoNumbers() {
        boolean given = shape.value() != null
                || sourceChunks.value() != null
                || targetChunks.value() != null
                || itemSize.value() != null
                || compressed.isGiven();
        if (given) {
            throw new UsageException(
                    "--shape, --source-chunks, --target-chunks, --item-size and --compressed describe an"
                            + " array, but SRC is given, which says this itself; leave them out");
        }
    }

    private static <T> T given(String name, Arg<T> option) {
        T value = option.value();
        if (value == null) {
            throw new UsageException(
                    name + " is missing; write plan SRC --chunks CHUNKS to plan the copy of a store, or all of --shape,"
                            + " --source-chunks, --target-chunks and --item-size");
        }
        return value;
    }

    private PlannedCopy ofNumbers() {
        int bytes = given("--item-size", itemSize);
        if (bytes <= 0) {
            throw new UsageException("--item-size is " + bytes + "; it must be at least 1");
        }
        Shape array = Shape.of(Numbers.parse("--shape", given("--shape", shape)));
        ChunkGrid from = grid("--source-chunks", array, given("--source-chunks", sourceChunks));
        ChunkGrid to = grid("--target-chunks", array, given("--target-chunks", targetChunks));
        Estimate estimate =
                Estimate.of(from, to, bytes).threads(threads.number()).costModel(profile.model());
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
