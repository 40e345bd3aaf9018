package dev.rechunker.io.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What this module may depend on. */
class ArchitectureTest {
    /** Other APIs than the Java API differ between versions of Spark and Scala. */
    @Test
    void onlyTheApiAndTheJavaApiOfSparkAreUsed() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.rechunker.io.spark");
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                "org.jspecify..",
                                "dev.rechunker",
                                "dev.rechunker.run",
                                "dev.rechunker.resource",
                                "dev.rechunker.io.jobs",
                                "dev.rechunker.io.spark",
                                "org.apache.spark",
                                "org.apache.spark.api.java..",
                                "org.apache.spark.broadcast")
                        .or(resideInAPackage("")))
                .check(classes);
    }
}
