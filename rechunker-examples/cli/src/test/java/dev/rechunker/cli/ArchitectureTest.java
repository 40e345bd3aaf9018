package dev.rechunker.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

    /** Else nothing of this project runs on a module path, where no test runs. */
    @Test
    void packagesOfTheEngineAreExportedToTheModulesThatUseThem() throws IOException {
        Map<String, Set<String>> exports = new TreeMap<>();
        String module = Files.readString(Path.of("../../rechunker-core/src/main/java/module-info.java"));
        Matcher export = Pattern.compile("exports ([\\w.]+)\\s+to\\s+([^;]+);").matcher(module);
        while (export.find()) {
            exports.put(export.group(1), new TreeSet<>(List.of(export.group(2).split("\\s*,\\s*"))));
        }

        JavaClasses all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("dev.rechunker");
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass type : all) {
            for (String user : List.of("dev.rechunker.io", "dev.rechunker.testing", "dev.rechunker.bench")) {
                if ((type.getPackageName() + ".").startsWith(user + ".")) {
                    for (Dependency use : type.getDirectDependenciesFromSelf()) {
                        String used =
                                use.getTargetClass().getBaseComponentType().getPackageName();
                        boolean own = used.equals("dev.rechunker") || used.startsWith("dev.rechunker.");
                        if (own
                                && !resideInAnyPackage(API)
                                        .test(use.getTargetClass().getBaseComponentType())
                                && !(used + ".").startsWith(user + ".")) {
                            uses.computeIfAbsent(used, name -> new TreeSet<>()).add(user);
                        }
                    }
                }
            }
        }
        assertEquals(uses, exports);
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
