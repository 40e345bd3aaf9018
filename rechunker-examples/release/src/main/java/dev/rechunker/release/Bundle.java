package dev.rechunker.release;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The zip file that Maven Central takes: the POMs and jars of all released modules, laid out as a Maven repository,
 * with checksums, and signatures if there are any. The same files make the same bytes.
 */
public final class Bundle {
    /** Checksums that Central requires, by the ending of their files. */
    static final Map<String, String> CHECKSUMS = Map.of("md5", "MD5", "sha1", "SHA-1");

    /** The files of a module in addition to its POM, by the end of their names. */
    static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");

    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private final String version;
    private final boolean signed;
    private final Map<String, byte[]> entries = new TreeMap<>();

    private Bundle(String version, boolean signed) {
        this.version = version;
        this.signed = signed;
    }

    /**
     * Writes it.
     *
     * @param args the root of the checkout, the released modules with commas between, the version, the file to write,
     *     and whether everything is signed
     */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        Bundle bundle = new Bundle(args[2], Boolean.parseBoolean(args[4]));
        bundle.add("rechunker", root, List.of());
        for (String module : args[1].split(",", -1)) {
            Path directory = root.resolve(module);
            bundle.add(artifact(directory), directory, isPom(directory) ? List.of() : JARS);
        }
        Path file = Path.of(args[3]);
        Files.createDirectories(file.getParent());
        bundle.write(file);
    }

    /** {@return the directory of an artifact in a repository, with a slash at the end} */
    static String directory(String artifact, String version) {
        return "dev/rechunker/" + artifact + "/" + version + "/";
    }

    /** {@return whether a module is a POM only} */
    private static boolean isPom(Path module) throws IOException {
        return Files.readString(module.resolve("pom.xml")).contains("<packaging>pom</packaging>");
    }

    /** {@return the name of a module's artifact: the first in its POM after its parent} */
    private static String artifact(Path module) throws IOException {
        String pom = Files.readString(module.resolve("pom.xml"));
        int start = pom.indexOf("<artifactId>", pom.indexOf("</parent>")) + "<artifactId>".length();
        return pom.substring(start, pom.indexOf("</artifactId>", start));
    }

    private void add(String artifact, Path module, List<String> jars) throws IOException {
        Path target = module.resolve("target");
        String name = artifact + "-" + version;
        add(artifact, name + ".pom", module.resolve("pom.xml"), target);
        for (String jar : jars) {
            add(artifact, name + jar, target.resolve(name + jar), target);
        }
    }

    private void add(String artifact, String name, Path file, Path target) throws IOException {
        byte[] bytes = read(file);
        String path = directory(artifact, version) + name;
        entries.put(path, bytes);
        CHECKSUMS.forEach((ending, algorithm) ->
                entries.put(path + "." + ending, digest(algorithm, bytes).getBytes(StandardCharsets.US_ASCII)));
        if (signed) {
            entries.put(path + ".asc", read(target.resolve(name + ".asc")));
        }
    }

    private static byte[] read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(file.toString(), null, "it is made by mvn -Prelease verify");
        }
        return Files.readAllBytes(file);
    }

    /** {@return a checksum in hexadecimal digits} */
    static String digest(String algorithm, byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                ZipEntry header = new ZipEntry(entry.getKey());
                header.setTimeLocal(TIME);
                zip.putNextEntry(header);
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
    }
}
