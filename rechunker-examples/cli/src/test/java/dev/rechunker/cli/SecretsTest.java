package dev.rechunker.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.io.Stores;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreDescriptor;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No command and no method repeats the secrets in a location, wherever it is given. {@link Cli} checks the output. */
class SecretsTest {
    @TempDir
    Path directory = Path.of("");

    static List<String> places() {
        return List.of(
                "s3://KEY:SECRET@bucket/x",
                "s3://KEY:SE/CRETSECRET@bucket/x/plan.json",
                "s3://KEY:SECRET@bucket",
                "s3:/KEY:SECRET@bucket/x.zip",
                "s3://bucket/x?endpoint=http://me:SECRET@host",
                "s3://bucket/x?endpoint=http%3A%2F%2Fme%3ASECRET%40host",
                "s3://bucket/x?accessKey=SECRET",
                "https://me:SECRET@host.invalid/x",
                "https://me:SECRET@host.invalid",
                "https://host.invalid/x.tif?X-Amz-Algorithm=A&X-Amz-Signature=SECRET",
                "https://host.invalid/x.nc?sv=1&sig=SECRET%3D",
                "https://host.invalid/x?token=SECRET#inner",
                "gopher://me:SECRET@host.invalid/x",
                "gs://me:SECRET@bucket/plan.json",
                "https:/me:SECRET@host.invalid/x.zarr");
    }

    @ParameterizedTest
    @MethodSource("places")
    void commandsDoNotRepeatSecrets(String place) throws IOException, InterruptedException {
        String source = directory.resolve("a").toString();
        Fixtures.write(directory.resolve("a"), "", Fixtures.spec().build());
        String target = directory.resolve("b").toString();
        String[] copy = {"--max-mem", "100MB", "--chunks", "keep"};
        List<String[]> commands = new ArrayList<>(List.of(
                new String[] {"info", place},
                new String[] {"info", source, place},
                new String[] {"verify", source, place},
                new String[] {"verify", place, source},
                new String[] {"bench", place},
                new String[] {"finish", place},
                new String[] {"finish", source, place},
                new String[] {place},
                new String[] {"run-tasks", place, "--stage", "0", "--tasks", "0"},
                new String[] {"run-tasks", place, "--stage", place, "--part", place},
                with(copy, "copy", place, target),
                with(copy, "copy", place + "*", place, target, "--concat", "0"),
                with(copy, "copy", source, place, target),
                with(copy, "copy", source, target, "--concat", place)));
        for (String option : new String[] {"spill", "save", "html", "checksums", "profile", "format"}) {
            commands.add(with(copy, "copy", source, target, "--" + option + "=" + place));
            commands.add(with(copy, "copy", source, target, "--no-spill", "--" + option + "=" + place));
        }
        boolean isPath = !place.contains("://"); // to which a copy can be written
        if (!isPath) {
            commands.add(with(copy, "copy", source, place));
        }
        for (String[] command : commands) {
            for (String[] given : new String[][] {command, with(command, "--debug"), with(command, "--json")}) {
                Cli cli = Cli.run(given);
                assertTrue(isPath || cli.status() >= 2, () -> Arrays.toString(given) + cli);
            }
        }
        assertFalse(filesContain("SECRET"), "files contain a secret");
    }

    private static String[] with(String[] options, String... command) {
        return Stream.of(command, options).flatMap(Stream::of).toArray(String[]::new);
    }

    private boolean filesContain(String text) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                byte[] bytes = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
                String all = file.getFileName() + new String(bytes, StandardCharsets.ISO_8859_1);
                if (all.contains(text)) {
                    return true;
                }
            }
        }
        return false;
    }

    @ParameterizedTest
    @MethodSource("places")
    void exceptionsDoNotRepeatSecrets(String place) {
        for (Executable call : List.<Executable>of(
                () -> Stores.keys(place),
                () -> Stores.matching(place + "*"),
                () -> Stores.matching(place),
                () -> Stores.temporary(place),
                () -> plan(Rechunker.from(place)),
                () -> Rechunker.copy(place, place),
                () -> plan(Rechunker.from(URI.create(place.replace(' ', '+')))))) {
            Throwable failure = assertThrows(Exception.class, call);
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            assertFalse(trace.toString().contains("SECRET"), trace::toString);
        }
    }

    private static void plan(Rechunker.From source) throws IOException {
        source.to(new MemoryStore()).chunks("keep").maxMem("1MB").plan();
    }

    /** A plan that other processes run names its stores by locations that anyone may read. */
    @Test
    void plansWithSecretsAreNotSaved() throws IOException, InterruptedException {
        Fixtures.write(directory.resolve("a"), "", Fixtures.spec().build());
        Path file = directory.resolve("plan.json");
        for (String place : new String[] {"s3://KEY:SECRET@bucket/x", "own://bucket/x?password=SECRET"}) {
            try (ChunkStore source = describedAt(place);
                    ChunkStore target = Zarr.create(directory.resolve("b"))) {
                Plan plan = Rechunker.from(source)
                        .to(target)
                        .chunks("keep")
                        .maxMem("1MB")
                        .plan();
                RefusedException refusal = assertThrows(RefusedException.class, () -> JobFile.save(plan, file));
                String message = String.valueOf(refusal.getMessage());
                assertTrue(message.contains("cannot contain the secret in " + place.substring(0, 5)), message);
                assertTrue(message.contains("from its own settings"), message);
                assertFalse(message.contains("SECRET"), message);
            }
        }
        assertFalse(Files.exists(file));
        assertFalse(filesContain("SECRET"));
    }

    private ChunkStore describedAt(String place) throws IOException {
        return new ForwardingStore(Zarr.open(directory.resolve("a"))) {
            @Override
            public Optional<StoreDescriptor> descriptor() {
                return Optional.of(StoreDescriptor.of("zarr", place));
            }
        };
    }
}
