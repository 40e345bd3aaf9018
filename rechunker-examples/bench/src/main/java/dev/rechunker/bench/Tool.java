package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;

/** What copies an array into other chunks. */
interface Tool {
    /** {@return its name} */
    String name();

    /** {@return the versions of what it is made of, or nothing} */
    default String version() {
        return "";
    }

    /** {@return whether it can do a workload at all, and in reasonable time} */
    boolean fits(Workload workload);

    /**
     * {@return the run that has done it, or has failed}
     *
     * @param logs a directory for what it prints
     * @throws IOException if it cannot be started
     */
    ToolRun run(Job job, Path logs) throws IOException, InterruptedException;

    /**
     * What is to be done.
     *
     * @param workload the workload
     * @param source its input
     * @param target where to, which does not exist
     * @param temporary a directory for what does not stay
     * @param threads how many may work
     */
    record Job(Workload workload, Path source, Path target, Path temporary, int threads) {
        /** {@return the source as an argument of this project's command line} */
        String sourceArgument() {
            return workload.input().container().argument(source);
        }

        /** {@return the target likewise} */
        String targetArgument() {
            return workload.target().argument(target);
        }
    }

    /** {@return extents with something between} */
    static String extents(long[] extents, String between) {
        StringBuilder text = new StringBuilder();
        for (long extent : extents) {
            text.append(text.isEmpty() ? "" : between).append(extent);
        }
        return text.toString();
    }
}
