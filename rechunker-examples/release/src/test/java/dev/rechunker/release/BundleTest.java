package dev.rechunker.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** The bundle has what Maven Central requires, and nothing else. */
class BundleTest {
    private static final String VERSION = property("version");
    private static final boolean SIGNED = Boolean.parseBoolean(property("signed"));

    /** What is released: the artifacts and the names of their modules. */
    private static final Map<String, String> ARTIFACTS = Map.of(
            "rechunker-core", "dev.rechunker.core",
            "rechunker-testkit", "dev.rechunker.testing",
            "rechunker-io", "dev.rechunker.io",
            "rechunker-n5", "dev.rechunker.io.n5api",
            "rechunker-spark", "dev.rechunker.io.spark",
            "rechunker-beam", "dev.rechunker.io.beam",
            "rechunker-lambda", "dev.rechunker.io.lambda",
            "rechunker-bench", "dev.rechunker.bench",
            "rechunker-cli", "dev.rechunker.cli");

    private static Map<String, byte[]> bundle = Map.of();

    static String property(String name) {
        return String.valueOf(System.getProperty(name));
    }

    @BeforeAll
    static void open() throws IOException {
        bundle = entries(Files.readAllBytes(Path.of(property("bundle"))));
    }

    private static Map<String, byte[]> entries(byte[] zip) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (!entry.isDirectory()) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return entries;
    }

    private static byte[] file(String artifact, String ending) {
        byte[] bytes = bundle.get(path(artifact, ending));
        assertNotNull(bytes, path(artifact, ending));
        return bytes;
    }

    private static String path(String artifact, String ending) {
        return Bundle.directory(artifact, VERSION) + artifact + "-" + VERSION + ending;
    }

    private static Element pom(String artifact) throws IOException, ParserConfigurationException, SAXException {
        try (InputStream in = new ByteArrayInputStream(file(artifact, ".pom"))) {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(in)
                    .getDocumentElement();
        }
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }

    /** {@return the text of an element that is below others, or null if there is none} */
    private static @Nullable String text(Element parent, String... names) {
        Element element = parent;
        for (String name : names) {
            List<Element> found = children(element, name);
            if (found.isEmpty()) {
                return null;
            }
            element = found.get(0);
        }
        return element.getTextContent().strip();
    }

    @Test
    void holdsTheFilesOfEveryArtifactAndNoOthers() {
        Set<String> files = new TreeSet<>(Set.of(path("rechunker", ".pom"), path("rechunker-bom", ".pom")));
        for (String artifact : ARTIFACTS.keySet()) {
            Stream.of(".pom", ".jar", "-sources.jar", "-javadoc.jar").forEach(end -> files.add(path(artifact, end)));
        }
        Set<String> expected = new TreeSet<>();
        for (String file : files) {
            expected.addAll(List.of(file, file + ".md5", file + ".sha1"));
            if (SIGNED) {
                expected.add(file + ".asc");
            }
        }
        assertEquals(expected, bundle.keySet());
    }

    @Test
    void checksumsAreThoseOfTheFiles() {
        int checked = 0;
        for (Map.Entry<String, byte[]> entry : bundle.entrySet()) {
            String name = entry.getKey();
            String algorithm = Bundle.CHECKSUMS.get(name.substring(name.lastIndexOf('.') + 1));
            if (algorithm != null) {
                byte[] file = bundle.get(name.substring(0, name.lastIndexOf('.')));
                assertNotNull(file, name);
                assertEquals(
                        Bundle.digest(algorithm, file), new String(entry.getValue(), StandardCharsets.US_ASCII), name);
                checked++;
            }
        }
        assertEquals(2 * (2 + 4 * ARTIFACTS.size()), checked);
    }

    @Test
    void signaturesAreThoseOfGpg() {
        bundle.forEach((name, bytes) -> {
            if (name.endsWith(".asc")) {
                String text = new String(bytes, StandardCharsets.US_ASCII);
                assertTrue(text.startsWith("-----BEGIN PGP SIGNATURE-----"), name);
            }
        });
    }

    @Test
    void pomsWithoutAParentSayWhatCentralAsksFor() throws Exception {
        for (String artifact : List.of("rechunker", "rechunker-bom")) {
            requireWhatCentralAsksFor(pom(artifact));
        }
    }

    private static void requireWhatCentralAsksFor(Element parent) {
        for (List<String> path : List.of(
                List.of("groupId"),
                List.of("version"),
                List.of("name"),
                List.of("description"),
                List.of("url"),
                List.of("licenses", "license", "name"),
                List.of("licenses", "license", "url"),
                List.of("developers", "developer", "name"),
                List.of("scm", "connection"),
                List.of("scm", "developerConnection"),
                List.of("scm", "url"))) {
            String text = text(parent, path.toArray(String[]::new));
            assertTrue(text != null && !text.isEmpty(), path + " of the parent");
        }
        assertEquals(VERSION, text(parent, "version"));
    }

    @Test
    void everyPomIsNamedAndNeedsNothingThatIsNotReleased() throws Exception {
        for (String artifact : ARTIFACTS.keySet()) {
            Element pom = pom(artifact);
            assertEquals(artifact, text(pom, "artifactId"));
            assertEquals("rechunker", text(pom, "parent", "artifactId"));
            assertEquals(VERSION, text(pom, "parent", "version"));
            assertNotNull(text(pom, "name"), artifact);
            assertNotNull(text(pom, "description"), artifact);
            for (Element dependency : children(children(pom, "dependencies").get(0), "dependency")) {
                String needed = String.valueOf(text(dependency, "artifactId"));
                boolean own = "dev.rechunker".equals(text(dependency, "groupId"));
                boolean left = "test".equals(text(dependency, "scope")) || "true".equals(text(dependency, "optional"));
                assertTrue(!own || left || ARTIFACTS.containsKey(needed), artifact + " needs " + needed);
                assertEquals(null, text(dependency, "version"), "versions are in the root: " + needed);
            }
        }
    }

    @Test
    void jarsHaveClassesALicenceAndTheNameOfTheirModule() throws IOException {
        for (Map.Entry<String, String> artifact : ARTIFACTS.entrySet()) {
            byte[] jar = file(artifact.getKey(), ".jar");
            Set<String> names = entries(jar).keySet();
            assertTrue(names.contains("META-INF/LICENSE"), artifact + ": " + names);
            for (String name : names) {
                assertTrue(name.matches("(dev/rechunker/|META-INF/).*|module-info\\.class"), name);
                assertFalse(name.matches(".*(Test|IT|Benchmark)(\\$.*)?\\.class"), name);
            }
            try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar))) {
                Manifest manifest = in.getManifest();
                assertNotNull(manifest, "the manifest is not the first entry of " + artifact);
                assertEquals(artifact.getValue(), manifest.getMainAttributes().getValue("Automatic-Module-Name"));
            }
        }
    }

    /** What a program that is a module has to find: all names, and no package in two modules. */
    @Test
    void jarsAreModulesThatFitTogether(@TempDir Path directory) throws IOException {
        List<String> libraries = List.of("rechunker-core", "rechunker-testkit", "rechunker-io", "rechunker-n5");
        for (String artifact : libraries) {
            Files.write(directory.resolve(artifact + ".jar"), file(artifact, ".jar"));
        }
        for (String path : property("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(path);
            if (jar.getFileName().toString().matches("(guava|failureaccess)-.*\\.jar")) {
                Files.copy(jar, directory.resolve(jar.getFileName()));
            }
        }
        List<String> names = libraries.stream().map(ARTIFACTS::get).toList();
        Configuration modules =
                ModuleLayer.boot().configuration().resolve(ModuleFinder.of(directory), ModuleFinder.of(), names);
        ModuleDescriptor core =
                modules.findModule(names.get(0)).orElseThrow().reference().descriptor();
        Set<String> exported = core.exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(exported.contains("dev.rechunker.store"), exported::toString);
        assertFalse(exported.contains("dev.rechunker.plan"), exported::toString);
    }

    @Test
    void everyClassHasItsSourceAndEveryArtifactItsJavadoc() throws IOException {
        for (String artifact : ARTIFACTS.keySet()) {
            Set<String> sources = entries(file(artifact, "-sources.jar")).keySet();
            Set<String> pages = entries(file(artifact, "-javadoc.jar")).keySet();
            assertTrue(pages.contains("index.html"), artifact);
            Set<String> classes = new HashSet<>();
            for (String name : entries(file(artifact, ".jar")).keySet()) {
                if (name.endsWith(".class") && !name.contains("$")) {
                    classes.add(name.replace(".class", ".java"));
                }
            }
            classes.removeAll(sources);
            assertEquals(Set.of(), classes, "classes of " + artifact + " without a source");
        }
    }

    /** Files have one time in all builds: else two builds would not be the same bytes. */
    @Test
    void everythingHasTheSameTime() throws IOException {
        Set<String> times = new TreeSet<>();
        for (String artifact : ARTIFACTS.keySet()) {
            for (String ending : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
                try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(file(artifact, ending)))) {
                    for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                        times.add(entry.getTimeLocal().toString());
                    }
                }
            }
        }
        assertEquals(1, times.size(), times.toString());
    }
}
