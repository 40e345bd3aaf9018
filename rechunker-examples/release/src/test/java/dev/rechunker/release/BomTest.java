package dev.rechunker.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The BOM has the versions of the root, and is used as a user's project would, from the bundle. */
class BomTest {
    private static final String ROOT = BundleTest.property("root");
    private static final String VERSION = BundleTest.property("version");

    @TempDir
    Path temp = Path.of("");

    private static Element parsed(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
    }

    private static String text(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
    }

    /** {@return what a POM manages: version and what is left out, by the name of the artifact} */
    private static Map<String, String> managed(Element pom) {
        Element managed =
                (Element) pom.getElementsByTagName("dependencyManagement").item(0);
        NodeList dependencies = managed.getElementsByTagName("dependency");
        Map<String, String> found = new TreeMap<>();
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            String version = text(dependency, "version");
            for (String name : List.of("project.version", version.replaceAll("[${}]", ""))) {
                version = version.replace("${" + name + "}", text(pom, name.replace("project.", "")));
            }
            StringBuilder out = new StringBuilder(version);
            NodeList exclusions = dependency.getElementsByTagName("exclusion");
            for (int j = 0; j < exclusions.getLength(); j++) {
                out.append(" without ").append(text((Element) exclusions.item(j), "artifactId"));
            }
            found.put(text(dependency, "groupId") + ":" + text(dependency, "artifactId"), out.toString());
        }
        return found;
    }

    @Test
    void versionsAreThoseOfTheRoot() throws Exception {
        Map<String, String> bom = managed(parsed(Path.of(ROOT, "rechunker-io", "bom", "pom.xml")));
        Map<String, String> root = managed(parsed(Path.of(ROOT, "pom.xml")));
        bom.forEach((artifact, version) -> assertEquals(root.get(artifact), version, artifact));
        for (String artifact : List.of("core", "io", "n5", "spark", "beam", "lambda", "testkit", "bench", "cli")) {
            assertEquals(VERSION, bom.get("dev.rechunker:rechunker-" + artifact));
        }
        assertEquals(VERSION, text(parsed(Path.of(ROOT, "rechunker-io", "bom", "pom.xml")), "version"));
    }

    /**
     * A project that takes the BOM names no versions, gets what is tested, and copies an array. What the local
     * repository lacks comes from Central.
     */
    @Test
    void aProjectOfAUserNeedsNoVersions() throws Exception {
        Path bundle = unzip();
        URI local = Path.of(BundleTest.property("repository")).toUri();
        String pom = """
                <project>
                <modelVersion>4.0.0</modelVersion>
                <groupId>org.example</groupId><artifactId>example</artifactId><version>1</version>
                <repositories>
                <repository><id>bundle</id><url>%s</url></repository>
                <repository><id>local</id><url>%s</url></repository>
                </repositories>
                <pluginRepositories>
                <pluginRepository><id>local</id><url>%s</url></pluginRepository>
                </pluginRepositories>
                <dependencyManagement><dependencies><dependency>
                <groupId>dev.rechunker</groupId><artifactId>rechunker-bom</artifactId><version>%s</version>
                <type>pom</type><scope>import</scope>
                </dependency></dependencies></dependencyManagement>
                <dependencies>
                <dependency><groupId>dev.rechunker</groupId><artifactId>rechunker-io</artifactId></dependency>
                <dependency><groupId>io.jhdf</groupId><artifactId>jhdf</artifactId></dependency>
                <dependency><groupId>software.amazon.awssdk</groupId><artifactId>s3</artifactId></dependency>
                </dependencies>
                </project>""";
        Files.writeString(temp.resolve("pom.xml"), pom.formatted(bundle.toUri(), local, local, VERSION));
        run(
                Path.of(BundleTest.property("maven"), "bin", "mvn").toString(),
                "-B",
                "-q",
                "-Dmaven.repo.local=" + temp.resolve("repository"),
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                "-Dmdep.outputFile=classpath.txt");
        String path = Files.readString(temp.resolve("classpath.txt")).strip();
        assertTrue(path.contains("rechunker-core-" + VERSION) && path.contains("jhdf-"), path);
        assertFalse(path.contains("netty"), path);

        Path source = temp.resolve("Example.java");
        Files.writeString(source, """
                import dev.rechunker.Rechunker;
                import dev.rechunker.store.MemoryStore;

                class Example {
                    public static void main(String[] args) throws Exception {
                        int[][] values = {{1, 2, 3}, {4, 5, 6}};
                        Rechunker.from(MemoryStore.of(values, 1, 3)).to("a.h5#data").chunks(2, 1).maxMem("1MB").execute();
                        Rechunker.from("a.h5#data").to("a.zarr").chunks("auto").maxMem("1MB").verify().execute();
                    }
                }
                """);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, "-cp", path, "-d", temp.toString(), source.toString()));
        run(
                Path.of(BundleTest.property("java.home"), "bin", "java").toString(),
                "-cp",
                temp + File.pathSeparator + path,
                "Example");
        assertTrue(Files.exists(temp.resolve("a.zarr/zarr.json")) || Files.exists(temp.resolve("a.zarr/.zarray")));
    }

    private Path unzip() throws IOException {
        Path directory = temp.resolve("bundle");
        try (InputStream in = Files.newInputStream(Path.of(BundleTest.property("bundle")));
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                try (OutputStream out = Files.newOutputStream(file)) {
                    zip.transferTo(out);
                }
            }
        }
        return directory;
    }

    private void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(temp.toFile())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), printed);
    }
}
