package dev.rechunker.cli;

import dev.rechunker.CostEstimate;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.InfeasiblePlanException;
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

/** The command {@code copy}, which copies an array or a group into other chunks. */
final class CopyCommand extends Command {
    private final Arg<String> first = argument(
            String.class,
            "0",
            "1",
            "SRC...",
            Locations.FORM + " Several sources need --concat or --stack; \"*\" in a name matches any part of it.");
    private final Arg<String[]> others = argument(String[].class, "1..*", "1", "DST", "The target: the last argument.");
    private final JoinOptions join = new JoinOptions(this);
    private final ChunkOptions chunks = new ChunkOptions(this);
    private final PartOptions part = new PartOptions(this);
    private final BoundOption maxMem = new BoundOption(this, BoundOption.HALF_OF_HEAP);
    private final Arg<String> format = text(
            "--format",
            "FORMAT",
            Formats.NAMES
                    + ". Default: by the ending of DST, .ome.zarr, .n5, .h5, .hdf5, .he5, .h5ad, .nc, .nc4, .nc3 or .cdf; else Zarr, in the version of the"
                    + " source or in version 3.");
    private final ImageOptions image = new ImageOptions(this);
    private final JobOptions options = new JobOptions(this);
    private final Arg<String> spill =
            text("--spill", "DIR", "The directory for temporary files, or s3://bucket/path. Default: next to DST.");
    private final ChecksumOption checksums = new ChecksumOption(this);
    private final CostOptions costs = new CostOptions(this);
    private final Arg<Boolean> calibrate = flag(
            "--calibrate",
            "Measure the storage before planning: read some chunks of SRC, and write 64 MiB to DST and to the directory"
                    + " for temporary files. The result is printed as a --profile option, which --resume needs.");
    private final Arg<String> executor =
            text("--executor", "EXECUTOR", "forkjoin (several threads) or serial (one thread). Default: forkjoin.");
    private final Arg<Boolean> verbose = flag("--verbose", "Also print what is stored in another way than in SRC.");
    private final Arg<String> save = text(
            "--save",
            "PLAN",
            "Do not copy, but prepare DST and write the plan to a file or s3://bucket/path, for run-tasks and finish;"
                    + " see --workers.");
    private final Arg<Boolean> dryRun = flag("--dry-run", "Print the plan and write nothing.");
    private final ExplainOption explain = new ExplainOption(this);
    private final Arg<Boolean> json = flag("--json", "Print the report, or the plan, as one line of JSON.");
    private final PageOption page = new PageOption(this);
    private final WatchOption watch = new WatchOption(this);
    private final QuietOption quiet;

    /**
     * Creates the command.
     *
     * @param terminal whether progress goes to a terminal
     */
    CopyCommand(boolean terminal) {
        super("copy", "Copy an array, or all arrays of a group, into other chunks.");
        quiet = new QuietOption(this, terminal);
    }

    @Override
    @SuppressWarnings("try") // closing the target cleans up after a run that failed
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = out();
        ConsoleProgress progress = quiet.progress();
        boolean alone = (options.isGiven("only") || part.existing() || Locations.namesNode(targetPlace()))
                && !options.isGiven("region"); // which may be one of coordinates
        StoreLocation from = join.source(sources(), !alone);
        StoreLocation to = target();
        try (ChunkStore target = to.store();
                SpillStore remote = remoteSpill()) {
            Plan plan = plan(from, to, remote, progress);
            page.requireWritable();
            filesBeside().requireApart(from, to);
            requireRunToWatch();
            if (dryRun.isGiven()) {
                page.write(plan::toHtml);
                out.print(json.isGiven() ? JsonLine.of(PlanJson.of(plan)) + "\n" : explain.text(plan));
                return Rechunk.DONE;
            }
            String file = save.value();
            if (file != null) {
                save(plan, file);
                page.write(plan::toHtml);
                return Rechunk.DONE;
            }
            if (explain.isGiven()) {
                out.print(explain.text(plan));
                out.flush();
            }
            watch.begin(plan);
            Report report = execute(plan, progress);
            watch.end(summary(report));
            page.writeAfterCopy(() -> plan.toHtml(report));
            String result = json.isGiven()
                    ? JsonLine.of(ReportJson.of(report))
                    : quiet.isGiven() ? found(report).strip() : summary(report);
            if (!result.isEmpty()) {
                out.println(result);
            }
            return LossOutput.print(err(), report, verbose.isGiven());
        } finally {
            out.flush();
        }
    }

    private FilesBeside filesBeside() {
        String plan = save.value();
        return new FilesBeside()
                .with("--html", page.file())
                .with("--checksums", checksums.file())
                .with("--save", plan == null || Stores.isUri(plan) ? null : plan);
    }

    private List<String> afterFirst() {
        return List.of(others.given());
    }

    private String targetPlace() {
        List<String> more = afterFirst();
        return more.get(more.size() - 1);
    }

    private List<String> sources() {
        List<String> sources = new ArrayList<>(List.of(first.given()));
        List<String> more = afterFirst();
        sources.addAll(more.subList(0, more.size() - 1));
        return sources;
    }

    /** {@return the object store for temporary files, or null if they are local} */
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

    /**
     * Checks that a path for temporary files is a directory or does not exist, whether or not the plan will spill.
     *
     * @throws UsageException if it is something else
     */
    private static void requireDirectory(String spill) {
        try {
            Path directory = Path.of(spill);
            FilesBeside.requireShortNames(directory);
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new UsageException("--spill " + spill + " is not a directory");
            }
        } catch (InvalidPathException e) {
            throw new UsageException(e);
        }
    }

    /** Saves a plan, and prints the commands that run its tasks, as a template for the script of a scheduler. */
    private void save(Plan plan, String file) throws IOException {
        try (SavedPlan place = SavedPlan.at(file)) {
            place.save(plan);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e);
        }
        PrintWriter out = out();
        out.print(explain.text(plan));
        String shown = StoreLocation.withoutSecrets(file);
        List<Long> tasks = SharedRun.of(plan).tasks();
        for (int stage = 0; stage < tasks.size(); stage++) {
            out.println("run-tasks " + shown + " --stage " + stage + " --tasks 0-" + (tasks.get(stage) - 1));
        }
        String sums = checksums.file();
        out.println("finish " + shown + (sums == null || sums.isEmpty() ? "" : " --checksums=" + sums));
    }

    private StoreLocation target() throws IOException {
        String place = targetPlace();
        if (part.existing()) {
            chunks.requireNothing();
            image.requireNothing();
            if (format.value() != null) {
                throw new UsageException(
                        "--format " + format.value() + " is for new arrays; existing arrays keep their format");
            }
            if (options.isGiven("codec") || options.isGiven("shards")) {
                throw new UsageException((options.isGiven("codec") ? "--codec" : "--shards")
                        + " is for new arrays; existing arrays keep their codecs and shards");
            }
            return Locations.existing(place, false);
        }
        return Locations.target(place, format.value(), image);
    }

    private Report execute(Plan plan, ConsoleProgress progress) throws IOException, InterruptedException {
        try {
            return plan.execute();
        } catch (IOException | RuntimeException e) {
            watch.end("The run has failed: " + StoreLocation.withoutSecrets(String.valueOf(e.getMessage())));
            throw e;
        } finally {
            progress.end();
            watch.close();
        }
    }

    private void requireRunToWatch() {
        if (watch.isGiven() && (dryRun.isGiven() || save.value() != null)) {
            throw new UsageException("--watch shows a run, but " + (dryRun.isGiven() ? "--dry-run" : "--save")
                    + " copies nothing; leave one of them out");
        }
    }

    private Plan plan(StoreLocation from, StoreLocation to, @Nullable SpillStore remote, ConsoleProgress progress)
            throws IOException {
        costs.requireUse(options, false);
        try {
            Rechunker.Job job = job(from, to, remote).onProgress(watch.and(progress));
            if (calibrate.isGiven()) {
                CostModel measured = job.calibrate();
                err().println("--profile " + measured.text());
                job = job.costModel(measured);
            }
            Plan plan = CostOptions.isAuto(options) ? chosen(job) : job.plan();
            chunks.requireUse(from);
            Wording.warn(err(), plan.advice());
            return plan;
        } catch (InfeasiblePlanException e) {
            if (dryRun.isGiven() && json.isGiven()) {
                out().println(JsonLine.of(PlanJson.of(e)));
            }
            throw new UsageException(e);
        } catch (IllegalArgumentException | StoreException e) {
            throw new UsageException(e);
        }
    }

    /** {@return the plan with the workers and the memory that suit a deadline or a budget, which are printed} */
    private Plan chosen(Rechunker.Job job) throws IOException {
        CostEstimate estimate = costs.estimate(job, options);
        err().print("chosen: --workers " + estimate.workers() + " --max-mem "
                + estimate.plan().maxMem().bytes() + System.lineSeparator() + estimate.explain());
        return estimate.plan();
    }

    private Rechunker.Job job(StoreLocation from, StoreLocation to, @Nullable SpillStore remote) {
        Rechunker.Job job = part.existing()
                ? part.job(from, to, maxMem.size())
                : Rechunker.from(from).to(to).chunks(chunks.rule()).maxMem(maxMem.size());
        job = checksums.in(options.in(job));
        if (calibrate.isGiven() && options.isGiven("resume")) {
            throw new UsageException("--calibrate and --resume exclude each other, as measurements differ each time;"
                    + " give the --profile that the run was started with");
        }
        String place = spill.value();
        if (options.isGiven("no-spill") && place != null) {
            throw new UsageException("--spill " + place + " and --no-spill exclude each other");
        }
        job = remote != null ? job.spill(remote) : place != null ? job.spill(Path.of(place)) : job;
        job = isSerial() ? job.executor(new SerialExecutor()) : job;
        return "hdf5-contiguous".equals(format.value()) ? job.format("hdf5-contiguous") : job;
    }

    /** {@return whether everything runs in one thread} */
    private boolean isSerial() {
        String name = executor.or("forkjoin");
        String threads = options.text("threads");
        return switch (name) {
            case "forkjoin" -> false;
            case "serial" -> {
                if (threads != null && !threads.equals("1")) {
                    throw new UsageException("--executor serial has one thread, but --threads is " + threads);
                }
                yield true;
            }
            default -> throw new UsageException("--executor is \"" + name + "\"; write forkjoin or serial");
        };
    }

    private String summary(Report report) {
        if (report.tasks() == 0 && report.tasksDoneBefore() > 0) {
            return "nothing is left to do: the target is complete" + found(report);
        }
        String before = report.tasksDoneBefore() == 0
                ? ""
                : report.tasksDoneBefore() + " tasks were done before" + System.lineSeparator();
        String corrupt = report.corrupt().stream()
                .map(chunk -> "corrupt, filled: " + Printable.of(chunk) + System.lineSeparator())
                .collect(Collectors.joining());
        return corrupt
                + before
                + String.format(
                        Locale.ROOT,
                        "done in %s: read %s, wrote %s, largest spill %s; tasks: %d, reads of source chunks: %d%n"
                                + "memory: measured %s, projected %s, allowed %s%s",
                        Numbers.duration(report.elapsed()),
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

    /** {@return the lines that options ask for, each after a line break} */
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
                                sum.path().isEmpty() ? "" : ": " + Printable.of(sum.path())))
                        .collect(Collectors.joining())
                + report.contents().entrySet().stream()
                        .map(sum -> String.format(
                                Locale.ROOT,
                                "%ncontents %s%s",
                                sum.getValue(),
                                sum.getKey().isEmpty() ? "" : ": " + Printable.of(sum.getKey())))
                        .collect(Collectors.joining());
    }
}
