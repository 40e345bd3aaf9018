package dev.rechunker.io;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.ObjectInputStream;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** Tests which packages, types of the core and libraries each package imports. */
class ArchitectureTest {
    private static final String ROOT = "dev.rechunker.io";

    /** The packages of the API of core that every package may use. */
    private static final List<String> CORE =
            List.of("dev.rechunker.geometry", "dev.rechunker.array", "dev.rechunker.resource", "dev.rechunker.store");

    /** The packages that run plans, and use the whole API of core. */
    private static final Map<String, List<String>> RUN_PLANS =
            Map.of("jobs", List.of("dev.rechunker", "dev.rechunker.run"));

    /** The only types of the engine of core that this module uses, so that their code is not repeated. */
    private static final Set<String> ENGINE = Set.of(
            "dev.rechunker.copy.StridedCopy",
            "dev.rechunker.element.BitRounding",
            "dev.rechunker.element.FloatFormat",
            "dev.rechunker.element.Half",
            "dev.rechunker.element.RealType",
            "dev.rechunker.element.Rounding",
            "dev.rechunker.element.TimeUnits",
            "dev.rechunker.element.ValueCast",
            "dev.rechunker.exec.SpillCodec",
            "dev.rechunker.hierarchy.Attributes",
            "dev.rechunker.hierarchy.Coordinates",
            "dev.rechunker.hierarchy.NodePaths",
            "dev.rechunker.journal.Journal",
            "dev.rechunker.journal.PrivateFiles",
            "dev.rechunker.journal.RecordFile",
            "dev.rechunker.journal.Processes",
            "dev.rechunker.journal.RunDirectory",
            "dev.rechunker.memory.MemoryBudget",
            "dev.rechunker.order.Odometer",
            "dev.rechunker.view.Images",
            "dev.rechunker.view.MeasuredView",
            "dev.rechunker.view.Rebase",
            "dev.rechunker.view.RebasedView",
            "dev.rechunker.view.RegionRead",
            "dev.rechunker.view.RegionView",
            "dev.rechunker.view.VariableView");

    /** The packages that a package may import; a package may always use itself. */
    private static final Map<String, List<String>> IMPORTS = new TreeMap<>(Map.ofEntries(
            entry("azure", List.of("bytes")),
            entry("bytes", List.of()),
            entry("classic", List.of("bytes", "file", "json", "netcdf")),
            entry("codec", List.of()),
            entry("concat", List.of()),
            entry("file", List.of("bytes")),
            entry("gcs", List.of("bytes")),
            entry("hadoop", List.of("bytes")),
            entry("hdf5", List.of("bytes", "hdf5.format", "hdf5.read", "hdf5.write")),
            entry("hdf5.format", List.of("bytes", "codec", "json", "netcdf")),
            entry("hdf5.read", List.of("bytes", "codec", "file", "hdf5.format", "json", "netcdf")),
            entry("hdf5.write", List.of("bytes", "codec", "file", "hdf5.format", "json", "netcdf")),
            entry("cog", List.of("bytes", "codec", "json", "tiff", "tree", "zarr")),
            entry("imagej", List.of("imglib2", "ome", "xml")),
            entry("imglib2", List.of()),
            entry("jobs", List.of("bytes", "json")),
            entry("json", List.of()),
            entry("tiledb", List.of("bytes", "json", "tree")),
            entry("microscopy", List.of("bytes", "concat", "hdf5", "n5", "ome", "xml")),
            entry("n5", List.of("bytes", "codec", "json", "tree")),
            entry("netcdf", List.of("json")),
            entry("ome", List.of("bytes", "zarr")),
            entry("reference", List.of("bytes", "codec", "json", "zarr")),
            entry("s3", List.of("bytes")),
            entry("tiff", List.of("bytes", "codec", "file", "ome", "xml")),
            entry("tree", List.of("bytes", "json")),
            entry("xml", List.of()),
            entry("zarr", List.of("bytes", "codec", "json", "tree"))));

    /** The libraries that a package imports. */
    private static final Map<String, List<String>> LIBRARIES = new TreeMap<>(Map.ofEntries(
            entry("azure", List.of("com.azure..", "reactor..", "org.reactivestreams..")),
            entry("bytes", List.of()),
            entry(
                    "codec",
                    List.of(
                            "net.jpountz..",
                            "com.github.luben..",
                            "org.apache.commons.compress..",
                            "org.tukaani..",
                            "org.xerial..")),
            entry("gcs", List.of("com.google.api..", "com.google.auth..")),
            entry("hadoop", List.of("org.apache.hadoop..")),
            entry("hdf5.read", List.of("io.jhdf..")),
            entry("imagej", List.of("ij..", "net.imglib2..")),
            entry(
                    "imglib2",
                    List.of("net.imglib2..", "com.google.common.cache..", "com.google.common.util.concurrent..")),
            entry("s3", List.of("software.amazon.awssdk..")),
            entry("tiledb", List.of("io.tiledb..")),
            entry("tiff", List.of("java.awt.image..", "javax.imageio..")),
            entry("xml", List.of("javax.xml..")),
            entry("zarr", List.of())));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages(ROOT);

    private static String qualified(String name) {
        return ROOT + "." + name;
    }

    /** {@return the rule that a package uses only itself, core, and the given packages of this module and libraries} */
    private static ArchRule importsOnly(String name, List<String> imports, List<String> libraries) {
        List<String> allowed = new ArrayList<>(List.of("java..", "org.jspecify..", qualified(name)));
        allowed.addAll(CORE);
        allowed.addAll(RUN_PLANS.getOrDefault(name, List.of()));
        allowed.addAll(libraries);
        imports.forEach(imported -> allowed.add(qualified(imported)));
        // Compiled code also refers to primitive types and arrays of them, which are in no package.
        return classes()
                .that()
                .resideInAPackage(qualified(name))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new))
                        .or(resideInAPackage(""))
                        .or(OF_THE_ENGINE));
    }

    @Test
    void packagesImportOnlyAllowedPackages() {
        IMPORTS.forEach((name, imports) -> importsOnly(name, imports, LIBRARIES.getOrDefault(name, List.of()))
                .check(CLASSES));
    }

    /** A type that is not used any more must be removed from the list. */
    @Test
    void everyListedTypeOfTheEngineIsUsed() {
        TreeSet<String> unused = new TreeSet<>(ENGINE);
        for (JavaClass type : CLASSES) {
            type.getDirectDependenciesFromSelf()
                    .forEach(used -> unused.remove(used.getTargetClass().getName()));
        }
        assertEquals(new TreeSet<String>(), unused);
    }

    @Test
    void thereIsNoOtherPackage() {
        TreeSet<String> packages = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            packages.add(type.getPackageName());
        }
        TreeSet<String> known = new TreeSet<>();
        IMPORTS.keySet().forEach(name -> known.add(qualified(name)));
        known.add(ROOT); // opens every format
        assertEquals(known, packages);
    }

    @Test
    void thereIsNoCycle() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /** Unique names can be mentioned without a package. */
    @Test
    void noTwoTypesHaveTheSameName() {
        TreeMap<String, String> seen = new TreeMap<>();
        List<String> twice = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("/testkit/"))
                .importPackages("dev.rechunker")) {
            if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
                String other = seen.put(type.getSimpleName(), type.getName());
                if (other != null) {
                    twice.add(other + " and " + type.getName());
                }
            }
        }
        assertTrue(seen.containsKey("Codecs"), () -> "only " + seen.size() + " types were found");
        assertEquals(List.of(), twice);
    }

    /** So that a link that others leave under the name is not followed. */
    @Test
    void filesAreCreatedAsNewOnes() {
        JavaClasses all = new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("/testkit/"))
                .importPackages("dev.rechunker");
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.rechunker.journal.RecordFile")
                .and()
                .doNotHaveFullyQualifiedName("dev.rechunker.io.file.PartFile")
                .should()
                .accessField(StandardOpenOption.class, "CREATE")
                .because("only these continue files that exist, with PrivateFiles")
                .check(all);
    }

    @Test
    void nothingIsPrinted() {
        noClasses().should(ACCESS_STANDARD_STREAMS).check(CLASSES);
        noClasses().should().callMethod(Throwable.class, "printStackTrace").check(CLASSES);
    }

    /** Files and messages must not depend on the locale, which also selects the digits. */
    @Test
    void nothingIsFormattedForTheDefaultLocale() {
        noClasses().should(FORMAT_FOR_THE_DEFAULT_LOCALE).check(CLASSES);
    }

    @Test
    void nothingIsDeserialized() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .check(CLASSES);
    }

    @Test
    void theCommonPoolIsNotUsed() {
        noClasses().should().callMethod(ForkJoinPool.class, "commonPool").check(CLASSES);
    }

    @Test
    void violationsAreFound() {
        JavaClasses bad = new ClassFileImporter().importClasses(Bad.class);
        assertThrows(
                AssertionError.class,
                () -> noClasses().should(ACCESS_STANDARD_STREAMS).check(bad));
        assertThrows(
                AssertionError.class,
                () -> noClasses().should(FORMAT_FOR_THE_DEFAULT_LOCALE).check(bad));
        assertThrows(
                AssertionError.class,
                () -> noClasses()
                        .should()
                        .dependOnClassesThat()
                        .areAssignableTo(ObjectInputStream.class)
                        .check(bad));
        assertThrows(
                AssertionError.class,
                () -> importsOnly("zarr", List.of(), List.of()).check(CLASSES));
        assertThrows(
                AssertionError.class,
                () -> importsOnly("codec", List.of(), List.of()).check(CLASSES));
    }

    private static final DescribedPredicate<JavaClass> OF_THE_ENGINE = DescribedPredicate.describe(
            "are listed types of the engine",
            type -> ENGINE.stream()
                    .anyMatch(name ->
                            type.getName().equals(name) || type.getName().startsWith(name + "$")));

    private static final ArchCondition<JavaClass> ACCESS_STANDARD_STREAMS =
            new ArchCondition<>("access standard streams") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    type.getFieldAccessesFromSelf().stream()
                            .filter(access -> access.getTargetOwner().isEquivalentTo(System.class))
                            .forEach(access ->
                                    events.add(SimpleConditionEvent.satisfied(type, access.getDescription())));
                }
            };

    private static final ArchCondition<JavaClass> FORMAT_FOR_THE_DEFAULT_LOCALE =
            new ArchCondition<>("format for the default locale") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    type.getMethodCallsFromSelf().stream()
                            .filter(call -> Set.of("format", "formatted", "printf")
                                            .contains(call.getName())
                                    && call.getTargetOwner().getPackageName().startsWith("java.")
                                    && call.getTarget().getRawParameterTypes().stream()
                                            .noneMatch(parameter -> parameter.isEquivalentTo(Locale.class)))
                            .forEach(call -> events.add(SimpleConditionEvent.satisfied(type, call.getDescription())));
                }
            };

    /** A class that violates the rules. */
    @SuppressWarnings({"unused", "EffectivelyPrivate"})
    private static final class Bad {
        public void print(ObjectInputStream in) {
            System.out.println("%s".formatted(in));
        }
    }
}
