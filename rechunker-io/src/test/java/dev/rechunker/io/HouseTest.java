package dev.rechunker.io;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.ObjectInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** The walls between the rooms of the formats, and who may let in which library. */
class HouseTest {
    private static final String HOUSE = "dev.rechunker.io";

    /** The rooms of the core that any format may use; not the planner, the engine or the front door. */
    private static final List<String> CORE = List.of(
            "dev.rechunker.geometry",
            "dev.rechunker.array",
            "dev.rechunker.resource",
            "dev.rechunker.memory",
            "dev.rechunker.copy",
            "dev.rechunker.store",
            "dev.rechunker.view",
            "dev.rechunker.journal");

    /** The only imports between rooms; a room may always use itself. */
    private static final Map<String, List<String>> ARROWS = new TreeMap<>(Map.ofEntries(
            entry("bytes", List.of()),
            entry("codec", List.of()),
            entry("concat", List.of()),
            entry("hdf5", List.of("bytes", "hdf5.format", "hdf5.read", "hdf5.write")),
            entry("hdf5.format", List.of("bytes", "codec", "json")),
            entry("hdf5.read", List.of("bytes", "codec", "hdf5.format", "json")),
            entry("hdf5.write", List.of("bytes", "codec", "hdf5.format", "json")),
            entry("imglib2", List.of()),
            entry("jobs", List.of("bytes", "json")),
            entry("json", List.of()),
            entry("n5", List.of("bytes", "codec", "json", "tree")),
            entry("ome", List.of("bytes", "zarr")),
            entry("s3", List.of("bytes")),
            entry("tree", List.of("bytes", "json")),
            entry("zarr", List.of("bytes", "codec", "json", "tree"))));

    /** The rooms that run plans, and know the front door and the engine. */
    private static final Map<String, List<String>> ENGINE =
            Map.of("jobs", List.of("dev.rechunker", "dev.rechunker.run", "dev.rechunker.journal"));

    /** The libraries, each in the room that knows it. */
    private static final Map<String, List<String>> LIBRARIES = new TreeMap<>(Map.of(
            "bytes",
            List.of(),
            "codec",
            List.of(
                    "net.jpountz..",
                    "com.github.luben..",
                    "org.apache.commons.compress..",
                    "org.tukaani..",
                    "org.xerial.."),
            "hdf5.read",
            List.of("io.jhdf.."),
            "imglib2",
            List.of("net.imglib2..", "com.google.common.cache..", "com.google.common.util.concurrent.."),
            "s3",
            List.of("software.amazon.awssdk.."),
            "zarr",
            List.of()));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages(HOUSE);

    private static String room(String name) {
        return HOUSE + "." + name;
    }

    /** {@return the rule that a room uses itself, its arrows, its libraries and the core, and nobody else} */
    private static ArchRule walls(String room, List<String> arrows, List<String> libraries) {
        List<String> allowed = new ArrayList<>(List.of("java..", "org.jspecify..", room(room)));
        allowed.addAll(CORE);
        allowed.addAll(ENGINE.getOrDefault(room, List.of()));
        allowed.addAll(libraries);
        arrows.forEach(arrow -> allowed.add(room(arrow)));
        // Compiled code also refers to primitive types and arrays of them, which are in no package.
        return classes()
                .that()
                .resideInAPackage(room(room))
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(allowed.toArray(String[]::new)).or(resideInAPackage("")));
    }

    @Test
    void roomsKeepTheirWalls() {
        ARROWS.forEach((room, arrows) ->
                walls(room, arrows, LIBRARIES.getOrDefault(room, List.of())).check(CLASSES));
    }

    @Test
    void thereIsNoOtherRoom() {
        TreeSet<String> rooms = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            rooms.add(type.getPackageName());
        }
        TreeSet<String> known = new TreeSet<>();
        ARROWS.keySet().forEach(room -> known.add(room(room)));
        known.add(HOUSE); // the formats' common door
        assertEquals(known, rooms);
    }

    @Test
    void thereIsNoCycle() {
        slices().matching(HOUSE + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void nobodyPrints() {
        noClasses().should(ACCESS_STANDARD_STREAMS).check(CLASSES);
        noClasses().should().callMethod(Throwable.class, "printStackTrace").check(CLASSES);
    }

    /** Files, and what is said, are the same in every language: digits too are of the locale. */
    @Test
    void nobodyFormatsForTheDefaultLocale() {
        noClasses().should(FORMAT_FOR_THE_DEFAULT_LOCALE).check(CLASSES);
    }

    @Test
    void nobodyDeserializes() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(ObjectInputStream.class)
                .check(CLASSES);
    }

    @Test
    void nobodyUsesTheCommonPool() {
        noClasses().should().callMethod(ForkJoinPool.class, "commonPool").check(CLASSES);
    }

    @Test
    void theRulesBite() {
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
                AssertionError.class, () -> walls("zarr", List.of(), List.of()).check(CLASSES));
        assertThrows(
                AssertionError.class, () -> walls("codec", List.of(), List.of()).check(CLASSES));
    }

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

    /** Does what is not allowed. */
    @SuppressWarnings({"unused", "EffectivelyPrivate"})
    private static final class Bad {
        public void print(ObjectInputStream in) {
            System.out.println("%s".formatted(in));
        }
    }
}
