package dev.rechunker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.ThrowsDeclaration;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.testing.ApiSignatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users program against. */
class ApiTest {
    private static final String ROOT = "dev.rechunker";

    /** The packages that users program against; the others are the engine. */
    private static final List<String> PACKAGES =
            List.of(ROOT, ROOT + ".run", ROOT + ".resource", ROOT + ".array", ROOT + ".geometry", ROOT + ".store");

    /** The most top-level types that these packages may show. */
    private static final int MOST_TYPES = 71;

    private static final Pattern EXPORTS = Pattern.compile("exports\\s+([\\w.]+)(?:\\s+to\\s+([\\w.,\\s]+))?;");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .withImportOption(location -> !location.contains("/dev/rechunker/testing/")) // the kits, of the testkit
            .importPackages(ROOT);

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static boolean isAccessible(JavaClass type) {
        return isVisible(type.getModifiers())
                && type.getEnclosingClass().map(ApiTest::isAccessible).orElse(true);
    }

    private static boolean isApi(JavaClass type) {
        return PACKAGES.contains(type.getPackageName()) && isAccessible(type);
    }

    /** A public type is a promise; more of them than users need hide those that they do need. */
    @Test
    void publicTypesAreFew() {
        List<String> types = CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && isApi(type))
                .map(JavaClass::getName)
                .sorted()
                .toList();
        assertTrue(types.size() > 40, () -> "only these were found: " + types);
        assertTrue(types.size() <= MOST_TYPES, () -> types.size() + " types are public: " + types);
    }

    /** Other modules can import the API, and only those of this project the engine. */
    @Test
    void moduleExportsTheApi() throws IOException {
        Set<String> toAll = new TreeSet<>();
        Set<String> toSome = new TreeSet<>();
        Matcher exports = EXPORTS.matcher(Files.readString(Path.of("src/main/java/module-info.java")));
        while (exports.find()) {
            String modules = exports.group(2);
            (modules == null ? toAll : toSome).add(exports.group(1));
            assertTrue(modules == null || modules.matches("(\\s*dev\\.rechunker\\.[\\w.]+,?)+"), modules);
        }
        assertEquals(new TreeSet<>(PACKAGES), toAll);
        PACKAGES.forEach(toSome::remove);
        assertTrue(toSome.contains(ROOT + ".plan"), () -> "only these were found: " + toSome);
    }

    /** Shows each change of the API in review. CONTRIBUTING says how to write the file again. */
    @Test
    void signaturesAreThoseOfTheFile() throws IOException {
        ApiSignatures.of(Rechunker.class, PACKAGES.toArray(String[]::new)).check(Path.of("api.txt"));
    }

    @Test
    void signaturesNameTypesOfTheApiOnly() {
        classes()
                .that(DescribedPredicate.describe("belong to the API", ApiTest::isApi))
                .should(NAME_TYPES_OF_THE_API_ONLY)
                .check(CLASSES);
    }

    @Test
    void typesOfTheEngineAreFoundInSignatures() {
        JavaClasses bad = new ClassFileImporter().importClasses(Bad.class);
        AssertionError found = assertThrows(
                AssertionError.class,
                () -> classes().should(NAME_TYPES_OF_THE_API_ONLY).check(bad));
        assertThrows(
                AssertionError.class,
                () -> classes()
                        .that()
                        .haveSimpleName("JobPlan")
                        .should(NAME_TYPES_OF_THE_API_ONLY)
                        .check(CLASSES));
        String message = String.valueOf(found.getMessage());
        assertTrue(List.of("inList", "field", "Bad.<init>").stream().allMatch(message::contains), message);
    }

    /** Whatever a user can see of a type: its supertypes, and what its public and protected members name. */
    private static final ArchCondition<JavaClass> NAME_TYPES_OF_THE_API_ONLY =
            new ArchCondition<>("name types of the API only") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                            .forEach(above -> report(type, type.getName(), Stream.of(above), events));
                    for (JavaMember member : type.getMembers()) {
                        Set<JavaModifier> modifiers = member.getModifiers();
                        if (isVisible(modifiers) && !modifiers.contains(JavaModifier.SYNTHETIC)) {
                            report(type, member.getFullName(), named(member), events);
                        }
                    }
                }
            };

    private static void report(JavaClass type, String where, Stream<JavaType> named, ConditionEvents events) {
        Set<String> hidden = named.flatMap(shown -> shown.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getBaseComponentType)
                .filter(shown -> shown.getPackageName().startsWith(ROOT) && !isApi(shown))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        if (!hidden.isEmpty()) {
            events.add(SimpleConditionEvent.violated(type, where + " names " + hidden));
        }
    }

    private static Stream<JavaType> named(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit unit = (JavaCodeUnit) member;
        Stream<JavaType> thrown = unit.getThrowsClause().stream().map(ThrowsDeclaration::getRawType);
        Stream<JavaType> given = Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
        return Stream.concat(given, thrown);
    }

    /** Names types of the engine wherever that can be done. */
    @SuppressWarnings({"unused", "EffectivelyPrivate"})
    private static final class Bad {
        public final List<CopyPlan> field = List.of();

        public Bad(CopyPlan[] plans) {}

        public void inList(List<? extends CopyPlan> plans) {}
    }
}
