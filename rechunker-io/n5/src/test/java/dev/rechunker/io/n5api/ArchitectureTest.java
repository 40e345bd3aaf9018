package dev.rechunker.io.n5api;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ObjectInputStream;
import org.junit.jupiter.api.Test;

/** Tests which packages this module depends on. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.rechunker.io.n5api");

    @Test
    void onlyStoresAndTheN5ApiAreUsed() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                "org.jspecify..",
                                "dev.rechunker.array",
                                "dev.rechunker.geometry",
                                "dev.rechunker.resource",
                                "dev.rechunker.store",
                                "dev.rechunker.io.json",
                                "dev.rechunker.io.n5",
                                "dev.rechunker.io.n5api",
                                "dev.rechunker.io.zarr",
                                "org.janelia.saalfeldlab.n5..",
                                "com.google.gson..")
                        .or(resideInAPackage("")))
                .check(CLASSES);
    }

    @Test
    void nothingIsPrintedOrDeserialized() {
        noClasses().should().accessField(System.class, "out").check(CLASSES);
        noClasses().should().accessField(System.class, "err").check(CLASSES);
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .check(CLASSES);
    }
}
