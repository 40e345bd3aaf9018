package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands in processes of their own are told to stop, or are killed, and continued. */
@Timeout(600)
@EnabledOnOs({OS.LINUX, OS.MAC})
class StopTest {
    @TempDir
    Path directory = Path.of("");

    private Path source = Path.of("");
    private Path temporary = Path.of("");

    /** Writes a group of two arrays: a small one, and one of zeros that takes a long time to compress. */
    @BeforeEach
    void write() throws IOException {
        source = directory.resolve("in.zarr");
        temporary = Files.createDirectory(directory.resolve("temporary"));
        try (ChunkStore store = Zarr.create(source)) {
            create(store, "a", Shape.of(4, 256, 256));
            create(store, "slow", Shape.of(2048, 1024, 256));
            store.writeGroup("", Map.of());
            store.finish(false);
        }
    }

    private static void create(ChunkStore store, String path, Shape shape) throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(shape, Shape.of(4, 256, 256)), DataType.INT32)
                .fillValue(FillValue.zero(4))
                .build();
        try (ArrayWriter writer = store.create(path, spec, false)) {
            writer.commit();
        }
    }

    private List<String> copyTo(Path target, String... more) {
        List<String> arguments = new ArrayList<>(List.of("copy", source.toString(), target.toString()));
        arguments.addAll(List.of("--chunks", "2,256,256", "--max-mem", "64MB", "--threads", "2"));
        arguments.addAll(List.of("--write-empty-chunks"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private Process start(Path errors, List<String> arguments) throws IOException {
        List<String> options = List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary);
        return ChildJvm.of(options, Rechunk.class, arguments.toArray(String[]::new))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
    }

    /** Waits until files below a directory match, or the process has ended. */
    private static void await(Process process, Path below, Predicate<List<Path>> matches) throws Exception {
        while (process.isAlive()) {
            if (Files.exists(below) && matches.test(files(below))) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static List<Path> files(Path below) throws IOException {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (java.io.UncheckedIOException e) {
            return List.of(); // a file was renamed meanwhile
        }
    }

    private static boolean hasChunks(List<Path> files) {
        return files.stream().filter(file -> file.toString().contains("slow")).count() > 20;
    }

    private static void signal(Process process, String name) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor());
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
    void aSignalSaysWhatIsDoneAndHowToGoOn(String name, int status) throws Exception {
        Path target = directory.resolve("out.zarr");
        Path errors = directory.resolve("errors");
        List<String> copy = copyTo(target, "--codec", "gzip:level=9");
        Process process = start(errors, copy);
        await(process, target, StopTest::hasChunks);
        signal(process, name);
        assertEquals(status, process.waitFor(), () -> text(errors));
        String message = text(errors);
        assertTrue(
                message.matches("(?s).*was interrupted: \\d+ of \\d+ tasks are done, .* of .* are written.*"), message);
        assertTrue(message.contains("resume it with --resume"), message);

        Cli again = Cli.run(copy.toArray(String[]::new));
        assertEquals(2, again.status());
        assertTrue(again.err().contains("unfinished run") && again.err().contains("--resume"), again.err());
        assertEquals(List.of(), files(temporary));
    }

    @Test
    void aKilledCopyNamesResumeAndLeavesNoLibraries() throws Exception {
        Path target = directory.resolve("out.zarr");
        Path errors = directory.resolve("errors");
        List<String> copy = copyTo(target, "--codec", "blosc:cname=lz4hc,clevel=9+zstd:level=15");
        Process process = start(errors, copy);
        await(process, target, StopTest::hasChunks);
        process.destroyForcibly();
        assertEquals(137, process.waitFor(), () -> text(errors));
        assertEquals(List.of(), files(temporary));
        Cli again = Cli.run(copy.toArray(String[]::new));
        assertEquals(2, again.status());
        assertTrue(again.err().contains("unfinished run") && again.err().contains("--resume"), again.err());
    }

    @Test
    void aFileThatIsNotFinishedIsRemoved() throws Exception {
        Path target = directory.resolve("out.h5");
        Path errors = directory.resolve("errors");
        Process process = start(errors, copyTo(target, "--codec", "gzip:level=9"));
        await(
                process,
                directory,
                files -> files.stream()
                        .anyMatch(file -> file.toString().endsWith(".part")
                                && file.toFile().length() > 10_000));
        signal(process, "TERM");
        assertEquals(143, process.waitFor(), () -> text(errors));
        String message = text(errors);
        assertTrue(message.contains("was interrupted: ") && message.contains("nothing is kept"), message);
        assertFalse(message.contains("--resume"), message);
        try (Stream<Path> left = Files.list(directory)) {
            assertFalse(left.anyMatch(file -> file.toString().contains("out.h5")), message);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void resumingWhatIsFinishedHasNothingToDo() throws Exception {
        Path small = directory.resolve("small.zarr");
        Fixtures.write(small, "x", Fixtures.spec().build());
        Path other = directory.resolve("other.zarr");
        ArraySpec spec = Fixtures.spec().build();
        byte[] elements = Fixtures.count(spec);
        Fixtures.put(elements, spec.byteOrder(), 0, 77);
        Fixtures.write(other, "x", spec, elements);
        for (String name : List.of("out.zarr", "out.n5")) {
            String target = directory.resolve(name).toString();
            assertEquals(0, copy(small, target, "4,10,14").status());
            Cli again = copy(small, target, "4,10,14", "--resume");
            assertEquals(0, again.status(), again.err());
            assertTrue(again.out().contains("nothing is left to do"), again.out());
            Cli differentChunks = copy(small, target, "3,10,14", "--resume");
            assertEquals(2, differentChunks.status());
            assertTrue(differentChunks.err().contains("not the result of this copy"), differentChunks.err());
            Cli differentSource = copy(other, target, "4,10,14", "--resume");
            assertEquals(2, differentSource.status());
            assertTrue(differentSource.err().contains("not the result of this copy"), differentSource.err());
        }
    }

    private static Cli copy(Path from, String to, String chunks, String... more) {
        List<String> arguments = new ArrayList<>(List.of("copy", from.toString(), to, "--chunks", chunks));
        arguments.addAll(List.of("--max-mem", "20MB"));
        arguments.addAll(List.of(more));
        return Cli.run(arguments.toArray(String[]::new));
    }
}
