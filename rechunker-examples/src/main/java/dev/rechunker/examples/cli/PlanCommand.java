package dev.rechunker.examples.cli;

import dev.rechunker.exec.Spills;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.picture.PlanPicture;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.CostModel;
import dev.rechunker.plan.InfeasiblePlanException;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Resources;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans without any store. */
@Command(
        name = "plan",
        description = {
            "Plan a copy without any store, from numbers alone.",
            "The stores are taken to be uncompressed, where any bytes of a chunk can be read without the rest;"
                    + " see --compressed. What a codec needs besides is not known here: copy --dry-run counts it."
        },
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        versionProvider = Rechunk.Version.class,
        sortOptions = false)
final class PlanCommand implements Callable<Integer> {
    /** What copying a chunk without decoding it takes, at most. */
    private static final long ENCODED_COPY = 1 << 20;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--shape", required = true, description = "The array, such as 8901,720,1440; \"\" for a scalar.")
    private String shape = "";

    @Option(names = "--source-chunks", required = true, description = "What it is in; -1 is the whole axis.")
    private String sourceChunks = "";

    @Option(names = "--target-chunks", required = true, description = "What it is wanted in; -1 is the whole axis.")
    private String targetChunks = "";

    @Option(names = "--item-size", required = true, paramLabel = "BYTES", description = "Bytes per element.")
    private int itemSize;

    @Option(
            names = "--max-mem",
            required = true,
            paramLabel = "SIZE",
            description = "The bound: 1GB, 512MiB, 50%% (of this JVM's heap), or a number of bytes.")
    private String maxMem = "";

    @Option(names = "--threads", paramLabel = "N", description = "Threads; one per processor unless told otherwise.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--no-spill", description = "Write no temporary copy, however often the source has to be read.")
    private boolean noSpill;

    @Option(names = "--compressed", description = "Source chunks are compressed: one is read and decoded whole.")
    private boolean compressed;

    @Mixin
    private ProfileOption profile = new ProfileOption();

    @Option(names = "--json", description = "Print one line of JSON.")
    private boolean json;

    @Mixin
    private PageOption page = new PageOption();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            CopyPlan plan = plan();
            page.write(() -> PlanPicture.of(plan).html());
            out.print(json ? Json.line(PlanJson.of(plan)) + "\n" : plan.explain());
        } catch (InfeasiblePlanException e) {
            if (json) {
                out.println(Json.line(PlanJson.of(e)));
            }
            throw new UsageException(e);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        } catch (ArithmeticException e) {
            throw new UsageException("an array of (" + shape + ") in chunks of (" + sourceChunks + ") and ("
                    + targetChunks + ") with " + itemSize + " bytes per element exceeds 2^63 bytes");
        } finally {
            out.flush();
        }
        return Rechunk.DONE;
    }

    private CopyPlan plan() {
        if (itemSize <= 0) {
            throw new UsageException("--item-size is " + itemSize + "; an element has at least 1 byte");
        }
        Shape array = Shape.of(Numbers.parse("--shape", shape));
        ChunkGrid source = grid("--source-chunks", array, sourceChunks);
        ChunkGrid target = grid("--target-chunks", array, targetChunks);
        CostModel model = profile.model();
        Resources resources = new Resources(ByteSize.parse(maxMem).bytes(), threads, !noSpill, model)
                .withCompression(Spills.codec(model).map(codec -> Spills.traits(codec, itemSize)));
        return new Planner().plan(problem(source, target), resources);
    }

    private Problem problem(ChunkGrid source, ChunkGrid target) {
        if (!compressed) {
            return Problem.uncompressed(source, target, itemSize);
        }
        long chunkBytes = Math.multiplyExact(source.largestChunk().elements(), (long) itemSize);
        return new Problem(
                source,
                target,
                itemSize,
                Problem.Reading.WHOLE_CHUNKS,
                new Problem.ReaderMemory(chunkBytes, 0, 0),
                Problem.WriterMemory.NONE,
                Optional.empty(),
                false,
                source.equals(target) ? OptionalLong.of(Math.min(ENCODED_COPY, chunkBytes)) : OptionalLong.empty(),
                0);
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
