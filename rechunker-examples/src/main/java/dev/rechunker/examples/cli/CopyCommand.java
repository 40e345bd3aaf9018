package dev.rechunker.examples.cli;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.exec.ConsoleProgress;
import dev.rechunker.exec.Executor;
import dev.rechunker.exec.ForkJoinExecutor;
import dev.rechunker.exec.OnCorrupt;
import dev.rechunker.exec.Report;
import dev.rechunker.exec.SerialExecutor;
import dev.rechunker.io.Stores;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.plan.CostModel;
import dev.rechunker.plan.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Copies an array or a group into other chunks. */
@Command(
        name = "copy",
        description = "Copy an array, or every array of a group, into other chunks.",
        mixinStandardHelpOptions = true,
        addMethodSubcommands = false,
        versionProvider = Rechunk.Version.class,
        sortOptions = false)
final class CopyCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @ParentCommand
    @SuppressWarnings("NullAway.Init")
    private Rechunk parent;

    @Parameters(
            index = "0",
            paramLabel = "SRC...",
            hideParamSyntax = true,
            description =
                    Locations.FORM + " Several need --concat or --stack; \"*\" in a name stands for any part of it.")
    private String first = "";

    @Parameters(
            index = "1..*",
            arity = "1",
            paramLabel = "DST",
            hideParamSyntax = true,
            description = "Where to: the last place that is given.")
    private List<String> others = List.of();

    @Mixin
    private JoinOptions join = new JoinOptions();

    @Mixin
    private ChunkOptions chunks = new ChunkOptions();

    @Mixin
    private PartOptions part = new PartOptions();

    @Mixin
    private CheckOptions checks = new CheckOptions();

    @Option(
            names = "--max-mem",
            required = true,
            paramLabel = "SIZE",
            description = "The bound: 1GB, 512MiB, 50%% (of this JVM's heap), or a number of bytes.")
    private String maxMem = "";

    @Option(
            names = "--format",
            description = Formats.NAMES
                    + "; if not told, by the ending .ome.zarr, .n5, .h5 or .hdf5, else Zarr of the source's version,"
                    + " or 3.")
    private @Nullable String format;

    @Mixin
    private ImageOptions image = new ImageOptions();

    @Option(
            names = "--codec",
            paramLabel = "SPEC",
            description = "none, zstd, blosc:cname=lz4,clevel=5, delta:dtype=<u2+zstd; as the source unless told"
                    + " otherwise.")
    private @Nullable String codec;

    @Option(names = "--shards", description = "Shards, in the form of --chunks, or none.")
    private @Nullable String shards;

    @Option(
            names = "--spill",
            paramLabel = "DIR",
            description = "Where temporary files go, or s3://bucket/path; at DST if not told.")
    private @Nullable String spill;

    @Option(names = "--no-spill", description = "Write no temporary files, however often SRC has to be read.")
    private boolean noSpill;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads; one per processor unless told otherwise, 64 from or to a remote store.")
    private @Nullable Integer threads;

    @Mixin
    private ProfileOption profile = new ProfileOption();

    @Option(
            names = "--calibrate",
            description =
                    "Measure the storage before planning: read some chunks of SRC, and write 64 MiB at DST and where"
                            + " temporary files go. What is found is printed as a --profile, for --resume.")
    private boolean calibrate;

    @Option(names = "--executor", description = "forkjoin, or serial: everything in one thread.")
    private String executor = "forkjoin";

    @Option(names = "--overwrite", description = "Replace arrays that are at DST.")
    private boolean overwrite;

    @Option(
            names = "--resume",
            description = "Go on with what an unfinished run of the same command has left at DST, if there is any.")
    private boolean resume;

    @Option(
            names = "--durable",
            description = "Have everything on its device before it is noted as done, against a loss of power.")
    private boolean durable;

    @Option(
            names = "--retries",
            paramLabel = "N",
            description = "How often to try again what fails in a way that may pass; 3 unless told otherwise.")
    private int retries = 3;

    @Option(
            names = "--on-corrupt",
            paramLabel = "fail|fill",
            description = "What becomes of a chunk of SRC that cannot be decoded: the run fails, or the chunk has the"
                    + " fill value and is reported.")
    private String onCorrupt = "fail";

    @Option(names = "--strict", description = "Refuse to lose anything that DST's format has no way to say.")
    private boolean strict;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Plan for N processes that share the tasks, each with the bound and the threads; see --save.")
    private int workers = 1;

    @Option(
            names = "--save",
            paramLabel = "PLAN",
            description = "Copy nothing, but take DST and write the plan to a file or s3://bucket/path, for run-tasks"
                    + " and finish.")
    private @Nullable String save;

    @Option(names = "--dry-run", description = "Print the plan and write nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print the report, or the plan, as one line of JSON.")
    private boolean json;

    @Mixin
    private PageOption page = new PageOption();

    @Override
    @SuppressWarnings("try") // the target is closed for what it has to remove if the run fails
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ConsoleProgress progress = ConsoleProgress.of(spec.commandLine().getErr(), parent.terminal());
        StoreLocation from = join.source(sources());
        StoreLocation to = target(from);
        try (ChunkStore target = to.store();
                SpillStore remote = remoteSpill()) {
            Plan plan = plan(from, to, remote, progress);
            if (dryRun) {
                page.write(plan::toHtml);
                out.print(json ? Json.line(PlanJson.of(plan)) + "\n" : plan.explain());
                return Rechunk.DONE;
            }
            page.requireWritable();
            if (save != null) {
                save(plan, save);
                page.write(plan::toHtml);
                return Rechunk.DONE;
            }
            Report report = execute(plan, progress);
            page.write(() -> plan.toHtml(report));
            out.println(json ? Json.line(ReportJson.of(report)) : summary(report));
            return Rechunk.DONE;
        } finally {
            out.flush();
        }
    }

    private List<String> sources() {
        List<String> sources = new ArrayList<>(others.subList(0, others.size() - 1));
        sources.add(0, first);
        return sources;
    }

    /** {@return the place of an object store that is told for temporary files, or null if it is none} */
    private @Nullable SpillStore remoteSpill() throws IOException {
        try {
            return spill != null && Stores.isUri(spill) ? Stores.temporary(spill) : null;
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    /** Prints how many tasks each stage has, for whoever writes the script of a scheduler. */
    private void save(Plan plan, String file) throws IOException {
        try (PlanPlace place = PlanPlace.of(file)) {
            place.save(plan);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(plan.explain());
        List<Long> tasks = SharedRun.of(plan).tasks();
        for (int stage = 0; stage < tasks.size(); stage++) {
            out.println("run-tasks " + file + " --stage " + stage + " --tasks 0-" + (tasks.get(stage) - 1));
        }
        out.println("finish " + file);
    }

    /** The root of an HDF5 file is a group; so an array goes to a node of its own. */
    private StoreLocation target(StoreLocation from) throws IOException {
        String place = others.get(others.size() - 1);
        if (part.existing()) {
            chunks.requireNothing();
            image.requireNothing();
            if (format != null) {
                throw new UsageException("--format " + format + " is for new arrays; what exists keeps its format");
            }
            return Locations.existing(place);
        }
        StoreLocation to = Locations.target(place, format, image);
        boolean needsPath = to.path().isEmpty() && to.store().identity().startsWith("hdf5 ");
        return needsPath && isArray(from) ? to.resolve("data") : to;
    }

    private static boolean isArray(StoreLocation from) throws IOException {
        try {
            return Locations.node(from) instanceof ChunkStore.ArrayNode;
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    private static Report execute(Plan plan, ConsoleProgress progress) throws IOException, InterruptedException {
        try {
            return plan.execute();
        } finally {
            progress.end();
        }
    }

    private Plan plan(StoreLocation from, StoreLocation to, @Nullable SpillStore remote, ConsoleProgress progress)
            throws IOException {
        try {
            Rechunker.Job job = job(from, to, remote).onProgress(progress);
            if (calibrate) {
                CostModel measured = job.calibrate();
                spec.commandLine().getErr().println("--profile " + measured.text());
                job = job.costModel(measured);
            }
            Plan plan = job.plan();
            chunks.requireUse(from);
            return plan;
        } catch (InfeasiblePlanException e) {
            if (dryRun && json) {
                spec.commandLine().getOut().println(Json.line(PlanJson.of(e)));
            }
            throw new UsageException(e);
        } catch (IllegalArgumentException | StoreException e) {
            throw new UsageException(e);
        }
    }

    private Rechunker.Job job(StoreLocation from, StoreLocation to, @Nullable SpillStore remote) {
        Rechunker.Job job = part.existing()
                ? part.job(from, to, maxMem())
                : Rechunker.from(from).to(to).chunks(chunks.rule()).maxMem(maxMem());
        Executor by = executor();
        job = checks.in(part.in(by != null ? job.executor(by) : job));
        if (calibrate && resume) {
            throw new UsageException("--calibrate and --resume exclude each other: what is measured differs each time;"
                    + " give the --profile that the run was begun with");
        }
        if (noSpill && spill != null) {
            throw new UsageException("--spill " + spill + " and --no-spill exclude each other");
        }
        job = noSpill ? job.noSpill() : job;
        job = remote != null ? job.spill(remote) : spill != null ? job.spill(Path.of(spill)) : job;
        job = overwrite ? job.overwrite() : job;
        CostModel told = profile.told();
        job = told != null ? job.costModel(told) : job;
        job = strict ? job.strict() : job;
        job = resume ? job.resume() : job;
        job = durable ? job.durable() : job;
        job = retries(job).onCorrupt(onCorrupt());
        job = "hdf5-contiguous".equals(format) ? job.format("hdf5-contiguous") : job;
        job = codec != null ? job.codec(codec) : job;
        return workers(shards != null ? job.shards(shards) : job);
    }

    private Rechunker.Job workers(Rechunker.Job job) {
        try {
            return job.workers(workers);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private ByteSize maxMem() {
        try {
            return ByteSize.parse(maxMem);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new UsageException(e);
        }
    }

    /** {@return the executor that is told, or null for what the stores make of it} */
    private @Nullable Executor executor() {
        return switch (executor) {
            case "forkjoin" -> threads == null ? null : new ForkJoinExecutor(threads);
            case "serial" -> {
                if (threads != null && threads != 1) {
                    throw new UsageException("--executor serial has one thread, but --threads is " + threads);
                }
                yield new SerialExecutor();
            }
            default -> throw new UsageException("--executor is \"" + executor + "\"; write forkjoin or serial");
        };
    }

    private Rechunker.Job retries(Rechunker.Job job) {
        try {
            return job.retries(retries);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private OnCorrupt onCorrupt() {
        return switch (onCorrupt) {
            case "fail" -> OnCorrupt.FAIL;
            case "fill" -> OnCorrupt.FILL_AND_REPORT;
            default -> throw new UsageException("--on-corrupt is \"" + onCorrupt + "\"; write fail or fill");
        };
    }

    private String summary(Report report) {
        double seconds = report.elapsed().toNanos() / 1e9;
        String losses = report.losses().stream()
                .map(loss -> "not kept: " + loss + System.lineSeparator())
                .collect(Collectors.joining());
        String before = report.tasksDoneBefore() == 0
                ? ""
                : report.tasksDoneBefore() + " tasks were done before" + System.lineSeparator();
        String corrupt = report.corrupt().stream()
                .map(chunk -> "corrupt, filled: " + chunk + System.lineSeparator())
                .collect(Collectors.joining());
        return losses
                + corrupt
                + before
                + String.format(
                        Locale.ROOT,
                        "done in %.1f s: read %s, wrote %s, spilled at most %s at once; tasks: %d, reads of source chunks: %d%n"
                                + "memory: measured %s, projected %s, allowed %s%s",
                        seconds,
                        ByteSize.of(report.bytesRead()),
                        ByteSize.of(report.bytesWritten()),
                        ByteSize.of(report.spillPeakBytes()),
                        report.tasks(),
                        report.sourceChunkReads(),
                        ByteSize.of(report.measuredMemory()),
                        ByteSize.of(report.projectedMemory()),
                        maxMem(),
                        found(report));
    }

    static String found(Report report) {
        String verified = report.elementsVerified() == 0
                ? ""
                : "%nverified: %d elements are the same".formatted(report.elementsVerified());
        return verified
                + report.checksums().stream()
                        .map(sum -> "%nsha256 %s of the checksums of %d chunks or shards, %d bytes%s"
                                .formatted(
                                        sum.sha256(),
                                        sum.units(),
                                        sum.bytes(),
                                        sum.path().isEmpty() ? "" : ": " + sum.path()))
                        .collect(Collectors.joining());
    }
}
