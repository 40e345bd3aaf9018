package dev.rechunker.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.rechunker.bench.Bench;
import dev.rechunker.bench.Scaling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command line, the benchmarks and the examples are built with what every user has: the API. */
class ArchitectureTest {
    private static final String[] API = {
        "dev.rechunker",
        "dev.rechunker.run",
        "dev.rechunker.resource",
        "dev.rechunker.array",
        "dev.rechunker.geometry",
        "dev.rechunker.store",
        "dev.rechunker.io..",
    };

    /** The modules that depend on core, each by its packages, which begin with its name. */
    private static final String[] OTHER_MODULES = {
        "dev.rechunker.testing..",
        "dev.rechunker.io..",
        "dev.rechunker.bench..",
        "dev.rechunker.cli..",
        "dev.rechunker.examples..",
    };

    private static final Pattern EXPORTS = Pattern.compile("exports\\s+([\\w.]+)\\s+to\\s+([\\w.,\\s]+);");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.rechunker.cli", "dev.rechunker.bench", "dev.rechunker.examples");

    @Test
    void onlyTheApiIsUsed() {
        for (Class<?> each : List.of(Rechunk.class, Bench.class)) {
            assertTrue(CLASSES.contain(each), each.getName());
        }
        noClasses()
                .that()
                .doNotBelongToAnyOf(Scaling.class) // tries the planner with more workers than the API can be asked for
                .should()
                .dependOnClassesThat(resideInAPackage("dev.rechunker..")
                        .and(resideInAnyPackage(API)
                                .or(resideInAnyPackage(
                                        "dev.rechunker.cli", "dev.rechunker.bench", "dev.rechunker.examples.."))
                                .negate()))
                .check(CLASSES);
    }

    /** Tests run on the class path, where a package that is not exported can be used: users have modules. */
    @Test
    void coreExportsToEachModuleThePackagesOfTheEngineThatItUses() throws IOException {
        Map<String, Set<String>> exported = new TreeMap<>();
        Matcher exports =
                EXPORTS.matcher(Files.readString(Path.of("../../rechunker-core/src/main/java/module-info.java")));
        while (exports.find()) {
            for (String module : exports.group(2).strip().split("\\s*,\\s*", -1)) {
                exported.computeIfAbsent(module, name -> new TreeSet<>()).add(exports.group(1));
            }
        }
        Map<String, Set<String>> used = new TreeMap<>();
        DescribedPredicate<JavaClass> core =
                resideInAPackage("dev.rechunker..").and(not(resideInAnyPackage(OTHER_MODULES)));
        DescribedPredicate<JavaClass> engine = core.and(not(resideInAnyPackage(API)));
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("dev.rechunker")
                .that(not(core))) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (engine.test(target)) {
                    used.computeIfAbsent(module(type), name -> new TreeSet<>()).add(target.getPackageName());
                }
            }
        }
        assertEquals(used, exported);
    }

    private static String module(JavaClass type) {
        return Stream.of(OTHER_MODULES)
                .filter(module -> resideInAPackage(module).test(type))
                .map(module -> module.substring(0, module.length() - 2))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void internalsOfFormatsAreNotUsed() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.rechunker.io.codec..", "dev.rechunker.io.tree..", "dev.rechunker.io.hdf5.*.."))
                .check(CLASSES);
    }

    @Test
    void theCommandLineDoesNotUseTheExamples() {
        noClasses()
                .that()
                .resideInAPackage("dev.rechunker.cli")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.rechunker.examples.."))
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage("dev.rechunker.bench")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("dev.rechunker.cli..", "dev.rechunker.examples..")
                        .negate())
                .check(CLASSES);
    }
}
