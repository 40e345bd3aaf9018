package dev.rechunker.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ChunkRule;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.Run;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.cli.Cli;
import dev.rechunker.cli.ExamplesTest;
import dev.rechunker.examples.PlainStore;
import dev.rechunker.examples.ServiceExecutor;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.ConsoleProgress;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the pages, on small data. */
class GuideTest {
    private static final List<String> AXES = List.of("time", "lat", "lon");

    @TempDir
    Path temp = Path.of("");

    private String in(String place) {
        return LocalScheme.in(temp, place);
    }

    private static RampSource ramp(List<String> axes, long[] shape, long... chunks) {
        return RampSource.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunks)), DataType.FLOAT32)
                .dimensionNames(axes)
                .build());
    }

    private static RampSource maps(long length) {
        return ramp(AXES, new long[] {length, 80, 90}, 5, 80, 90);
    }

    private static void write(RampSource data, StoreLocation place) throws IOException, InterruptedException {
        Rechunker.from(data).to(place).chunks("keep").maxMem("100MB").execute();
    }

    private ChunkStore zarr(String name) {
        return Zarr.create(temp.resolve(name));
    }

    private void assertSame(String one, String other) {
        Cli cli = Cli.run("verify", in(one), in(other));
        assertEquals(0, cli.status(), cli.out() + cli.err());
    }

    @Test
    void tenLinesOfCode() throws IOException, InterruptedException {
        write(maps(50), zarr("ssh.zarr").at(""));
        String printed = ExamplesTest.printed(this::tenLines);
        assertTrue(printed.contains(" bytes used of 2.00 GB"), printed);
        assertSame("ssh.zarr", "ssh-by-time.zarr");
    }

    @Test
    void oneLine() throws IOException, InterruptedException {
        write(maps(50), Hdf5.createNetcdf4(temp.resolve("ssh.nc")).at("ssh"));
        // snippet: one-line
        Rechunker.from(in("ssh.nc"))
                .to(in("ssh.zarr"))
                .chunks("time=-1, ...=72")
                .maxMem("2GB")
                .execute();
        // end snippet
        assertSame("ssh.nc#ssh", "ssh.zarr#ssh");
    }

    /** The script for JBang, compiled and run as its lines after the comments are. */
    @Test
    void script() throws IOException, InterruptedException, ReflectiveOperationException {
        write(maps(50), Hdf5.createNetcdf4(temp.resolve("ssh.nc")).at("ssh"));
        String code = Page.read(Page.DOCS.resolve("jvm-languages.md"))
                .section("JBang")
                .text()
                .lines()
                .dropWhile(line -> !line.startsWith("    "))
                .takeWhile(line -> line.isEmpty() || line.startsWith("    "))
                .map(String::strip)
                .collect(Collectors.joining("\n"));
        Path source = Files.writeString(temp.resolve("series.java"), code);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String path = System.getProperty("java.class.path");
        int status =
                compiler.run(null, null, null, "-proc:none", "-cp", path, "-d", temp.toString(), source.toString());
        assertEquals(0, status, code);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {temp.toUri().toURL()})) {
            Method main = loader.loadClass("series").getMethod("main", String[].class);
            main.setAccessible(true); // of a class that is not public
            main.invoke(null, (Object) new String[] {in("ssh.nc"), in("ssh.zarr")});
        }
        assertSame("ssh.nc#ssh", "ssh.zarr#ssh");
    }

    private void tenLines() throws IOException, InterruptedException {
        // snippet: ten-lines
        Plan plan = Rechunker.from(in("ssh.zarr"))
                .to(in("ssh-by-time.zarr"))
                .chunks("time=-1, ...=72")
                .maxMem("2GB")
                .plan();
        System.out.println(plan.explain());
        Report report = plan.execute();
        System.out.println(report.measuredMemory() + " bytes used of " + plan.maxMem());
        // end snippet
    }

    @Test
    void scanBecomesImage() throws IOException, InterruptedException {
        write(
                ramp(List.of("z", "y", "x"), new long[] {8, 40, 50}, 8, 40, 50),
                Hdf5.create(temp.resolve("scan.h5")).at("entry/data"));
        // snippet: scan
        Rechunker.from(in("scan.h5#/entry/data"))
                .to(in("scan.ome.zarr"))
                .chunks("z=16, ...=128")
                .maxMem("64MB")
                .verify()
                .execute();
        // end snippet
        assertSame("scan.h5#entry/data", "scan.ome.zarr#0");
    }

    @Test
    void rules() {
        // snippet: rule
        ChunkRule rule = ChunkRule.named("ssh*", "time=-1, ...=72").orElseKeep();
        // end snippet
        assertEquals(
                Shape.of(10, 72, 72),
                rule.chunks("a/ssh-2", maps(10).data().spec()).orElseThrow().chunkShape());
        assertEquals(
                Shape.of(5, 80, 90),
                rule.chunks("lat", maps(10).data().spec()).orElseThrow().chunkShape());
    }

    @Test
    void severalRules() {
        // snippet: rules
        ChunkRule rule = ChunkRule.named("**/0", "1, 256, 256")
                .orElse(ChunkRule.named("ssh*", "time=-1, ...=72"))
                .orElseKeep();
        // end snippet
        assertEquals(
                Shape.of(1, 256, 256),
                rule.chunks("a/0", maps(10).data().spec()).orElseThrow().chunkShape());
        assertEquals(
                Shape.of(10, 72, 72),
                rule.chunks("ssh", maps(10).data().spec()).orElseThrow().chunkShape());
    }

    @Test
    void group() throws IOException, InterruptedException {
        write(maps(20), zarr("ocean.zarr").at("ssh"));
        write(maps(20), zarr("ocean.zarr").at("sst"));
        write(ramp(List.of("lat"), new long[] {80}, 80), zarr("ocean.zarr").at("lat"));
        // snippet: group
        Rechunker.from(in("ocean.zarr"))
                .to(in("ocean-by-time.zarr"))
                .chunks(ChunkRule.named("ss*", "time=-1, ...=72").orElseKeep())
                .maxMem("1GB")
                .spill(Path.of(in("scratch")))
                .codec("zstd:level=5")
                .execute();
        // end snippet
        assertSame("ocean.zarr", "ocean-by-time.zarr");
    }

    @Test
    void pictures() throws IOException, InterruptedException {
        RampSource source = maps(50);
        MemoryStore target = new MemoryStore();
        // snippet: pictures
        Plan plan = Rechunker.from(source)
                .to(target)
                .chunks(600, 72, 72)
                .maxMem("250MB")
                .plan();
        Files.writeString(Path.of(in("plan.svg")), plan.toSvg());
        Files.writeString(Path.of(in("plan.html")), plan.toHtml());

        Report report = plan.execute();
        Files.writeString(Path.of(in("run.html")), plan.toHtml(report));
        // end snippet
        source.check(target, "");
    }

    @Test
    void manyArraysAsOne() throws IOException, InterruptedException {
        for (int year = 1; year < 4; year++) {
            write(maps(5 + year), zarr("ssh-" + year + ".zarr").at(""));
        }
        Path directory = temp;
        MemoryStore target = new MemoryStore();
        // snippet: concat
        ChunkStore years = Concat.along("time", Concat.files(directory, "ssh-*.zarr", Zarr::open));
        Rechunker.from(years).to(target).chunks("time=-1, ...=72").maxMem("2GB").execute();
        // end snippet
        assertEquals(4L * 21 * 80 * 90, target.elements("").length);
    }

    @Test
    void partsOfArrays() throws IOException, InterruptedException {
        RampSource source = ramp(AXES, new long[] {250, 95, 3}, 50, 95, 3);
        MemoryStore target = new MemoryStore();
        // snippet: region
        Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("2GB")
                .region("time=100:200, lat=:90")
                .execute();
        // end snippet
        assertEquals(4 * 100 * 90 * 3, target.elements("").length);
    }

    private static void coordinates(MemoryStore store, String axis, long length, int first, int step, String units)
            throws IOException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(length), Shape.of(length)), DataType.INT32)
                .byteOrder(ByteOrder.BIG_ENDIAN)
                .dimensionNames(List.of(axis))
                .attributes(Map.of("units", units))
                .build();
        Data.of(spec, (position, element) -> ByteBuffer.wrap(element).putInt(first + step * (int) position))
                .write(store, axis);
    }

    @Test
    void partsByCoordinates() throws IOException, InterruptedException {
        MemoryStore source = new MemoryStore();
        source.writeGroup("", Map.of());
        coordinates(source, "time", 60, 0, 1, "days since 2019-12-25");
        coordinates(source, "lat", 19, 90, -10, "degrees_north");
        coordinates(source, "level", 20, 50, 50, "hPa");
        MemoryStore target = new MemoryStore();
        // snippet: region-by-coordinates
        Rechunker.from(source)
                .to(target)
                .chunks("keep")
                .maxMem("2GB")
                .region("time=2020-01-01:2020-01-31, lat=40.0:60.0, level=@500:@850")
                .execute();
        // end snippet
        assertEquals(4 * 31, target.elements("time").length);
        assertEquals(4 * 3, target.elements("lat").length);
        assertEquals(4 * 8, target.elements("level").length);
    }

    @Test
    void intoArraysThatExist() throws IOException, InterruptedException {
        RampSource source = ramp(AXES, new long[] {200, 4, 5}, 50, 4, 5);
        MemoryStore target = new MemoryStore();
        write(ramp(AXES, new long[] {300, 4, 5}, 30, 4, 5), target.at(""));
        // snippet: into
        Rechunker.from(source).into(target).maxMem("2GB").region("time=100:200").execute();
        Rechunker.from(source).into(target).at(100, 0, 0).maxMem("2GB").execute();
        Rechunker.from(source).into(target).append("time").maxMem("2GB").execute();
        // end snippet
        assertEquals(4 * 500 * 4 * 5, target.elements("").length);
    }

    @Test
    void remoteStores() throws IOException, InterruptedException {
        write(maps(50), zarr("ssh.zarr").at(""));
        // snippet: remote
        try (ChunkStore source = Stores.open(in("https://example.org/data/ssh.zarr"));
                ChunkStore target = Stores.create(in("s3://bucket/ssh-by-time.zarr"))) {
            Rechunker.from(source)
                    .to(target)
                    .chunks("time=-1, ...=72")
                    .maxMem("2GB")
                    .execute();
        }
        // end snippet
        assertSame("ssh.zarr", "ssh-by-time.zarr");
    }

    @Test
    void imagesOfOme() throws IOException, InterruptedException {
        write(
                ramp(List.of("z", "y", "x"), new long[] {70, 80, 90}, 1, 80, 90),
                zarr("in.zarr").at(""));
        Path in = temp.resolve("in.zarr");
        Path out = temp.resolve("out.ome.zarr");
        // snippet: ome-zarr
        Rechunker.from(Zarr.open(in))
                .to(OmeZarr.create(out).axes("z", "y", "x").scale(2, 0.5, 0.5).units("um", "um", "um"))
                .chunks(64, 64, 64)
                .maxMem("1GB")
                .shards("z=512, ...=-1")
                .execute();
        // end snippet
        assertSame("in.zarr", "out.ome.zarr#0");
    }

    @Test
    void resuming() throws IOException, InterruptedException {
        RampSource source = ramp(List.of(), new long[] {100, 80, 90}, 10, 80, 90);
        ChunkStore target = zarr("b.zarr");
        // snippet: resume
        Rechunker.from(source)
                .to(target)
                .chunks(8901, 72, 72)
                .maxMem("2GB")
                .resume()
                .execute();
        // end snippet
        source.check(target, "");
    }

    @Test
    void cancelling() throws IOException {
        Plan plan = Rechunker.from(maps(500))
                .to(zarr("b.zarr"))
                .chunks(500, 5, 5)
                .maxMem("10MB")
                .plan();
        // snippet: cancel
        Run run = plan.start(); // a Future<Report>
        run.progress(); // how far it is
        run.cancel(); // ends soon
        // end snippet
        assertThrows(CancellationException.class, run::get);
        assertTrue(run.isCancelled());
    }

    @Test
    void executors() throws IOException, InterruptedException {
        RampSource source = maps(20);
        MemoryStore target = new MemoryStore();
        ExecutorService service = Executors.newFixedThreadPool(2);
        // snippet: executors
        Rechunker.Job job = Rechunker.from(source).to(target).chunks("auto").maxMem("256MB");
        job.threads(4).plan();
        job.executor(new SerialExecutor()).plan();
        job.executor(new ServiceExecutor(service, 4)).execute();
        // end snippet
        service.shutdown();
        source.check(target, "");
    }

    @Test
    void customStore() throws IOException, InterruptedException {
        RampSource data = ramp(AXES, new long[] {10, 20, 30}, 1, 20, 30);
        write(data, zarr("ssh.zarr").at(""));
        // snippet: plain-store-use
        try (ChunkStore plain = new PlainStore(Path.of(in("plain")))) {
            Plan plan = Rechunker.from(in("ssh.zarr"))
                    .to(plain)
                    .chunks(10, 10, 10)
                    .maxMem("10MB")
                    .onProgress(ConsoleProgress.bar())
                    .plan();
            plan.losses().forEach(System.out::println);
            plan.execute();
        }
        // end snippet
        data.check(new PlainStore(temp.resolve("plain")), "");
    }
}
