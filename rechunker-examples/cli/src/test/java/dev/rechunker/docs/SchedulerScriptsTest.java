package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.cli.Cli;
import dev.rechunker.cli.Rechunk;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChildJvm;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The scripts of the page on schedulers, with stand-ins for the commands of the schedulers, which run the jobs of
 * arrays one after the other with the environment variables of the scheduler. Only {@code copy} runs in a process of
 * its own; the other commands are recorded, and run here.
 */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class SchedulerScriptsTest {
    private static final Page PAGE = page();
    private static final int PARTS = 4;

    /** {@code copy} prints what the scripts count; other commands are recorded. */
    private static final String RECHUNK = """
            #!/bin/bash
            if [ "$1" = copy ]; then exec %s -Xmx100m -XX:TieredStopAtLevel=1 -cp '%s' %s "$@"; fi
            echo "$*" >> "$LOG"
            """;

    private static final String JAVA = """
            #!/bin/bash
            while [ "$1" != -jar ]; do shift; done
            exec rechunk "${@:3}"
            """;

    private static final String SBATCH = """
            #!/bin/bash
            echo "sbatch $*" >> "$LOG.jobs"
            LAST=0
            for A in "$@"; do case $A in --array=0-*) ARRAY=1; LAST=${A#--array=0-};; esac; done
            for ((I = 0; I <= LAST; I++)); do
                if [ -n "$ARRAY" ]; then export SLURM_ARRAY_TASK_ID=$I; fi
                bash -c "${@: -1}" || exit 1
            done
            wc -l < "$LOG.jobs"
            """;

    private static final String KUBECTL = """
            #!/bin/bash
            if [ "$1" = apply ]; then cat > "$LOG.job"; exit; fi
            NAME=$(sed -n 's/^  name: //p' "$LOG.job")
            [ "${@: -1}" = "job/$NAME" ] || exit 1
            export PLAN=$(sed -n 's/^ *value: \\(.*json\\)/\\1/p' "$LOG.job")
            COMMAND=$(sed -n 's/^ *command: \\["sh", "-c", "\\(.*\\)"\\]/\\1/p' "$LOG.job")
            COUNT=$(sed -n 's/^ *completions: //p' "$LOG.job")
            for ((I = 0; I < COUNT; I++)); do JOB_COMPLETION_INDEX=$I sh -c "$COMMAND" || exit 1; done
            """;

    private static final String AWS = """
            #!/bin/bash
            echo "aws $*" >> "$LOG.jobs"
            while [ $# -gt 0 ]; do
                case $1 in
                    --container-overrides) echo "$2" >> "$LOG.json"; COMMAND=${2#*\\"-c\\", \\"}; COMMAND=${COMMAND%%\\"]\\}};;
                    --array-properties) SIZE=${2#size=};;
                esac
                shift
            done
            for ((I = 0; I < ${SIZE:-1}; I++)); do
                if [ -n "$SIZE" ]; then export AWS_BATCH_JOB_ARRAY_INDEX=$I; fi
                sh -c "$COMMAND" || exit 1
            done
            wc -l < "$LOG.jobs"
            """;

    @TempDir
    static Path shared;

    @TempDir
    Path directory;

    private static Page page() {
        try {
            return Page.read(Page.DOCS.resolve("workflows.md"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeAll
    static void source() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(1024, 1024), Shape.of(1024, 4)), DataType.INT32)
                .dimensionNames(List.of("x", "time"))
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        try (ChunkStore store = Zarr.create(shared.resolve("src.zarr"))) {
            Data.of(spec).write(store, "");
        }
        run(
                "copy",
                shared.resolve("src.zarr").toString(),
                shared.resolve("local.zarr").toString(),
                "--chunks",
                "4,1024");
        program(
                "rechunk",
                RECHUNK.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        ChildJvm.classPath(),
                        Rechunk.class.getName()));
        program("java", JAVA);
        program("sbatch", SBATCH);
        program("kubectl", KUBECTL);
        program("aws", AWS.replace("%%", "%"));
    }

    private static void program(String name, String text) throws IOException {
        Path file = Files.createDirectories(shared.resolve("bin")).resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static void run(String... command) {
        Cli done = Cli.run(command);
        assertEquals(0, done.status(), () -> String.join(" ", command) + ": " + done.err());
    }

    /** {@return a text of the page with locations in the directory, few parts, and little memory} */
    private String adapted(String text) {
        return text.replace("s3://bucket/src.zarr", "src.zarr")
                .replace("s3://bucket", directory.toString())
                .replace(" src.zarr", " " + shared.resolve("src.zarr"))
                .replace(" dst.zarr", " " + directory.resolve("dst.zarr"))
                .replace("time=-1,...=72 --max-mem 2GB --threads 4", "time=-1,...=4 --max-mem 700kB --threads 1")
                .replaceAll("\\b100\\b", Integer.toString(PARTS));
    }

    /** Runs a script, then the commands that it has recorded, and compares the result. {@return the commands} */
    private List<String> runs(String heading) throws Exception {
        String script = PAGE.section(heading).blocks("bash").get(0);
        Path file = directory.resolve("script.sh");
        Files.writeString(file, adapted(script));
        Path log = directory.resolve("log");
        ProcessBuilder process = new ProcessBuilder("bash", file.toString()).directory(directory.toFile());
        Map<String, String> environment = process.environment();
        environment.put("PATH", shared.resolve("bin") + ":" + environment.get("PATH"));
        environment.put("LOG", log.toString());
        environment.put("SCRATCH", directory.toString());
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("said"), Duration.ofMinutes(1));
        assertEquals(0, outcome.exit(), outcome.output());
        List<String> commands = Files.readAllLines(log);
        commands.forEach(command -> run(command.split(" ")));
        assertEquals(
                List.of(), FileTrees.differences(shared.resolve("local.zarr"), directory.resolve("dst.zarr")), heading);
        List<String> expected = new ArrayList<>();
        for (int stage = 0; stage < 2; stage++) {
            for (int part = 0; part < PARTS; part++) {
                expected.add("run-tasks " + directory.resolve("plan.json") + " --stage " + stage + " --part " + part
                        + "/" + PARTS);
            }
        }
        expected.add("finish " + directory.resolve("plan.json"));
        assertEquals(expected, commands);
        return commands;
    }

    private List<String> jobs() throws IOException {
        return Files.readAllLines(directory.resolve("log.jobs"));
    }

    @Test
    void slurm() throws Exception {
        runs("Slurm");
        assertEquals(3, jobs().size());
        assertTrue(jobs().get(1).contains("--dependency=afterok:1 "), jobs().get(1));
        assertTrue(jobs().get(2).contains("--dependency=afterok:2 "), jobs().get(2));
    }

    @Test
    void kubernetes() throws Exception {
        Files.writeString(
                directory.resolve("stage.yaml"),
                adapted(PAGE.section("Kubernetes").blocks("yaml").get(0)));
        runs("Kubernetes");
    }

    @Test
    void batch() throws Exception {
        runs("AWS Batch");
        assertEquals(3, jobs().size());
        assertTrue(jobs().get(1).contains("--depends-on jobId=1 "), jobs().get(1));
        assertTrue(jobs().get(2).contains("--depends-on jobId=2 "), jobs().get(2));
        for (String overrides : Files.readAllLines(directory.resolve("log.json"))) {
            assertTrue(JsonParser.object("overrides", overrides.getBytes(StandardCharsets.UTF_8))
                                    .get("command")
                            instanceof List<?> command
                    && command.size() == 3);
        }
    }

    /** The flows of Airflow and Prefect are valid Python; they are not run here. */
    @Test
    @Tag("reference")
    void flowsAreValidPython() throws Exception {
        for (String heading : List.of("Airflow", "Prefect")) {
            Path file = directory.resolve(heading + ".py");
            Files.writeString(file, PAGE.section(heading).blocks("python").get(0));
            Process process = new ProcessBuilder("/usr/bin/python3", "-m", "py_compile", file.toString())
                    .inheritIO()
                    .start();
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
            assertEquals(0, process.exitValue(), heading);
        }
    }
}
