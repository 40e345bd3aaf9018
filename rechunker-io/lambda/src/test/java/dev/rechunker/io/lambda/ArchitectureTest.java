package dev.rechunker.io.lambda;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What this module may depend on. */
class ArchitectureTest {
    /** The function is small and starts soon. */
    @Test
    void onlyTheApiAndTheInterfaceOfLambdaAreUsed() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.rechunker.io.lambda");
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                "com.sun.management",
                                "org.jspecify..",
                                "dev.rechunker",
                                "dev.rechunker.run",
                                "dev.rechunker.store",
                                "dev.rechunker.resource",
                                "dev.rechunker.io",
                                "dev.rechunker.io.jobs",
                                "dev.rechunker.io.json",
                                "dev.rechunker.io.lambda",
                                "com.amazonaws.services.lambda.runtime")
                        .or(resideInAPackage("")))
                .check(classes);
    }
}
