package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Path;

/** A tool that copies an array into other chunks. */
interface Tool {
    /** The name of the first level in the group of a pyramid. */
    String FIRST_LEVEL = "0";

    /** {@return the name} */
    String name();

    /** {@return the versions of its components, or an empty text} */
    default String version() {
        return "";
    }

    /** {@return whether the tool supports a workload and needs a reasonable time for it} */
    boolean fits(Workload workload);

    /** {@return whether it reads sources from web servers} */
    default boolean readsWeb() {
        return false;
    }

    /** {@return the array that it makes, as an argument of the command line of this project} */
    default String result(Job job) {
        return job.targetArray();
    }

    /**
     * Runs a job.
     *
     * @param logs a directory for the output of the tool
     * @return the run, which may have failed
     * @throws IOException if the tool cannot be started
     */
    ToolRun run(Job job, Path logs) throws IOException, InterruptedException;

    /**
     * A copy to make.
     *
     * @param workload the workload
     * @param source the path or URL of the input
     * @param target the path of the target, which does not exist
     * @param temporary a directory for temporary files
     * @param threads the most threads to use
     * @param mostSeconds the seconds after which another tool is stopped
     */
    record Job(Workload workload, String source, Path target, Path temporary, int threads, double mostSeconds) {
        /** {@return the source as an argument of the command line of this project} */
        String sourceArgument() {
            return workload.input().container().argument(source);
        }

        /** {@return the target as an argument of the command line of this project} */
        String targetArgument() {
            return workload.target().argument(target.toString());
        }

        /** {@return the array in the target, which is the first level if there are levels} */
        String targetArray() {
            if (workload.levels() == 0) {
                return targetArgument();
            }
            return workload.target().isHdf5()
                    ? targetArgument() + "/" + FIRST_LEVEL
                    : target.resolve(FIRST_LEVEL).toString();
        }
    }

    /** {@return extents joined by {@code between}} */
    static String extents(long[] extents, String between) {
        StringBuilder text = new StringBuilder();
        for (long extent : extents) {
            text.append(text.isEmpty() ? "" : between).append(extent);
        }
        return text.toString();
    }
}
