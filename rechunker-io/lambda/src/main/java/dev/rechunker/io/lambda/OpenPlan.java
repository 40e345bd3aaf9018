package dev.rechunker.io.lambda;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.rechunker.io.PlanPlace;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.RefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * A plan that stays open between the invocations of one environment.
 *
 * @param name the location of the plan
 */
record OpenPlan(String name, PlanPlace place, JobFile job) implements Closeable {
    /** The memory of a function for heap, code and threads of the JVM, in bytes. */
    static final long RESERVE = 256L << 20;

    private static final long RESERVE_DIRECT = 64L << 20;

    static OpenPlan open(String name) throws IOException {
        PlanPlace place = PlanPlace.of(name);
        try {
            return new OpenPlan(name, place, place.open());
        } catch (IOException e) {
            place.close();
            throw e;
        }
    }

    /** Refuses the run of another plan that was saved at the same place. */
    void require(String run) throws RefusedException {
        if (!job.id().equals(run)) {
            throw new RefusedException("the plan at " + name + " is that of another run, " + job.id() + " and not "
                    + run + "; start again with \"action\": \"describe\"");
        }
    }

    /**
     * Refuses a function with too little memory.
     *
     * @param limit the memory of the function, in bytes
     */
    void requireMemory(long limit) throws RefusedException {
        long bytes = job.plan().projectedMemory().bytes();
        if (bytes + RESERVE > limit) {
            throw new RefusedException("tasks use " + ByteSize.of(bytes) + " of memory for data, but the function has "
                    + megabytes(limit) + " MB in all: give it at least " + megabytes(bytes + RESERVE)
                    + " MB, or plan with a smaller bound");
        }
        long set = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue());
        long direct = set > 0 ? set : Runtime.getRuntime().maxMemory();
        if (bytes + RESERVE_DIRECT > direct) {
            throw new RefusedException("tasks use " + ByteSize.of(bytes) + " of direct memory, but the JVM has "
                    + ByteSize.of(direct) + ": set JAVA_TOOL_OPTIONS of the function to -XX:MaxDirectMemorySize="
                    + megabytes(bytes + RESERVE_DIRECT) + "m");
        }
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }

    @Override
    public void close() throws IOException {
        try (place) {
            job.close();
        }
    }
}
