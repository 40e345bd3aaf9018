package dev.rechunker.distribution;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rechunker.distribution.Installed.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code bin/rechunk} of an archive that was unpacked in a directory with blanks in its name. */
class ScriptTest {
    private static final String VERSION = System.getProperty("version");

    @TempDir
    static Path temp = Path.of("");

    private static @Nullable Installed installed;

    private static Installed rechunk() {
        return requireNonNull(installed);
    }

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        installed = Installed.unpack(Path.of(System.getProperty("archive") + ".tar.gz"), temp.resolve("un packed"));
    }

    private static void assertRefused(Outcome outcome, String message) {
        assertEquals(2, outcome.status(), outcome.out() + outcome.err());
        assertEquals("rechunk: " + message + "\n", outcome.err());
        assertEquals("", outcome.out());
    }

    /** {@return the directory of a Java of another version, which cannot do anything} */
    private static Path otherJava(String name, String version, boolean isStated) throws IOException {
        Path home = temp.resolve(name);
        Path java = home.resolve("bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2019-01-15' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (isStated) {
            Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        }
        return home;
    }

    @Test
    void runsThroughLinksWithBlanksInAllNames() throws IOException, InterruptedException {
        Path bin = Files.createDirectories(temp.resolve("my bin"));
        Path first = Files.createSymbolicLink(
                bin.resolve("first link"), bin.relativize(rechunk().script()));
        Path second = Files.createSymbolicLink(bin.resolve("rechunk"), first);
        Outcome version = rechunk().as(second).run("--version").requireDone();
        assertEquals("rechunk " + VERSION + "\n", version.out());
        assertEquals("", version.err());

        Path data = temp.resolve("my data");
        Outcome demo = rechunk().as(second).run("demo", data.toString()).requireDone();
        assertTrue(demo.out().contains("verified: 16777216 elements are the same"), demo.out());
        assertTrue(demo.out().contains("'" + data.resolve("scan.h5") + "#entry/data'"), demo.out());
        assertTrue(Files.exists(data.resolve("copy.html")));
        assertRefused(
                rechunk().run("demo", data.toString()),
                data + " exists; name a directory that does not exist, or an empty one");
    }

    @Test
    void saysWhichJavaIsMissingOrTooOld() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"));
        Installed onPath = rechunk().with("JAVA_HOME", "").with("PATH", java.resolve("bin") + ":/bin");
        onPath.run("--version").requireDone();
        Path tools = Files.createDirectories(temp.resolve("tools"));
        Files.createSymbolicLink(tools.resolve("ls"), Path.of("/bin/ls"));
        assertRefused(
                onPath.with("PATH", tools.toString()).run("--version"),
                "java is not on the PATH; install Java 17 or later, or set JAVA_HOME to its directory");
        assertRefused(
                rechunk().with("JAVA_HOME", "/no/java").run("--version"),
                "JAVA_HOME is /no/java, which has no bin/java; set it to the directory of Java 17 or later");
        for (Path old : List.of(otherJava("old 8", "1.8.0_292", true), otherJava("old 11", "11.0.2", false))) {
            String version = old.endsWith("old 8") ? "1.8.0_292" : "11.0.2";
            assertRefused(
                    rechunk().with("JAVA_HOME", old.toString()).run("--version"),
                    "Java 17 or later is needed, but " + old + "/bin/java is Java " + version
                            + "; set JAVA_HOME to the directory of a later one");
        }
    }

    @Test
    void benchRunsTheInstalledTool() throws IOException, InterruptedException {
        Outcome bench = rechunk()
                .run("bench", "hdf5-ome", "--scale=0.02", "--runs=1", "--no-peers", "--json")
                .requireDone();
        assertTrue(bench.out().contains("\"workload\":\"hdf5-ome\""), bench.out());
    }

    @Test
    void optionsOfTheJvmOverrideThoseOfTheScript() throws IOException, InterruptedException {
        Installed with = rechunk().with("JAVA_OPTS", "-Xmx96m -XX:+UseParallelGC -XX:+PrintCommandLineFlags");
        String flags = with.run("--version", "--max-mem=1.5GiB").requireDone().out();
        assertTrue(flags.contains("-XX:MaxHeapSize=100663296"), flags);
        assertTrue(flags.contains("-XX:+UseParallelGC"), flags);
        assertFalse(flags.contains("UseSerialGC"), flags);
    }

    @Test
    void directMemoryFitsTheLimit() throws IOException, InterruptedException {
        Installed shown = rechunk().with("JAVA_OPTS", "-XX:+PrintFlagsFinal");
        for (List<String> each : List.of(
                List.of("250MB", "266001000"),
                List.of("1.5GiB", "1626613700"),
                List.of("8000000", "24000000"),
                List.of("010kB", "16011000"))) {
            Outcome flags = shown.run("info", "/no/file", "--max-mem", each.get(0));
            assertTrue(
                    flags.out()
                            .lines()
                            .anyMatch(line ->
                                    line.contains(" MaxDirectMemorySize ") && line.contains(" " + each.get(1) + " ")),
                    each + flags.out());
        }
        Outcome none = rechunk().run("info", "/no/file", "--max-mem", "much");
        assertRefused(none, "/no/file does not exist");
    }

    private static Path archive(Path cache) throws IOException {
        try (Stream<Path> files = Files.walk(cache)) {
            return files.filter(Files::isRegularFile).findFirst().orElse(Path.of(""));
        }
    }

    /** {@return a copy in a directory without blanks, in which alone JDK 17 archives the classes of jars} */
    private static Installed withoutBlanks(Path cache, String mode) throws IOException, InterruptedException {
        return Installed.unpack(Path.of(System.getProperty("archive") + ".tar.gz"), temp.resolve("plain"))
                .with("XDG_CACHE_HOME", cache.toString())
                .with("RECHUNK_CACHE", mode);
    }

    @Test
    void anArchiveOfClassesIsMadeAndUsed() throws IOException, InterruptedException {
        Path cache = temp.resolve("a cache");
        Installed cached = withoutBlanks(cache, "wait");
        Outcome first = cached.run("--version").requireDone();
        assertEquals("", first.err());
        Path archive = archive(cache);
        assertTrue(Files.size(archive) > 1_000_000, archive.toString());
        FileTime made = Files.getLastModifiedTime(archive);
        assertTrue(ownClassesFromArchive(cached) > 10);

        // a damaged archive is not used, and nothing is said
        Files.delete(archive);
        Files.writeString(archive, "damaged");
        Files.setLastModifiedTime(archive, made);
        Outcome damaged = cached.run("--version").requireDone();
        assertEquals("rechunk " + VERSION + "\n", damaged.out());
        assertEquals("", damaged.err());

        // one of an older version of the jars is made again
        Files.setLastModifiedTime(archive, FileTime.fromMillis(made.toMillis() - 5000));
        cached.run("--version").requireDone();
        assertTrue(Files.size(archive) > 1_000_000, archive.toString());
        assertTrue(ownClassesFromArchive(cached) > 10);
    }

    /** {@return how many classes of this project a command loads from an archive} */
    private static long ownClassesFromArchive(Installed rechunk) throws IOException, InterruptedException {
        Outcome outcome =
                rechunk.with("JAVA_OPTS", "-Xlog:class+load").run("--version").requireDone();
        return outcome.out()
                .lines()
                .filter(line -> line.contains(" dev.rechunker.") && line.contains("shared objects file"))
                .count();
    }

    @Test
    void processesThatStartTogetherMakeOneArchive() throws IOException, InterruptedException {
        Path cache = temp.resolve("shared cache");
        Installed cached = withoutBlanks(cache, "");
        Path one = temp.resolve("one");
        Path other = temp.resolve("other");
        Process first = cached.start(one, "--version");
        Process second = cached.start(other, "--version");
        for (Outcome outcome : List.of(Installed.outcome(first, one), Installed.outcome(second, other))) {
            assertEquals("rechunk " + VERSION + "\n", outcome.requireDone().out());
            assertEquals("", outcome.err());
        }
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < end
                && (isBeingMade(cache) || archive(cache).toString().isEmpty())) {
            Thread.sleep(100);
        }
        assertFalse(isBeingMade(cache));
        assertTrue(ownClassesFromArchive(cached) > 10);
    }

    private static boolean isBeingMade(Path cache) throws IOException {
        try (Stream<Path> files =
                Files.find(cache, 20, (file, a) -> file.toString().endsWith(".new"))) {
            return files.findAny().isPresent();
        } catch (UncheckedIOException e) {
            return true; // it is being removed
        }
    }

    @Test
    void aCacheThatCannotBeWrittenIsNotMissed() throws IOException, InterruptedException {
        Path file = Files.writeString(temp.resolve("no directory"), "");
        for (String mode : List.of("wait", "")) {
            Outcome outcome = rechunk()
                    .with("XDG_CACHE_HOME", file.toString())
                    .with("RECHUNK_CACHE", mode)
                    .run("--version")
                    .requireDone();
            assertEquals("rechunk " + VERSION + "\n", outcome.out());
            assertEquals("", outcome.err());
        }
        rechunk().with("RECHUNK_CACHE", "").run("--version").requireDone(); // there is no HOME either
    }

    @Test
    void anImageNeedsNoJava() throws IOException, InterruptedException {
        Path image = Path.of(System.getProperty("image"));
        assumeTrue(Files.exists(image), "no image was made");
        Installed own = rechunk()
                .as(image.resolve("bin/rechunk"))
                .with("JAVA_HOME", "/no/java")
                .with("PATH", "/bin:/usr/bin");
        Outcome demo = own.run("demo", temp.resolve("of the image").toString()).requireDone();
        assertTrue(demo.out().contains("verified: 16777216 elements are the same"), demo.out());
    }
}
