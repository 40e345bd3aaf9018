package dev.rechunker.distribution;

import com.google.common.collect.Lists;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Locale;
import java.util.spi.ToolProvider;

/**
 * Adds a Java runtime to the unpacked archive, so that the tool runs where no Java is installed, and makes a Debian
 * package of it. The script finds the runtime beside its jars.
 *
 * <p>The launcher of {@code jpackage} is not used: it starts the JVM always with the same options, while the script
 * fits them to the memory limit, and keeps an archive of classes.
 */
public final class Image {
    /** What the libraries use. The tests run the commands on such a runtime. */
    private static final String MODULES =
            "java.logging,java.management,java.naming,java.net.http,java.xml,jdk.crypto.ec,"
                    + "jdk.httpserver,jdk.jfr,jdk.unsupported,jdk.zipfs";

    private Image() {}

    /**
     * Makes the image, and a package if {@code dpkg-deb} is installed.
     *
     * @param args the directory of the unpacked archive, the directory to make, the version, the time of all files, and
     *     the package
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path image = Path.of(args[1]);
        Instant time = Instant.parse(args[3]);
        clear(image);
        copy(Path.of(args[0]), image);
        Path runtime = image.resolve("runtime");
        int status = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IOException("this Java has no jlink; build with a JDK"))
                .run(
                        quiet(),
                        System.err,
                        "--add-modules",
                        MODULES,
                        "--strip-java-debug-attributes",
                        "--no-header-files",
                        "--no-man-pages",
                        "--output",
                        runtime.toString());
        if (status != 0) {
            throw new IOException("jlink ended with status " + status);
        }
        // a runtime that jlink makes has no archive of the JDK's own classes, without which it starts slowly
        run(runtime.resolve("bin/java").toString(), "-Xshare:dump");
        setTimes(image, time);
        if (isInstalled("dpkg-deb")) {
            Path root = image.resolveSibling("deb");
            clear(root);
            debian(image, root, args[2]);
            setTimes(root, time);
            ProcessBuilder build = process("dpkg-deb", "--root-owner-group", "--build", root.toString(), args[4]);
            build.environment().put("SOURCE_DATE_EPOCH", String.valueOf(time.getEpochSecond()));
            run(build);
        }
    }

    private static PrintStream quiet() {
        return new PrintStream(PrintStream.nullOutputStream());
    }

    /** Lays out the files of a package: everything in one directory, with links from where others look for them. */
    private static void debian(Path image, Path root, String version) throws IOException {
        Path home = root.resolve("opt/rechunk");
        copy(image, home);
        link(root.resolve("usr/bin/rechunk"), "/opt/rechunk/bin/rechunk");
        link(root.resolve("usr/share/bash-completion/completions/rechunk"), "/opt/rechunk/completions/rechunk.bash");
        link(root.resolve("usr/share/zsh/vendor-completions/_rechunk"), "/opt/rechunk/completions/_rechunk");
        link(root.resolve("usr/share/fish/vendor_completions.d/rechunk.fish"), "/opt/rechunk/completions/rechunk.fish");
        Path pages = image.resolve("man/man1");
        try (var all = Files.list(pages)) {
            for (Path page : all.sorted().toList()) {
                String name = page.getFileName().toString();
                link(root.resolve("usr/share/man/man1").resolve(name), "/opt/rechunk/man/man1/" + name);
            }
        }
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        Path control = root.resolve("DEBIAN/control");
        Files.createDirectories(control.getParent());
        Files.writeString(control, String.format(Locale.ROOT, """
                        Package: rechunk
                        Version: %s
                        Architecture: %s
                        Maintainer: The Rechunker authors <rechunker@users.noreply.github.com>
                        Section: science
                        Priority: optional
                        Depends: libc6
                        Homepage: https://github.com/rechunker/rechunker
                        Description: Changes the chunks of N-dimensional arrays
                         Copies arrays in Zarr, OME-Zarr, N5, HDF5 and netCDF-4 into other chunks, within
                         a fixed amount of memory. Has a Java runtime of its own.
                        """, version.replace('-', '~'), architecture));
    }

    private static void link(Path link, String target) throws IOException {
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
    }

    private static boolean isInstalled(String tool) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(directory, tool))) {
                return true;
            }
        }
        return false;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        run(process(command));
    }

    private static ProcessBuilder process(String... command) {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static void run(ProcessBuilder process) throws IOException, InterruptedException {
        int status = process.start().waitFor();
        if (status != 0) {
            throw new IOException(process.command().get(0) + " ended with status " + status);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                Files.createDirectories(target.getParent());
                Files.copy(each, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            }
        }
    }

    /** Gives all files the same time; directories after what is in them. */
    private static void setTimes(Path root, Instant time) throws IOException {
        try (var all = Files.walk(root)) {
            for (Path path : Lists.reverse(all.toList())) {
                if (!Files.isSymbolicLink(path)) {
                    Files.setLastModifiedTime(path, FileTime.from(time));
                }
            }
        }
    }

    private static void clear(Path directory) throws IOException {
        if (Files.exists(directory)) {
            MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }
}
