package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.Run;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.cli.Cli;
import dev.rechunker.cli.Fixtures;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.RampSource;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The messages in the FAQ are those of the code: all of them, and no others. Only numbers may differ. */
class FaqTest {
    private static final String HDF5 = "../../rechunker-io/src/test/resources/hdf5/small_latest.h5";

    /** A cost model for which spills are the best strategy. */
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    @TempDir
    Path temp = Path.of("");

    private final List<String> messages = new ArrayList<>();

    /** {@return a message in the form that is compared, with {@code /data} for the directory of the test} */
    private String plain(String message) {
        return message.replace("rechunk: ", "")
                .replace(temp.toString(), "/data")
                .replace(HDF5, "/data/scan.h5")
                .replaceAll("\\d+(\\.\\d+)?", "0")
                .replaceAll("0 [kMGTP]?B", "0 B")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private String at(String name) {
        return temp.resolve(name).toString();
    }

    /** Runs a command that fails. Its arguments are separated by spaces; {@code %} is the directory of the test. */
    private void told(String command) {
        Cli cli = Cli.run(command.replace("%", temp + "/").split(" "));
        assertTrue(cli.status() != 0, command + "\n" + cli.out());
        messages.add(cli.err()
                .lines()
                .filter(line -> line.startsWith("rechunk: "))
                .findFirst()
                .orElseThrow());
    }

    private void thrown(Executable call) {
        messages.add(String.valueOf(assertThrows(Exception.class, call).getMessage()));
    }

    /** Runs a command that fails in a separate JVM, without the libraries whose names contain a word. */
    private void toldWithout(String library, String option, String... arguments)
            throws IOException, InterruptedException {
        String path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().contains(library))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                option,
                "-cp",
                path,
                "dev.rechunker.cli.Rechunk"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor() != 0, printed);
        messages.add(printed.lines()
                .filter(line -> line.startsWith("rechunk: "))
                .findFirst()
                .orElse(printed));
    }

    @Test
    void everyMessageIsCurrent() throws IOException, InterruptedException {
        Fixtures.write(temp.resolve("ssh.zarr"), "", Fixtures.spec().build());
        places();
        commands();
        parts();
        chunksAndBounds();
        formats();
        runs();
        machine();

        TreeSet<String> said = new TreeSet<>();
        for (String message : messages) {
            said.add(plain(message));
        }
        TreeSet<String> written = new TreeSet<>();
        for (String message : Page.read(Page.DOCS.resolve("faq.md")).blocks("text")) {
            written.add(plain(message));
        }
        assertEquals(String.join("\n", said), String.join("\n", written));
    }

    private void places() throws IOException {
        told("info %nothing.zarr");
        told("info %ssh.zarr#inner");
        Files.writeString(temp.resolve("notes.txt"), "text");
        told("info %notes.txt");
        told("copy %ssh.zarr %ssh.zarr --chunks 4,4,4 --max-mem 100MB");
        told("info ~/ssh.zarr");
        told("info s3:/bucket/ssh.zarr");
        told("info https://127.0.0.1:1/ssh.zarr");
        Files.write(temp.resolve("old.hdf"), new byte[] {14, 3, 19, 1, 0, 0, 0, 0});
        told("info %old.hdf");
        Files.write(Files.createDirectories(temp.resolve("daily")).resolve("day.nc"), new byte[] {1});
        told("info %daily");
        Files.createDirectories(temp.resolve("tiles/__schema"));
        told("info %tiles");
        Files.writeString(temp.resolve("refs.json"), "{\"ssh/.zgroup\": \"{}\", \"ssh/0\": [\"../ssh.nc\"]}");
        told("info %refs.json");
        Files.writeString(
                Files.createDirectories(temp.resolve("refs.parq")).resolve(".zmetadata"),
                "{\"metadata\": {\".zgroup\": {\"zarr_format\": 2}}, \"record_size\": 1000}");
        told("info %refs.parq");
        told("copy %none-*.nc %b.zarr --concat time --chunks auto");
        told("copy %ssh.zarr %b.png --chunks auto");
        thrown(() -> Rechunker.copy(at("ssh.zarr"), at("ssh.data")));
        assertEquals(
                0,
                Cli.run("copy", at("ssh.zarr"), at("there.zarr"), "--chunks", "4,4,4", "--max-mem", "100MB")
                        .status());
        told("copy %ssh.zarr %there.zarr --chunks 4,4,4 --max-mem 100MB");
    }

    private void commands() {
        told("convert %ssh.zarr %b.zarr");
        told("copy %ssh.zarr %b.zarr --chunk 4,4,4");
        told("copy %ssh.zarr --chunks 4,4,4");
        told("copy %ssh.zarr %b.zarr --max-mem 100MB");
        told("copy %ssh.zarr %b.zarr --chunks 4,4,4 --max-mem 2 GB");
        told("copy %ssh.zarr %b.zarr --chunks 4,4,4 --max-mem 2gigs");
        told("copy %ssh.zarr %b.zarr --chunks 4,4,4 --format zarr");
    }

    private void parts() {
        told("copy %ssh.zarr %b.zarr --chunks 4,4,4 --region 0:100,:,:");
        told("copy %ssh.zarr %there.zarr --chunks 4,4,4 --append 0");
        told("copy %ssh.zarr %there.zarr --append time");
        told("copy %ssh.zarr %there.zarr --into --at 6,0,0");
        told("copy %ssh.zarr %b.zarr --rule temp=4,4,4");
    }

    private void chunksAndBounds() {
        told("copy %ssh.zarr %b.zarr --chunks 12,10,14 --max-mem 1kB");
        told("copy %ssh.zarr %b.zarr --chunks 12,10 --max-mem 100MB");
        told("copy %ssh.zarr %b.zarr --chunks lat=4 --max-mem 100MB");
        told("copy %ssh.zarr %b.zarr --chunks 12,10,big --max-mem 100MB");
        RampSource large = RampSource.of(DataType.UINT16, 2000, 2000, 1000);
        thrown(() -> Rechunker.from(large)
                .to(Zarr.create(temp.resolve("b.zarr")))
                .chunks("keep")
                .maxMem("1GB")
                .plan());
    }

    private void formats() throws IOException, InterruptedException {
        told("info " + HDF5 + "#away");
        Path zarr = Files.createDirectories(temp.resolve("old.zarr"));
        String document =
                "{\"zarr_format\": 2, \"shape\": [4], \"chunks\": [2], \"dtype\": \"%s\", \"fill_value\": null,"
                        + " \"order\": \"C\", \"filters\": null, \"compressor\": %s}";
        Files.writeString(zarr.resolve(".zarray"), document.formatted("<f4", "{\"id\": \"zfpy\"}"));
        told("copy %old.zarr %b.zarr --chunks 4 --max-mem 1MB");
        Files.writeString(zarr.resolve(".zarray"), document.formatted("|O", "null"));
        told("copy %old.zarr %b.zarr --chunks 4 --max-mem 1MB");
        told("copy %ssh.zarr %b.h5 --chunks 4,4,4 --max-mem 100MB --codec blosc");
        told("copy %ssh.zarr %b.zarr --chunks 4,4,4 --codec zstandard");
        told("copy %ssh.zarr %b.h5 --chunks 4,4,4 --max-mem 100MB --strict=layout");
        Fixtures.write(
                temp.resolve("unnamed.zarr"),
                "",
                Fixtures.spec().dimensionNames(List.of()).build());
        told("copy %unnamed.zarr %b.ome.zarr --chunks 4,4,4 --max-mem 100MB");
        assertEquals(
                0,
                Cli.run("copy", at("ssh.zarr"), at("there.h5"), "--chunks", "4,4,4", "--max-mem", "100MB")
                        .status());
        told("copy %ssh.zarr %there.h5#data --append t --max-mem 100MB");
        assertEquals(
                0,
                Cli.run("copy", at("ssh.zarr"), at("there.zarr.zip"), "--chunks", "4,4,4", "--max-mem", "100MB")
                        .status());
        told("copy %ssh.zarr %there.zarr.zip#b --chunks 4,4,4 --max-mem 100MB");
        told("copy %ssh.zarr s3://bucket/b.zarr.zip --chunks 4,4,4 --max-mem 100MB");
        Fixtures.write(temp.resolve("four.zarr"), "", four());
        told("copy %four.zarr %b.tif --chunks 1,1,16,16 --max-mem 100MB");
        told("copy %ssh.zarr %b.tif --chunks=-1,16,16 --codec blosc --max-mem 100MB");
        told("copy %ssh.zarr %b.ozx --format zarr3 --chunks 4,4,4 --max-mem 100MB");
    }

    private static ArraySpec four() {
        Shape shape = Shape.of(2, 2, 4, 4);
        return ArraySpec.builder(ChunkGrid.regular(shape, shape), DataType.UINT8)
                .build();
    }

    /** {@return a copy in several windows, in one thread} */
    private Rechunker.Job half(ChunkStore source, String maxMem) {
        return Rechunker.from(source)
                .to(Zarr.create(temp.resolve("half.zarr")))
                .chunks(2000, 10)
                .maxMem(maxMem)
                .codec("gzip")
                .noSpill()
                .threads(1);
    }

    private void runs() throws IOException, InterruptedException {
        Path chunk = temp.resolve("ssh.zarr/c/5/0/0");
        Files.write(chunk, new byte[] {1, 2, 3});
        told("copy %ssh.zarr %c.zarr --chunks 1,10,14 --max-mem 60MB --retries 0 --threads 1");

        FaultyStore source =
                new FaultyStore(RampSource.of(DataType.UINT8, 2000, 2000).chunks(10, 2000));
        source.failOnce(FaultyStore.Operation.READ, 300);
        assertThrows(
                TaskFailedException.class, () -> half(source, "2MB").retries(0).execute());
        thrown(() -> half(source, "2MB").execute());
        thrown(() -> half(source, "3MB").resume().execute());

        FaultyStore slow =
                new FaultyStore(RampSource.of(DataType.UINT8, 100, 100).chunks(10, 100));
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        slow.before(FaultyStore.Operation.READ, number -> {
            reading.countDown();
            try {
                enough.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Plan plan = Rechunker.from(slow)
                .to(Zarr.create(temp.resolve("d.zarr")))
                .chunks(100, 10)
                .maxMem("1MB")
                .plan();
        Run run = plan.start();
        reading.await();
        thrown(plan::execute);
        enough.countDown();
        run.cancel();
    }

    private void machine() throws IOException, InterruptedException {
        RampSource huge = RampSource.of(DataType.UINT16, 10_000_000, 5_000_000).chunks(10_000, 10_000);
        Plan plan = Rechunker.from(huge)
                .to(Zarr.create(temp.resolve("e.zarr")))
                .chunks(10_000_000, 10)
                .maxMem("1GB")
                .costModel(SLOW_TO_READ)
                .spill(temp)
                .plan();
        thrown(plan::execute);
        Rechunker.from(RampSource.of(DataType.UINT8, 100, 100, 100).chunks(10, 100, 100))
                .to(Zarr.create(temp.resolve("large.zarr")))
                .chunks("keep")
                .maxMem("10MB")
                .execute();
        toldWithout(
                "nothing of this name",
                "-XX:MaxDirectMemorySize=512k",
                "copy",
                at("large.zarr"),
                at("f.zarr"),
                "--chunks=100,100,100",
                "--max-mem=10MB");
        toldWithout("jhdf", "-Xmx64m", "info", at("there.h5"));
        toldWithout("s3-", "-Xmx64m", "info", "s3://bucket/ssh.zarr");
        toldWithout(
                "xz-",
                "-Xmx64m",
                "copy",
                at("there.zarr"),
                at("f.zarr"),
                "--chunks=4,4,4",
                "--max-mem=100MB",
                "--format=zarr2",
                "--codec=lzma");
    }
}
