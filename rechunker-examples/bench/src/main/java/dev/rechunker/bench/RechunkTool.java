package dev.rechunker.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line of this project, in a new JVM with default settings. */
public final class RechunkTool implements Program {
    private final List<String> java;

    /**
     * Creates the tool.
     *
     * @param main the main class of the command line, which is run on the class path of this JVM
     */
    public RechunkTool(Class<?> main) {
        String executable =
                Path.of(System.getProperty("java.home"), "bin", "java").toString();
        java = List.of(executable, "-cp", System.getProperty("java.class.path"), main.getName());
    }

    @Override
    public String name() {
        return "rechunk";
    }

    @Override
    public boolean readsWeb() {
        return true;
    }

    @Override
    public boolean fits(Workload workload) {
        return true;
    }

    @Override
    public List<String> command(Job job) {
        Workload workload = job.workload();
        List<String> command = with(
                "copy",
                job.sourceArgument(),
                job.targetArgument(),
                "--chunks",
                Tool.extents(workload.chunks().toArray(), ","),
                "--max-mem",
                Long.toString(workload.maxMem().bytes()),
                "--format",
                workload.target().format(),
                "--shards",
                Input.shardText(workload.shards()),
                "--codec",
                workload.codec(),
                "--threads",
                Integer.toString(job.threads()),
                "--json");
        if (!workload.axes().isEmpty()) {
            command.addAll(List.of("--transpose", axes(workload.axes())));
        }
        if (workload.levels() > 0) {
            command.addAll(List.of("--levels", Integer.toString(workload.levels())));
        }
        return command;
    }

    /** {@return axes in the form of {@code copy --transpose}} */
    static String axes(List<Integer> axes) {
        return axes.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** {@return the command that puts the axes of a copy into the order of the input} */
    List<String> inOrderOfInput(Workload workload, String made, Path back) {
        return with(
                "copy",
                made,
                back.toString(),
                "--transpose",
                axes(workload.inverse()),
                "--chunks",
                Tool.extents(workload.input().chunks().toArray(), ","),
                "--max-mem",
                Long.toString(Input.BOUND.bytes()),
                "--quiet");
    }

    /** {@return the command that prints the plan without copying} */
    List<String> plan(Job job) {
        List<String> command = new ArrayList<>(command(job));
        command.add("--dry-run");
        return command;
    }

    /** {@return the command that compares two arrays, and succeeds if they are equal} */
    List<String> verify(String first, String second) {
        return with("verify", first, second, "--max-mem", Long.toString(Input.BOUND.bytes()));
    }

    private List<String> with(String... arguments) {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(arguments));
        return command;
    }
}
