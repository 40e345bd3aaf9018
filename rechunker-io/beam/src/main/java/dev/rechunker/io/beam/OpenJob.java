package dev.rechunker.io.beam;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rechunker.io.PlanPlace;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * A job that is open in this JVM. All instances of {@link RunTasks} of one run share it, and the number of ranges that
 * they run at the same time is limited. It is planned once, and closed when the last instance has released it.
 */
final class OpenJob {
    /** The direct memory for the runner and the JVM itself, in bytes. */
    static final long RESERVE = 64L << 20;

    /** The open jobs of this JVM; Beam provides no other place for objects that instances share. */
    private static final Map<String, OpenJob> OPEN = new HashMap<>();

    private final String id;
    private final PlanPlace place;
    private final JobFile job;
    private final Semaphore running;
    private int users;

    private OpenJob(String id, PlanPlace place, JobFile job, int slots) {
        this.id = id;
        this.place = place;
        this.job = job;
        this.running = new Semaphore(slots, true);
    }

    /**
     * {@return the open job of a plan, for one user more}
     *
     * @param id the name of the run
     * @throws RefusedException if this JVM has too little memory, or there is another run at the place
     */
    static OpenJob acquire(String place, String id, int slots) throws IOException {
        synchronized (OPEN) {
            OpenJob open = OPEN.get(id);
            if (open == null) {
                open = open(place, id, slots);
                OPEN.put(id, open);
            }
            open.users++;
            return open;
        }
    }

    private static OpenJob open(String place, String id, int slots) throws IOException {
        PlanPlace at = PlanPlace.of(place);
        try {
            JobFile job = at.open();
            try {
                if (!job.id().equals(id)) {
                    throw new RefusedException("the plan was replaced while its pipeline was running");
                }
                require(slots, job.plan().projectedMemory().bytes(), directMemory());
                return new OpenJob(id, at, job, slots);
            } catch (IOException e) {
                throw closed(job, e);
            }
        } catch (IOException e) {
            throw closed(at, e);
        }
    }

    private static IOException closed(Closeable opened, IOException failure) {
        try {
            opened.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    /** {@return the direct memory that this JVM may use, in bytes} */
    private static long directMemory() {
        long set = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue());
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }

    /**
     * Refuses ranges that need more memory than a JVM has.
     *
     * @param bytes the maximum memory of one range
     * @param direct the direct memory of the JVM
     */
    static void require(int slots, long bytes, long direct) throws RefusedException {
        long used = Math.multiplyExact(slots, bytes);
        if (used + RESERVE > direct) {
            throw new RefusedException("a worker runs " + slots
                    + (slots == 1 ? " range of tasks at a time, which uses " : " ranges of tasks at a time, which use ")
                    + ByteSize.of(used) + " of direct memory, but its JVM has " + ByteSize.of(direct)
                    + ": give the JVMs of workers -XX:MaxDirectMemorySize=" + ((used + RESERVE + (1 << 20) - 1) >> 20)
                    + "m or more, or plan with a smaller bound" + (slots == 1 ? "" : " or fewer slots"));
        }
    }

    /** Runs tasks when one of the slots is free. */
    Report run(int stage, long from, long to) throws IOException, InterruptedException {
        running.acquire();
        try {
            return job.run(stage, from, to);
        } finally {
            running.release();
        }
    }

    /** Closes the job if this was its last user. */
    void release() throws IOException {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(id);
        }
        try (place;
                job) {
            running.drainPermits();
        }
    }
}
