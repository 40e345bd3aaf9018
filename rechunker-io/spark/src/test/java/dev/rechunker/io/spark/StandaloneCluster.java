package dev.rechunker.io.spark;

import dev.rechunker.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A standalone Spark cluster on this machine: a master, and workers with one core, each in its own JVM with the class
 * path of the tests.
 */
final class StandaloneCluster implements AutoCloseable {
    private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://127\\.0\\.0\\.1:\\d+)");
    private static final Pattern REGISTERED = Pattern.compile("Successfully (registered) with master");
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> workers = new ArrayList<>();
    private final String master;

    /** Starts the cluster, with its files below a directory. */
    StandaloneCluster(Path directory, int size) throws IOException, InterruptedException {
        this.directory = directory;
        try {
            Path log = start("master", "org.apache.spark.deploy.master.Master");
            this.master = await(log, MASTER);
            List<Path> logs = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                String name = "worker" + i;
                logs.add(start(
                        name,
                        "org.apache.spark.deploy.worker.Worker",
                        master,
                        "--cores",
                        "1",
                        "--memory",
                        "1g",
                        "--work-dir",
                        directory.resolve(name).toString()));
                workers.add(processes.get(processes.size() - 1));
            }
            for (Path each : logs) {
                await(each, REGISTERED);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** {@return the address of the master} */
    String master() {
        return master;
    }

    /** Kills a worker and its executors. */
    void kill(int number) {
        kill(workers.get(number).toHandle());
    }

    private static void kill(ProcessHandle process) {
        List<ProcessHandle> below = process.descendants().toList();
        process.destroyForcibly();
        below.forEach(ProcessHandle::destroyForcibly);
    }

    private Path start(String name, String main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(List.of(org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptionArray()));
        command.addAll(List.of("-cp", ChildJvm.classPath(), main, "--host", "127.0.0.1", "--port", "0"));
        command.addAll(List.of("--webui-port", "0"));
        command.addAll(List.of(arguments));
        Path log = directory.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Files.createDirectories(directory).toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().put("SPARK_HOME", Clusters.home(directory).toString());
        builder.environment().put("SPARK_SCALA_VERSION", Clusters.SCALA);
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        processes.add(builder.start());
        return log;
    }

    /** {@return the text that a pattern matches in a log, as soon as it is there} */
    private String await(Path log, Pattern pattern) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < end && processes.stream().allMatch(Process::isAlive)) {
            try (Stream<String> lines = Files.lines(log)) {
                String found = lines.map(pattern::matcher)
                        .filter(Matcher::find)
                        .map(matcher -> matcher.group(1))
                        .findFirst()
                        .orElse("");
                if (!found.isEmpty()) {
                    return found;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IOException("the cluster does not start:\n" + Files.readString(log));
    }

    /** Kills all processes of the cluster, and waits until they have ended. */
    @Override
    public void close() {
        for (Process process : processes) {
            kill(process.toHandle());
        }
        for (Process process : processes) {
            process.onExit().join();
        }
    }
}
