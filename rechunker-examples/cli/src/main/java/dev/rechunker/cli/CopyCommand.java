package dev.rechunker.cli;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Copies an array or a group into other chunks. */
final class CopyCommand extends Command {
    private final Arg<String> first = argument(
            String.class,
            "0",
            "1",
            "SRC...",
            Locations.FORM + " Several need --concat or --stack; \"*\" in a name stands for any part of it.");
    private final Arg<String[]> others =
            argument(String[].class, "1..*", "1", "DST", "Where to: the last place that is given.");
    private final JoinOptions join = new JoinOptions(this);
    private final ChunkOptions chunks = new ChunkOptions(this);
    private final PartOptions part = new PartOptions(this);
    private final CheckOptions checks = new CheckOptions(this);
    private final BoundOption maxMem = new BoundOption(this);
    private final Arg<String> format = text(
            "--format",
            "FORMAT",
            Formats.NAMES
                    + "; if not told, by the ending .ome.zarr, .n5, .h5 or .hdf5, else Zarr of the source's version,"
                    + " or 3.");
    private final ImageOptions image = new ImageOptions(this);
    private final Arg<String> codec = text(
            "--codec",
            "SPEC",
            "none, zstd, blosc:cname=lz4,clevel=5, delta:dtype=<u2+zstd; as the source unless told otherwise.");
    private final Arg<String> shards = text("--shards", "SHARDS", "Shards, in the form of --chunks, or none.");
    private final Arg<String> spill =
            text("--spill", "DIR", "Where temporary files go, or s3://bucket/path; at DST if not told.");
    private final Arg<Boolean> noSpill =
            flag("--no-spill", "Write no temporary files, however often SRC has to be read.");
    private final Arg<Integer> threads = value(
            Integer.class,
            "--threads",
            "N",
            "Threads; one per processor unless told otherwise, 64 from or to a remote store.");
    private final ProfileOption profile = new ProfileOption(this);
    private final Arg<Boolean> calibrate = flag(
            "--calibrate",
            "Measure the storage before planning: read some chunks of SRC, and write 64 MiB at DST and where temporary"
                    + " files go. What is found is printed as a --profile, for --resume.");
    private final Arg<String> executor =
            text("--executor", "EXECUTOR", "forkjoin, or serial: everything in one thread.");
    private final Arg<Boolean> overwrite = flag("--overwrite", "Replace arrays that are at DST.");
    private final Arg<Boolean> resume =
            flag("--resume", "Go on with what an unfinished run of the same command has left at DST, if there is any.");
    private final Arg<Boolean> durable =
            flag("--durable", "Have everything on its device before it is noted as done, against a loss of power.");
    private final Arg<Integer> retries = value(
            int.class,
            "--retries",
            "N",
            "How often to try again what fails in a way that may pass; 3 unless told otherwise.");
    private final Arg<String> onCorrupt = text(
            "--on-corrupt",
            "fail|fill",
            "What becomes of a chunk of SRC that cannot be decoded: the run fails, or the chunk has the fill value and"
                    + " is reported.");
    private final Arg<Boolean> strict =
            flag("--strict", "Refuse to lose anything that DST's format has no way to say.");
    private final Arg<Integer> workers = value(
            int.class,
            "--workers",
            "N",
            "Plan for N processes that share the tasks, each with the bound and the threads; see --save.");
    private final Arg<String> save = text(
            "--save",
            "PLAN",
            "Copy nothing, but take DST and write the plan to a file or s3://bucket/path, for run-tasks and finish.");
    private final Arg<Boolean> dryRun = flag("--dry-run", "Print the plan and write nothing.");
    private final Arg<Boolean> json = flag("--json", "Print the report, or the plan, as one line of JSON.");
    private final PageOption page = new PageOption(this);
    private final boolean terminal;

    /**
     * Makes the command.
     *
     * @param terminal whether somebody looks at its progress
     */
    CopyCommand(boolean terminal) {
        super("copy", "Copy an array, or every array of a group, into other chunks.");
        this.terminal = terminal;
    }

    @Override
    @SuppressWarnings("try") // the target is closed for what it has to remove if the run fails
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        ConsoleProgress progress = ConsoleProgress.of(err(), terminal);
        StoreLocation from = join.source(sources());
        StoreLocation to = target(from);
        try (ChunkStore target = to.store();
                SpillStore remote = remoteSpill()) {
            Plan plan = plan(from, to, remote, progress);
            page.requireWritable();
            filesBeside().requireApart(from, to);
            if (dryRun.isGiven()) {
                page.write(plan::toHtml);
                out.print(json.isGiven() ? Json.line(PlanJson.of(plan)) + "\n" : plan.explain());
                return Rechunk.DONE;
            }
            String file = save.value();
            if (file != null) {
                save(plan, file);
                page.write(plan::toHtml);
                return Rechunk.DONE;
            }
            Report report = execute(plan, progress);
            page.writeAfterCopy(() -> plan.toHtml(report));
            out.println(json.isGiven() ? Json.line(ReportJson.of(report)) : summary(report));
            return Rechunk.DONE;
        } finally {
            out.flush();
        }
    }

    private FilesBeside filesBeside() {
        String plan = save.value();
        return new FilesBeside()
                .with("--html", page.file())
                .with("--checksums", checks.file())
                .with("--save", plan == null || Stores.isUri(plan) ? null : plan);
    }

    private List<String> behind() {
        return List.of(others.given());
    }

    private List<String> sources() {
        List<String> sources = new ArrayList<>(List.of(first.given()));
        List<String> behind = behind();
        sources.addAll(behind.subList(0, behind.size() - 1));
        return sources;
    }

    /** {@return the place of an object store that is told for temporary files, or null if it is none} */
    private @Nullable SpillStore remoteSpill() throws IOException {
        String place = spill.value();
        if (place != null && !Stores.isUri(place)) {
            requireDirectory(place);
            return null;
        }
        try {
            return place != null ? Stores.temporary(place) : null;
        } catch (StoreException e) {
            throw new UsageException(e);
        }
    }

    /** Refuses what is there and no directory, whether or not the plan will spill. */
    private static void requireDirectory(String spill) {
        try {
            Path directory = Path.of(spill);
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new UsageException("--spill " + spill + " is not a directory");
            }
        } catch (InvalidPathException e) {
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
        PrintWriter out = out();
        out.print(plan.explain());
        List<Long> tasks = SharedRun.of(plan).tasks();
        for (int stage = 0; stage < tasks.size(); stage++) {
            out.println("run-tasks " + file + " --stage " + stage + " --tasks 0-" + (tasks.get(stage) - 1));
        }
        out.println("finish " + file);
    }

    /** The root of an HDF5 file is a group; so an array goes to a node of its own. */
    private StoreLocation target(StoreLocation from) throws IOException {
        List<String> behind = behind();
        String place = behind.get(behind.size() - 1);
        if (part.existing()) {
            chunks.requireNothing();
            image.requireNothing();
            if (format.value() != null) {
                throw new UsageException(
                        "--format " + format.value() + " is for new arrays; what exists keeps its format");
            }
            return Locations.existing(place);
        }
        StoreLocation to = Locations.target(place, format.value(), image);
        boolean needsPath = to.path().isEmpty() && to.store().identity().startsWith("hdf5 ");
        return needsPath && Locations.node(from) instanceof ChunkStore.ArrayNode ? to.resolve("data") : to;
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
            if (calibrate.isGiven()) {
                CostModel measured = job.calibrate();
                err().println("--profile " + measured.text());
                job = job.costModel(measured);
            }
            Plan plan = job.plan();
            chunks.requireUse(from);
            return plan;
        } catch (InfeasiblePlanException e) {
            if (dryRun.isGiven() && json.isGiven()) {
                out().println(Json.line(PlanJson.of(e)));
            }
            throw new UsageException(e);
        } catch (IllegalArgumentException | StoreException e) {
            throw new UsageException(e);
        }
    }

    private Rechunker.Job job(StoreLocation from, StoreLocation to, @Nullable SpillStore remote) {
        Rechunker.Job job = part.existing()
                ? part.job(from, to, maxMem.size())
                : Rechunker.from(from).to(to).chunks(chunks.rule()).maxMem(maxMem.size());
        Executor by = executor();
        job = checks.in(part.in(by != null ? job.executor(by) : job));
        if (calibrate.isGiven() && resume.isGiven()) {
            throw new UsageException("--calibrate and --resume exclude each other: what is measured differs each time;"
                    + " give the --profile that the run was begun with");
        }
        String place = spill.value();
        if (noSpill.isGiven() && place != null) {
            throw new UsageException("--spill " + place + " and --no-spill exclude each other");
        }
        job = noSpill.isGiven() ? job.noSpill() : job;
        job = remote != null ? job.spill(remote) : place != null ? job.spill(Path.of(place)) : job;
        job = overwrite.isGiven() ? job.overwrite() : job;
        CostModel told = profile.told();
        job = told != null ? job.costModel(told) : job;
        job = strict.isGiven() ? job.strict() : job;
        job = resume.isGiven() ? job.resume() : job;
        job = durable.isGiven() ? job.durable() : job;
        job = retries(job).onCorrupt(onCorrupt());
        job = "hdf5-contiguous".equals(format.value()) ? job.format("hdf5-contiguous") : job;
        String encoding = codec.value();
        job = encoding != null ? job.codec(encoding) : job;
        String larger = shards.value();
        return workers(larger != null ? job.shards(larger) : job);
    }

    private Rechunker.Job workers(Rechunker.Job job) {
        try {
            return job.workers(workers.or(1));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    /** {@return the executor that is told, or null for what the stores make of it} */
    private @Nullable Executor executor() {
        String name = executor.or("forkjoin");
        Integer lanes = threads.value();
        return switch (name) {
            case "forkjoin" -> lanes == null ? null : new ForkJoinExecutor(lanes);
            case "serial" -> {
                if (lanes != null && lanes != 1) {
                    throw new UsageException("--executor serial has one thread, but --threads is " + lanes);
                }
                yield new SerialExecutor();
            }
            default -> throw new UsageException("--executor is \"" + name + "\"; write forkjoin or serial");
        };
    }

    private Rechunker.Job retries(Rechunker.Job job) {
        try {
            return job.retries(retries.or(3));
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
    }

    private OnCorrupt onCorrupt() {
        String what = onCorrupt.or("fail");
        return switch (what) {
            case "fail" -> OnCorrupt.FAIL;
            case "fill" -> OnCorrupt.FILL_AND_REPORT;
            default -> throw new UsageException("--on-corrupt is \"" + what + "\"; write fail or fill");
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
                        maxMem.size(),
                        found(report));
    }

    static String found(Report report) {
        String verified = report.elementsVerified() == 0
                ? ""
                : String.format(Locale.ROOT, "%nverified: %d elements are the same", report.elementsVerified());
        return verified
                + report.checksums().stream()
                        .map(sum -> String.format(
                                Locale.ROOT,
                                "%nsha256 %s of the checksums of %d chunks or shards, %d bytes%s",
                                sum.sha256(),
                                sum.units(),
                                sum.bytes(),
                                sum.path().isEmpty() ? "" : ": " + sum.path()))
                        .collect(Collectors.joining());
    }
}
