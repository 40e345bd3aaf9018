package dev.rechunker.bench;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This project's command line, in a fresh JVM with the settings that it has for everybody. */
public final class Ourselves implements Program {
    private final List<String> java;

    /** Creates it. {@code main} is the command line's main class, which runs from the jar that it is in, if any. */
    public Ourselves(Class<?> main) {
        String executable =
                Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path place = place(main);
        java = Files.isRegularFile(place)
                ? List.of(executable, "-jar", place.toString())
                : List.of(executable, "-cp", System.getProperty("java.class.path"), main.getName());
    }

    private static Path place(Class<?> main) {
        try {
            return Path.of(
                    main.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String name() {
        return "rechunk";
    }

    @Override
    public boolean fits(Workload workload) {
        return true;
    }

    @Override
    public List<String> command(Job job) {
        Workload workload = job.workload();
        return with(
                "copy",
                job.sourceArgument(),
                job.targetArgument(),
                "--chunks",
                Tool.extents(workload.chunks().toArray(), ","),
                "--max-mem",
                Long.toString(workload.maxMem().bytes()),
                "--format",
                workload.target().format(),
                "--codec",
                workload.codec(),
                "--threads",
                Integer.toString(job.threads()),
                "--json");
    }

    /** {@return the command that prints the plan, and writes nothing} */
    List<String> plan(Job job) {
        List<String> command = new ArrayList<>(command(job));
        command.add("--dry-run");
        return command;
    }

    /** {@return the command that succeeds if two arrays are the same} */
    List<String> verify(String first, String second) {
        return with("verify", first, second, "--max-mem", Long.toString(Input.BOUND.bytes()));
    }

    private List<String> with(String... arguments) {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(arguments));
        return command;
    }
}
