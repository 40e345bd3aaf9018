package dev.rechunker.distribution;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The licences of the libraries in a directory of jars: those in the jars, and for those that have none the texts in
 * {@code licenses.properties}. A library without any text is refused.
 */
final class Licenses {
    /** Licences and notices at the usual places of a jar. */
    private static final Pattern TEXT =
            Pattern.compile("(META-INF/)?(LICEN[SC]E|NOTICE|COPYING)(\\.(txt|md))?", Pattern.CASE_INSENSITIVE);

    private static final Pattern VERSION = Pattern.compile("-\\d.*\\.jar$");

    private final Path directory;
    private final Properties additional = new Properties();

    /** Texts by the names of files, in which those that are equal are one. */
    private final Map<String, String> files = new TreeMap<>();

    /** Names of files by library. */
    private final Map<String, List<String>> libraries = new LinkedHashMap<>();

    /**
     * Creates the licences of no library.
     *
     * @param directory has additional texts, and {@code licenses.properties}, which says for which libraries they are
     */
    Licenses(Path directory) throws IOException {
        this.directory = directory;
        try (Reader reader = Files.newBufferedReader(directory.resolve("licenses.properties"))) {
            additional.load(reader);
        }
    }

    /** Adds the licences of all jars of a directory, those of this project left out. {@return this} */
    Licenses of(Path jars) throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.list(jars)) {
            paths = all.filter(path -> !path.getFileName().toString().startsWith("rechunk"))
                    .sorted(Comparator.comparing(path -> path.getFileName().toString()))
                    .toList();
        }
        for (Path jar : paths) {
            libraries.put(library(jar), inJar(jar));
        }
        for (Map.Entry<String, List<String>> library : libraries.entrySet()) {
            if (library.getValue().isEmpty()) {
                library.setValue(inTable(library.getKey()));
            }
        }
        files.put("README.txt", list());
        return this;
    }

    /** {@return the texts, and a list of libraries, by the names of files} */
    Map<String, String> files() {
        return files;
    }

    private static String library(Path jar) {
        return VERSION.matcher(jar.getFileName().toString()).replaceFirst("");
    }

    private List<String> inJar(Path jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream()
                    .filter(each -> TEXT.matcher(each.getName()).matches())
                    .sorted(Comparator.comparing(ZipEntry::getName))
                    .toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    String kind = entry.getName().replaceAll("META-INF/|\\.\\w+$", "");
                    names.add(add(
                            library(jar) + "-" + kind + ".txt", new String(in.readAllBytes(), StandardCharsets.UTF_8)));
                }
            }
        }
        return names;
    }

    /** {@return the name of the file that has a text} */
    private String add(String name, String text) {
        for (Map.Entry<String, String> file : files.entrySet()) {
            if (file.getValue().equals(text)) {
                return file.getKey();
            }
        }
        files.put(name, text);
        return name;
    }

    private List<String> inTable(String library) throws IOException {
        String known = additional.stringPropertyNames().stream()
                .filter(name -> name.equals(library)
                        || (name.endsWith("*") && library.startsWith(name.substring(0, name.length() - 1))))
                .findFirst()
                .map(additional::getProperty)
                .orElse("");
        if (known.isEmpty()) {
            throw new IOException(
                    "the jar of " + library + " has no licence: add it to " + directory.resolve("licenses.properties"));
        }
        List<String> names = new ArrayList<>();
        for (String each : known.split(" ")) {
            if (each.endsWith(".txt")) {
                names.add(add(library + "-LICENSE.txt", Files.readString(directory.resolve(each))));
            } else {
                names.addAll(libraries.getOrDefault(each, List.of()));
            }
        }
        return names;
    }

    private String list() {
        StringBuilder list =
                new StringBuilder("Rechunker is under the licence in the file LICENSE. These libraries are in"
                        + " lib, with the files that have their\nlicences and notices:\n\n");
        libraries.forEach((library, names) -> list.append(library)
                .append(": ")
                .append(String.join(", ", names))
                .append('\n'));
        return list.toString();
    }
}
