package dev.rechunker.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.rechunker.bench.Bench;
import dev.rechunker.bench.Scaling;
import java.util.List;
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
