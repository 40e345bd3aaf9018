package dev.rechunker.job;

import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CorruptChunks;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.run.Executor;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One execution of a {@link JobPlan}: every array that is not done, then the groups. */
final class PlanRun {
    private final JobPlan plan;
    private final Executor executor;
    private final MemoryBudget budget;
    private final Monitor monitor;
    private final Recovery recovery;
    private final boolean overwrite;
    private final Attempts attempts;
    private final ArrayCopies copies;
    private boolean begun;

    /** Creates it; {@code overwrite} if arrays that are there are replaced. */
    PlanRun(
            JobPlan plan,
            Executor executor,
            MemoryBudget budget,
            Monitor monitor,
            Recovery recovery,
            boolean overwrite) {
        this.plan = plan;
        this.executor = executor;
        this.budget = budget;
        this.monitor = monitor;
        this.recovery = recovery;
        this.overwrite = overwrite;
        this.attempts = new Attempts(plan.options().get(Option.RETRIES));
        this.copies = new ArrayCopies(plan, recovery.spills(), attempts, new CorruptChunks());
    }

    Report execute() throws IOException, InterruptedException {
        if (plan.workspaceIsShared()) {
            try (WorkspacePool workspaces = new WorkspacePool(
                    budget, plan.stages(), plan.mostHeld(), new WorkspaceRecycler(executor.memoryCache()))) {
                workspaces.prepare();
                for (int i = 0; i < plan.arrays().size(); i++) {
                    copy(i, workspaces);
                }
            }
        } else {
            for (int i = 0; i < plan.arrays().size(); i++) {
                JobArray array = plan.arrays().get(i);
                try (WorkspacePool workspaces = new WorkspacePool(
                        budget,
                        array.copy().stages(),
                        array.heldBytes(),
                        new WorkspaceRecycler(executor.memoryCache()))) {
                    workspaces.prepare();
                    copy(i, workspaces);
                }
            }
        }
        ChunkStore target = plan.target("").store();
        for (Map.Entry<String, Map<String, @Nullable Object>> group :
                plan.groups().entrySet()) {
            attempts.run(() -> target.writeGroup(plan.target(group.getKey()).path(), group.getValue(), overwrite));
        }
        attempts.run(() -> target.finish(plan.isConsolidated()));
        recovery.finished();
        Report report = plan.aftercare()
                .run(
                        plan.source(""),
                        plan.target(""),
                        budget,
                        new WorkspaceRecycler(executor.memoryCache()),
                        monitor,
                        attempts,
                        () -> monitor.report(
                                plan.projectedMemory().bytes(),
                                attempts.retried(),
                                copies.corrupt().sentences(),
                                plan.losses()));
        monitor.end();
        return report;
    }

    private void copy(int number, WorkspacePool workspaces) throws IOException, InterruptedException {
        JobArray array = plan.arrays().get(number);
        if (recovery.isCommitted(number)) {
            skipped(array);
            return;
        }
        StoreLocation from = plan.source(array.path());
        TaskLog log = recovery.log(number);
        SourceCheck presence = new SourceCheck(from, array.source(), attempts);
        try (ArrayReader source = presence.watch(attempts.get(() -> from.store().openReader(from.path())))) {
            if (!source.spec().equals(array.source())) {
                throw new StoreException(from + " is not what it was when the plan was made: " + array.source()
                        + ", now " + source.spec() + "; plan again");
            }
            Optional<ArrayWriter> target = writer(number, array, log);
            if (target.isEmpty()) {
                skipped(array);
                return;
            }
            try (ArrayWriter writer = target.get()) {
                plan.targetIsOurs();
                if (!recovery.isBegun(number)) {
                    log.recordBegun();
                }
                log.setGuard(presence::explainMissing);
                try {
                    copies.of(number, log, source, writer).execute(executor, workspaces, monitor);
                } catch (IOException e) {
                    distrustWithout(presence, e);
                    throw e;
                }
                recovery.requireSource(presence);
                recovery.requireTarget(plan.target(array.path()));
                attempts.run(writer::commit);
            }
            log.recordCommitted();
        }
    }

    /** After a failure: what was recorded may have been read from a source that was being removed. */
    private void distrustWithout(SourceCheck presence, IOException failure) {
        try {
            recovery.requireSource(presence);
        } catch (IOException gone) {
            failure.addSuppressed(gone);
        }
    }

    /** Of an array that an earlier run has committed only what depends on it may still have to be done. */
    private void skipped(JobArray array) throws IOException {
        StoreLocation to = plan.target(array.path());
        attempts.run(() -> to.store().noteCommitted(to.path()));
        monitor.skipped(array.copy().tasks(), array.target().bytes(), true);
    }

    /** {@return a writer of the array, begun or gone on with; or empty if an earlier run was killed as it was done} */
    private Optional<ArrayWriter> writer(int number, JobArray array, TaskLog log) throws IOException {
        StoreLocation to = plan.target(array.path());
        if (!recovery.isBegun(number)) {
            return Optional.of(create(to, array));
        }
        try {
            return Optional.of(attempts.ask(() -> Recovery.resume(to, array.target())));
        } catch (StoreException e) {
            boolean isThere = to.store().node(to.path()).orElse(null) instanceof ChunkStore.ArrayNode node
                    && node.spec().equals(array.target());
            if (!isThere) {
                throw e;
            }
            log.recordCommitted();
            return Optional.empty();
        }
    }

    /** Begins an array. What has got in the way since the run looked there refuses it, as long as it wrote nothing. */
    private ArrayWriter create(StoreLocation to, JobArray array) throws IOException {
        try {
            ArrayWriter writer = attempts.get(() -> to.store().create(to.path(), array.target(), overwrite));
            begun = true;
            return writer;
        } catch (StoreException e) {
            if (!begun) {
                new TargetCheck(plan, overwrite).requireFree(recovery::isBegun);
            }
            throw e;
        }
    }
}
